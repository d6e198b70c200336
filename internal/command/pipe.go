package command

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gopkg.in/yaml.v3"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/internal/pipe"
)

func newPipe(s streams) *cobra.Command {
	var cutting cutFlags
	var settings string
	var timeout time.Duration
	var memory, size int
	var worker bool
	cmd := &cobra.Command{
		Use:   "pipe [flags]",
		Short: "Cut documents that come on standard input: a worker for engines",
		Long: "Cut documents that come on standard input, one JSON object a line, and answer each by one line, in order:\n\n" +
			"  {\"path\": \"guide.md\"}  or  {\"doc_id\": \"guide.md\", \"content\": \"# Guide...\"}\n" +
			"  {\"doc_id\": \"guide.md\", \"chunks\": [...], \"version\": ..., \"settings\": ...}  or  {..., \"error\": \"...\"}\n\n" +
			"content_base64 takes the place of content where bytes are not UTF-8. doc_id is path where it is missing. source\n" +
			"(where the document was read; its name tells the format), format and meta may be added; meta goes over --meta.\n" +
			"settings is a hash: it is the same where documents are cut alike.\n\n" +
			"No document ends the stream. Each is cut in a second process, which is ended at the limits of time and memory and\n" +
			"started anew; the answer is an error then. The end of the input ends the command, with status 0.",
		Example: "  cantle pipe < requests.jsonl > answers.jsonl\n  cantle pipe --settings cut.yaml --timeout 10s --max-memory 512",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := useSettings(cmd.Flags(), settings); err != nil {
				return misuse{err}
			}
			var opened embedders
			defer opened.close()
			if worker {
				s.err = io.Discard // the other process has said it
			}
			opt, err := cutting.resolve(s, cmd.Flags(), &opened)
			if err != nil {
				return err
			}
			for name, value := range map[string]int64{"timeout": int64(timeout), "max-memory": int64(memory), "max-size": int64(size)} {
				if value <= 0 {
					return misuse{fmt.Errorf("--%s %s: must be above 0", name, cmd.Flags().Lookup(name).Value)}
				}
			}
			hash, err := settingsHash(cutting.encoding, opt)
			if err != nil {
				return err
			}
			p := piped{ctx: cmd.Context(), opt: opt, limit: int64(size) << 20, stamp: stamp{version(), hash}}
			if worker {
				return pipe.Serve(s.in, s.out, p.answer)
			}
			self, err := os.Executable()
			if err != nil {
				return err
			}
			runtime.GOMAXPROCS(1) // this process copies; on more processors it would look for work where there is none
			args := append([]string{os.Args[0], "pipe", "--worker"}, given(cmd.Flags())...)
			return pipe.Run(cmd.Context(), s.in, s.out, pipe.Options{
				Worker: func() *exec.Cmd {
					// Garbage is collected before the limit is reached for it.
					env := append(os.Environ(), fmt.Sprintf("GOMEMLIMIT=%dMiB", memory-memory/4))
					return &exec.Cmd{Path: self, Args: args, Env: env, Stderr: s.err}
				},
				Timeout: timeout, Memory: int64(memory) << 20, MaxRequest: size << 20,
				Failed: func(id string, err error) any { return answer{DocID: id, Error: err.Error(), stamp: p.stamp} },
			})
		},
	}
	cutting.add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&settings, "settings", "", "YAML or JSON `file` of flags and their values, max-tokens: 300; what is given here besides overrides it")
	fl.DurationVar(&timeout, "timeout", time.Minute, "longest time for a document")
	fl.IntVar(&memory, "max-memory", 2048, "most memory for a document, `MiB` (Linux)")
	fl.IntVar(&size, "max-size", 256, "largest request, and largest file, `MiB`")
	fl.BoolVar(&worker, "worker", false, "")
	fl.MarkHidden("worker")
	return cmd
}

// useSettings sets the flags that a file names and that were not given.
func useSettings(flags *pflag.FlagSet, name string) error {
	if name == "" {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("--settings %s: %w", name, plain(err))
	}
	var values map[string]any
	if err := yaml.Unmarshal(text, &values); err != nil {
		return fmt.Errorf("--settings %s: %w", name, err)
	}
	for _, key := range sortedKeys(values) {
		if flags.Lookup(key) == nil {
			return fmt.Errorf("--settings %s: there is no flag --%s%s", name, key, meant("--", similarFlags(flags, key)))
		}
		if flags.Changed(key) {
			continue
		}
		list, ok := values[key].([]any)
		if !ok {
			list = []any{values[key]}
		}
		for _, v := range list {
			if err := flags.Set(key, fmt.Sprint(v)); err != nil {
				return fmt.Errorf("--settings %s: %w", name, valueError(flags, err))
			}
		}
	}
	return nil
}

