"""Times package tokens beside tiktoken, its Go port, and quicktok on one core.

    VENV/bin/pip install tiktoken quicktok-v1
    TIKTOKEN_CACHE_DIR=... VENV/bin/python speed.py DIR...

Prints corpus, encoding, way and megabytes (10^6 bytes) per second of processor
time, the best of some runs over all files of DIR, each counted by itself.
"""

import os, subprocess, sys, time

import tiktoken
from exact import files

try:
    import quicktok
except ImportError:
    quicktok = None


def rate(texts, size, run, times=3):
    best = 0
    for _ in range(times):
        start = time.process_time()
        for text in texts:
            run(text)
        best = max(best, size / 1e6 / (time.process_time() - start))
    return best


for folder in sys.argv[1:]:
    texts = files(folder)
    size = sum(len(t.encode()) for t in texts)
    for name in ("cl100k_base", "o200k_base"):
        ways = [("tiktoken", tiktoken.get_encoding(name).encode_ordinary)]
        if quicktok:
            ways.append(("quicktok", quicktok.get_encoding(name).count))
        for way, run in ways:
            print(os.path.basename(folder), name, way, f"{rate(texts, size, run):.1f}", sep="\t", flush=True)

here = os.path.dirname(os.path.abspath(__file__))
folders = [os.path.abspath(f) for f in sys.argv[1:]]
subprocess.run(["go", "run", ".", "speed", *folders], cwd=here, check=True)
