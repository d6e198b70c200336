"""Times package tokens beside tiktoken, its Go port, quicktok and Hugging Face
tokenizers on one core.

    VENV/bin/pip install tiktoken quicktok-v1 tokenizers
    TIKTOKEN_CACHE_DIR=... VENV/bin/python speed.py [--encodings LIST] DIR...

LIST is of encodings and tokenizer.json files, with commas between. Prints corpus,
encoding, way and megabytes (10^6 bytes) per second of processor time, the best of
some runs over all files of DIR, each counted by itself.
"""

import argparse, os, subprocess, time

os.environ["TOKENIZERS_PARALLELISM"] = "false"

from exact import HERE, files, reference


def rate(texts, size, run, times=3):
    best = 0
    for _ in range(times):
        start = time.process_time()
        for text in texts:
            run(text)
        best = max(best, size / 1e6 / (time.process_time() - start))
    return best


def peers(name):
    if os.path.exists(name):
        return [("tokenizers", reference(name))]
    ways = [("tiktoken", reference(name))]
    try:
        import quicktok

        ways.append(("quicktok", quicktok.get_encoding(name).count))
    except (ImportError, ValueError, KeyError):
        pass
    return ways


p = argparse.ArgumentParser()
p.add_argument("--encodings", default="cl100k_base,o200k_base")
p.add_argument("folders", nargs="+")
args = p.parse_args()
folders = [os.path.abspath(f) for f in args.folders]
for name in args.encodings.split(","):
    for folder in folders:
        texts = files(folder)
        size = sum(len(t.encode()) for t in texts)
        for way, run in peers(name):
            print(os.path.basename(folder), os.path.basename(name), way, f"{rate(texts, size, run):.1f}", sep="\t", flush=True)
    if os.path.exists(name):
        name = os.path.abspath(name)
    subprocess.run(["go", "run", ".", "speed", name, *folders], cwd=HERE, check=True)
