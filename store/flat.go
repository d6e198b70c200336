package store

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/cantle/cantle/chunker"
)

// Flat returns the fields of a chunk, without id, text and parts, and the keys
// of its meta, as values that every vector database and framework takes as
// metadata: strings, numbers and booleans. A section path is in its joined
// form, other lists are joined by commas, an object in meta becomes a key for
// each of its own with a dot between, and what is empty is left out. A key of
// meta that is the name of a field has "meta." in front.
func Flat(c *chunker.Chunk) map[string]any {
	flat := map[string]any{}
	for i := range Fields {
		f := &Fields[i]
		switch v := f.Value(c).(type) {
		case string:
			if v != "" && f.Name != "id" && f.Name != "path" {
				flat[f.Name] = v
			}
		case int:
			if v != 0 || f.Name == "chunk_index" {
				flat[f.Name] = v
			}
		case []string:
			if f.Name == "section_path" {
				if len(v) > 0 {
					flat[f.Name] = chunker.JoinPath(v)
				}
			} else if len(v) > 0 {
				flat[f.Name] = strings.Join(v, ", ")
			}
		}
	}
	for name, s := range map[string]string{"context": c.Context, "prev_id": c.PrevID, "next_id": c.NextID} {
		if s != "" {
			flat[name] = s
		}
	}
	flat["start"], flat["end"] = c.Start, c.End
	if c.Table != nil {
		flat["table_id"], flat["table_row_start"], flat["table_row_end"], flat["table_rows"] = c.Table.ID, c.Table.RowStart, c.Table.RowEnd, c.Table.Rows
	}
	flatMeta(flat, "", c.Meta)
	return flat
}

func flatMeta(flat map[string]any, prefix string, meta map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		v := meta[key]
		key = prefix + key
		if inner, ok := v.(map[string]any); ok {
			flatMeta(flat, key+".", inner)
			continue
		}
		if _, taken := flat[key]; taken || isField(key) {
			key = "meta." + key
		}
		switch v := Meta(map[string]any{"v": v}, "v").(type) {
		case nil:
		case string, float64, bool:
			flat[key] = v
		case []any:
			if len(v) > 0 {
				flat[key] = joined(v)
			}
		default:
			flat[key] = asJSON(v)
		}
	}
}

func isField(name string) bool {
	_, ok := FieldOf(name)
	return ok
}

// joined joins strings by commas; a list of anything else is JSON.
func joined(list []any) string {
	parts := make([]string, len(list))
	for i, v := range list {
		s, ok := v.(string)
		if !ok {
			return asJSON(list)
		}
		parts[i] = s
	}
	return strings.Join(parts, ", ")
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}