// given returns the flags that were set, as arguments.
func given(flags *pflag.FlagSet) []string {
	var args []string
	flags.Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			args = append(args, "--"+f.Name+"="+v)
		}
	})
	return args
}

// settingsHash is settingsOf with the content of a tokenizer's file in place of
// its name, which differs from machine to machine.
func settingsHash(encoding string, opt cantle.Options) (string, error) {
	if text, err := os.ReadFile(encoding); err == nil {
		sum := sha256.Sum256(text)
		encoding = "sha256:" + hex.EncodeToString(sum[:])
	}
	return settingsOf(encoding, opt, embedding{})
}

// A pipeRequest is a line of input.
type pipeRequest struct {
	DocID   string         `json:"doc_id"`
	Path    string         `json:"path"`
	Content *string        `json:"content"`
	Base64  *string        `json:"content_base64"`
	Source  string         `json:"source"`
	Format  string         `json:"format"`
	Meta    map[string]any `json:"meta"`
}

// An answer is a line of output.
type answer struct {
	DocID  string          `json:"doc_id"`
	Chunks []chunker.Chunk `json:"chunks,omitzero"` // [] for a document without text, absent beside an error
	Error  string          `json:"error,omitempty"`
	stamp
}

// A stamp says what made an answer.
type stamp struct {
	Version  string `json:"version"`
	Settings string `json:"settings"`
}

// piped is what a worker knows.
type piped struct {
	ctx   context.Context
	opt   cantle.Options
	limit int64 // bytes of a file
	stamp stamp
}

func (p piped) answer(line []byte) any {
	var r pipeRequest
	if err := json.Unmarshal(line, &r); err != nil {
		return answer{Error: "request: " + jsonError(err).Error(), stamp: p.stamp}
	}
	if r.DocID == "" {
		r.DocID = r.Path
	}
	chunks, err := p.cut(r)
	if err != nil {
		return answer{DocID: r.DocID, Error: plain(err).Error(), stamp: p.stamp}
	}
	if chunks == nil {
		chunks = []chunker.Chunk{}
	}
	return answer{DocID: r.DocID, Chunks: chunks, stamp: p.stamp}
}

// jsonError says an error of decoding a request in the words of JSON.
func jsonError(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &kind):
		return err
	case kind.Field == "":
		return fmt.Errorf("want a JSON object, not %s", kind.Value)
	case kind.Type.Kind() == reflect.Map:
		return fmt.Errorf("%s: want an object, not %s", kind.Field, kind.Value)
	}
	return fmt.Errorf("%s: want a %s, not %s", kind.Field, kind.Type, kind.Value)
}

func (p piped) cut(r pipeRequest) ([]chunker.Chunk, error) {
	src, err := p.read(r)
	if err != nil {
		return nil, err
	}
	opt := p.opt
	if r.Format != "" {
		opt.Parse.Format = r.Format
	}
	if len(r.Meta) > 0 {
		opt.Cut.Meta = maps.Clone(opt.Cut.Meta)
		if opt.Cut.Meta == nil {
			opt.Cut.Meta = map[string]any{}
		}
		maps.Copy(opt.Cut.Meta, r.Meta)
	}
	opt.Cut.DocID, opt.Cut.Source = r.DocID, r.Path
	if r.Source != "" {
		opt.Cut.Source = r.Source
	}
	name := opt.Cut.Source
	if name == "" {
		name = r.DocID
	}
	doc, err := cantle.Parse(name, src, opt.Parse)
	if err != nil {
		return nil, err
	}
	return cantle.Cut(p.ctx, doc, opt)
}

var errTwoContents = errors.New("request: needs one of path, content and content_base64, and doc_id without a path")

// read returns the bytes of a document.
func (p piped) read(r pipeRequest) ([]byte, error) {
	switch {
	case r.DocID == "" || r.Content != nil && r.Base64 != nil || (r.Content != nil || r.Base64 != nil) == (r.Path != ""):
		return nil, errTwoContents
	case r.Content != nil:
		return []byte(*r.Content), nil
	case r.Base64 != nil:
		src, err := base64.StdEncoding.DecodeString(*r.Base64)
		if err != nil {
			return nil, fmt.Errorf("content_base64: %w", err)
		}
		return src, nil
	}
	f, err := os.Open(r.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, p.limit+1))
	if err == nil && int64(len(src)) > p.limit {
		err = pipe.ErrTooLong
	}
	return src, err
}
