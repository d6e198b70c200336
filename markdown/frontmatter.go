package markdown

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/BurntSushi/toml"
	"gopkg.in/yaml.v3"
)

// maxFrontMatter bounds the bytes searched for the end of front matter.
const maxFrontMatter = 1 << 20

// frontMatter reads the front matter that src starts with: YAML between "---"
// lines (the last may be "..."), TOML between "+++" lines, or a JSON object.
// size is its length, blank lines below it included, or 0 where there is none.
// err says why what looks like front matter cannot be read.
//
// A "---" block that is YAML but no mapping is not front matter: it is text
// between two rules.
func frontMatter(src []byte) (meta map[string]any, size int, err error) {
	line := src[:lineEnd(src, 0)]
	switch string(bytes.TrimRight(line, " \t\r\n")) {
	case "---":
		var body []byte
		if body, size = fencedBy(src, len(line), "---", "..."); size == 0 {
			return nil, 0, nil
		}
		var value any
		if err = yaml.Unmarshal(body, &value); err != nil {
			break
		}
		switch value := normal(value).(type) {
		case map[string]any:
			meta = value
		case nil:
		default:
			return nil, 0, nil
		}
	case "+++":
		var body []byte
		if body, size = fencedBy(src, len(line), "+++", "+++"); size == 0 {
			return nil, 0, nil
		}
		if _, err = toml.Decode(string(body), &meta); err == nil {
			normal(meta)
		}
	default:
		if len(src) == 0 || src[0] != '{' {
			return nil, 0, nil
		}
		d := json.NewDecoder(bytes.NewReader(src[:min(len(src), maxFrontMatter)]))
		if d.Decode(&meta) != nil || len(meta) == 0 {
			return nil, 0, nil // text that starts with a brace
		}
		size = int(d.InputOffset())
		end := lineEnd(src, size)
		if len(bytes.TrimSpace(src[size:end])) > 0 {
			return nil, 0, nil
		}
		size = end
	}
	for size < len(src) {
		end := lineEnd(src, size)
		if len(bytes.TrimSpace(src[size:end])) > 0 {
			break
		}
		size = end
	}
	if err != nil {
		return nil, size, fmt.Errorf("front matter: %w", err)
	}
	return meta, size, nil
}

// fencedBy returns the lines from offset start to the first line that is one
// of closers, and the offset behind that line; 0 where there is none.
func fencedBy(src []byte, start int, closers ...string) (body []byte, size int) {
	for at := start; at < len(src) && at < maxFrontMatter; {
		end := lineEnd(src, at)
		line := string(bytes.TrimRight(src[at:end], " \t\r\n"))
		for _, closer := range closers {
			if line == closer {
				return src[start:at], end
			}
		}
		at = end
	}
	return nil, 0
}

// normal returns a decoded value in the terms of JSON: keys are strings, and
// numbers that JSON lacks are strings. A date without a time, and a time
// without a zone, is a string as it was written. YAML's reader does not tell a
// date from its midnight in UTC, so that is a date too.
func normal(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for k, v := range value {
			value[k] = normal(v)
		}
		return value
	case map[any]any:
		m := make(map[string]any, len(value))
		for k, v := range value {
			m[fmt.Sprint(k)] = normal(v)
		}
		return m
	case []map[string]any:
		for _, v := range value {
			normal(v)
		}
	case []any:
		for i, v := range value {
			value[i] = normal(v)
		}
		return value
	case float64:
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return fmt.Sprint(value)
		}
	case time.Time:
		switch _, offset := value.Zone(); value.Location().String() {
		case "date-local": // so package toml names the zones of what has none
			return value.Format(time.DateOnly)
		case "datetime-local":
			return value.Format("2006-01-02T15:04:05.999999999")
		case "time-local":
			return value.Format("15:04:05.999999999")
		default:
			if offset == 0 && value.Equal(value.Truncate(24*time.Hour)) {
				return value.Format(time.DateOnly)
			}
		}
	}
	return value
}
