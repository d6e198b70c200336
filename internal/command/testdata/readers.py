# Reads what cantle writes with the programs it is for, and compares it with
# the JSON lines. Arguments: a folder that holds chunks.jsonl, .parquet,
# .langchain, .llamaindex and .haystack. A client that is not installed is
# passed over and named; what was read is named too.
import importlib
import json
import os
import sys

folder = sys.argv[1]
lines = [json.loads(line) for line in open(f"{folder}/chunks.jsonl", encoding="utf-8")]
texts = [(c["id"], c["text"]) for c in lines]
assert lines and all(text for _, text in texts)


def profile(name):
    return [json.loads(line) for line in open(f"{folder}/chunks.{name}", encoding="utf-8")]


def same(got):
    got = list(got)
    assert got == texts, next((g, w) for g, w in zip(got, texts) if g != w)


def metadata(got):
    for c, m in zip(lines, got, strict=True):
        assert m["doc_id"] == c["doc_id"] and m["tokens"] == c["tokens"], (m, c)
        assert all(type(v) in (str, int, float, bool) for v in m.values()), m
        if "category" in c.get("meta", {}):
            assert m["category"] == c["meta"]["category"]
        if c["section_path"]:
            assert m["section_path"].endswith(c["section_path"][-1].replace("\\", "\\\\").replace(">", "\\>")), m


def columns(rows):
    """rows are of Parquet, each a mapping."""
    same((r["id"], r["text"]) for r in rows)
    for c, r in zip(lines, rows, strict=True):
        assert list(r["section_path"]) == c["section_path"]
        assert list(r["types"]) == c["types"]
        assert r["start_line"] == c["start_line"]
        assert json.loads(r["meta"]) == c.get("meta", {})


def langchain():
    from langchain_core.documents import Document
    docs = [Document(**line) for line in profile("langchain")]
    same((d.id, d.page_content) for d in docs)
    metadata(d.metadata for d in docs)


def llamaindex():
    from llama_index.core.schema import MetadataMode, TextNode
    nodes = [TextNode(**line) for line in profile("llamaindex")]
    same((n.node_id, n.text) for n in nodes)
    same((n.node_id, n.get_content(MetadataMode.EMBED)) for n in nodes)
    metadata(n.metadata for n in nodes)
    for c, n in zip(lines, nodes, strict=True):
        assert n.ref_doc_id == c["doc_id"]
        assert (n.next_node.node_id if n.next_node else "") == c.get("next_id", "")
        assert (n.parent_node.node_id if n.parent_node else "") == c.get("parent_id", "")


def haystack():
    from haystack import Document
    docs = [Document.from_dict(line) for line in profile("haystack")]
    same((d.id, d.content) for d in docs)
    metadata(d.meta for d in docs)


def pandas():
    import pandas
    columns(pandas.read_parquet(f"{folder}/chunks.parquet").to_dict("records"))
    frame = pandas.read_json(f"{folder}/chunks.jsonl", lines=True)
    same(zip(frame["id"], frame["text"]))


def duckdb():
    import duckdb
    rows = duckdb.sql(f"select * from '{folder}/chunks.parquet'")
    columns([dict(zip(rows.columns, r)) for r in rows.fetchall()])


def datasets():
    import datasets
    cache = f"{folder}/cache"
    columns(list(datasets.Dataset.from_parquet(f"{folder}/chunks.parquet", cache_dir=cache)))
    same((r["id"], r["text"]) for r in datasets.load_dataset("json", data_files=f"{folder}/chunks.jsonl", split="train", cache_dir=cache))


def lancedb():
    import lancedb
    import pyarrow.parquet
    table = lancedb.connect(f"{folder}/lance").create_table("chunks", pyarrow.parquet.read_table(f"{folder}/chunks.parquet"))
    columns(table.to_arrow().to_pylist())


os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
for read, module in ((langchain, "langchain_core"), (llamaindex, "llama_index.core"), (haystack, "haystack"), (pandas, "pandas"),
                     (duckdb, "duckdb"), (datasets, "datasets"), (lancedb, "lancedb")):
    try:
        importlib.import_module(module)
    except ImportError:
        print("not installed:", module)
        continue
    read()
    print("read by", module)
