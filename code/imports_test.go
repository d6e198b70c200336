package code

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cantle/cantle/ast"
)

// The imports of a file, each as its statement would be with one of its items,
// and the names that the item makes known.
func TestImports(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"a.go", "package a\n\nimport \"os\"\n\nimport (\n\t\"net/http\"\n\t_ \"embed\"\n\n\tx \"golang.org/x/net/html\" // why\n\t\"gopkg.in/yaml.v3\"\n\t\"example.org/go-rank/v2\"\n)\n",
			`import "os": os.; import "net/http": http.; import x "golang.org/x/net/html": x.; import "gopkg.in/yaml.v3": yaml.; import "example.org/go-rank/v2": rank.`},
		{"a.py", "import os.path, json as j\nfrom typing import (  # why\n    Any,\n    List as L,\n)\nfrom .x import *\n\ndef f():\n    import sys\n",
			"import os.path: os.; import json as j: j.; from typing import Any: Any; from typing import List as L: L; from .x import *: ; import sys: sys. (in def f():)"},
		{"b.py", "try:\n    import a\nexcept ImportError:\n    a = None\n\nif TYPE_CHECKING:\n    from b import c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x\n",
			"import a: a." + fromB},
		{"b.rs", "use a::b;\n\nmod c {\n    use d::e;\n\n    fn f() {\n        use g::h;\n    }\n}\n", "use a::b;: b; use d::e;: e (in mod c {); use g::h;: h (in fn f() {)"},
		{"b.php", "<?php\nnamespace A {\n    use B\\C;\n    function f() { return 1; }\n    function g() { return \"some words that take room\"; }\n}\n", "use B\\C;: C (in namespace A {)"},
		{"a.js", "import \"side\";\nimport React, { useState as use } from \"react\";\nimport * as fs from 'fs';\nconst { join, sep: s } = require(\"path\");\nconst x = f();\n",
			`import React, { useState as use } from "react";: React use; import * as fs from 'fs';: fs; const { join } = require("path");: join; const { sep: s } = require("path");: s`},
		{"a.ts", "import {\n  one, // why\n  type Two,\n} from \"./a\";\nimport fs = require(\"fs\");\nimport D = A.B.C;\n",
			`import { one } from "./a";: one; import { type Two } from "./a";: Two; import fs = require("fs");: fs; import D = A.B.C;: D`},
		{"a.rs", "use std::fmt;\nuse std::collections::{HashMap, hash_map::{self, Entry}};\npub use a::b as c;\nuse super::*;\nextern crate z;\nuse io::{self, Read};\n",
			"use std::fmt;: fmt; use std::collections::{HashMap};: HashMap; use std::collections::{hash_map::{self, Entry}};: hash_map Entry; pub use a::b as c;: c; extern crate z;: z; use io::{self};: io; use io::{Read};: Read"},
		{"A.java", "package a;\n\nimport java.util.List;\nimport java.io.*;\nimport static a.b.C.max;\n", "import java.util.List;: List; import static a.b.C.max;: max"},
		{"a.kt", "package a\n\nimport a.b.C\nimport a.b.D as E\n", "import a.b.C: C; import a.b.D as E: E"},
		{"a.scala", "import a.b.C\nimport a.b.{D, E => F, _}\n", "import a.b.C: C; import a.b.{D}: D; import a.b.{E => F}: F; import a.b.{_}: "},
		{"a.php", "<?php\nuse A\\B;\nuse A\\{C, D as E};\nuse function A\\f;\n", "use A\\B;: B; use A\\{C};: C; use A\\{D as E};: E; use function A\\f;: f"},
		{"a.swift", "import Foundation\nimport struct A.B\n", "import Foundation: Foundation; import struct A.B: B"},
		{"a.cs", "using System.Text;\nusing Rows = System.Data.Rows;\n", "using Rows = System.Data.Rows;: Rows"},
		{"a.cpp", "#include <string>\nusing std::string;\nusing namespace std;\n", "using std::string;: string"},
		{"a.lua", "local json = require(\"json\")\nlocal x = f()\n", `local json = require("json"): json`},
		{"a.zig", "const std = @import(\"std\");\nconst x = 1;\n", `const std = @import("std");: std`},
		{"a.vue", "<script>\nimport A from \"./a\"\n</script>\n", `import A from "./a": A`},
		{"a.rb", "require \"a\"\n", ""},
	} {
		d := Parse(c.name, "", []byte(c.src), Options{})
		if hasNoGrammar(d) {
			continue
		}
		var got []string
		if (d.Imports == nil) != (c.want == "") {
			t.Errorf("%s: there are imports: %v", c.name, d.Imports != nil)
		}
		if d.Imports == nil {
			continue
		}
		for _, m := range d.Imports() {
			if text := string(d.Source[m.Span.Start:m.Span.End]); strings.TrimSpace(text) != text || text == "" {
				t.Errorf("%s: spans %q", c.name, text)
			}
			for i := range m.Items {
				line := fmt.Sprintf("%s: %s", m.Line(func(item int) bool { return item == i }), strings.Join(m.Items[i].Names, " "))
				if !m.Within.IsEmpty() {
					within, _, _ := strings.Cut(string(d.Source[m.Within.Start:m.Within.End]), "\n")
					line += " (in " + within + ")"
				}
				got = append(got, line)
			}
		}
		if all := strings.Join(got, "; "); all != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, all, c.want)
		}
	}
}

// fromB is what an import of 22 names from b says.
var fromB = func() string {
	var b strings.Builder
	for name := 'c'; name <= 'x'; name++ {
		fmt.Fprintf(&b, "; from b import %c: %c", name, name)
	}
	return b.String()
}()

func hasNoGrammar(d *ast.Document) bool {
	for _, p := range d.Problems {
		if strings.HasPrefix(p.Message, "no grammar") {
			return true
		}
	}
	return false
}
