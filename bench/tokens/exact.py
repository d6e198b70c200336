"""Compares package tokens, token by token, with what it stands in for: OpenAI's
tiktoken for its encodings, Hugging Face tokenizers for tokenizer.json files.

    python3 -m venv VENV && VENV/bin/pip install tiktoken tokenizers
    TIKTOKEN_CACHE_DIR=... VENV/bin/python exact.py [--corpora DIR] [--strings N] ENCODING_OR_FILE...

tiktoken downloads a vocabulary that TIKTOKEN_CACHE_DIR does not hold. The texts
are N strings drawn from the corpora and made up of white space, odd characters
and random Unicode; every code point alone, after a letter and before one; and
every file of the corpora. Exit status 1 if any differs.
"""

import argparse, json, os, random, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SPACES = " \t\n\r\v\f\u00a0\u0085\u2003\u2028\u3000"
ODD = "'sSdtTmlLvVrReE\u017f ./\n-_A\u0301\u0300中あ\u01c5\u02b0½1٣😀\u200d<|endoftext|>[SEP]▁"


def files(root):
    out = []
    for folder, _, names in sorted(os.walk(root)):
        for name in sorted(names):
            try:
                with open(os.path.join(folder, name), encoding="utf-8", newline="") as f:
                    out.append(f.read())
            except UnicodeDecodeError:
                pass
    return out


def valid(code):
    return not 0xD800 <= code < 0xE000


def strings(sources, n):
    rnd = random.Random(1)
    for _ in range(n):
        size = rnd.randint(1, 400)
        kind = rnd.randrange(10)
        if kind < 5 and sources:
            s = rnd.choice(sources)
            at = rnd.randrange(max(1, len(s) - size))
            yield s[at : at + size]
        elif kind < 7:
            top = rnd.choice([0x300, 0x3000, 0x20000, 0x110000])
            yield "".join(chr(c) for c in (rnd.randrange(top) for _ in range(size // 4)) if valid(c))
        elif kind < 8:
            yield "".join(rnd.choice(SPACES) + rnd.choice(["", "", "", rnd.choice(ODD)]) for _ in range(size // 4))
        else:
            alphabet = ODD[: rnd.randint(1, len(ODD))] if kind < 9 else rnd.sample(ODD, 3)
            yield "".join(rnd.choice(alphabet) * rnd.randint(1, 3) for _ in range(size // 2))


def code_points():
    for block in range(0, 0x110000, 64):
        chars = [chr(c) for c in range(block, block + 64) if valid(c)]
        for c in chars:
            yield c
            yield "a" + c + "b"
        yield "".join(chars)


def reference(name):
    """The encoding function of the original."""
    if os.path.exists(name):
        from tokenizers import Tokenizer

        t = Tokenizer.from_file(name)
        t.no_truncation()
        t.no_padding()
        return lambda text: t.encode(text, add_special_tokens=False).ids
    import tiktoken

    return tiktoken.get_encoding(name).encode_ordinary


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--corpora", default=os.path.join(HERE, "../../../shared/corpora"))
    p.add_argument("--strings", type=int, default=10000)
    p.add_argument("--no-files", action="store_true", help="leave out the whole files")
    p.add_argument("encodings", nargs="+")
    args = p.parse_args()

    sources = files(args.corpora)
    texts = list(strings(sources, args.strings)) + list(code_points())
    if not args.no_files:
        texts += sources
    failed = False
    with tempfile.TemporaryDirectory() as tmp:
        program = os.path.join(tmp, "tokens")
        subprocess.run(["go", "build", "-o", program, "."], cwd=HERE, check=True)
        data = "".join(json.dumps(t) + "\n" for t in texts)
        for name in args.encodings:
            want = reference(name)
            got = subprocess.run([program, "ids", name], input=data, capture_output=True, text=True)
            if got.returncode:
                print(f"{name}: {got.stderr.strip()}")
                failed = True
                continue
            wrong = count = 0
            for text, line in zip(texts, got.stdout.splitlines(), strict=True):
                ids, ref = json.loads(line), want(text)
                count += len(ref)
                if ids != ref:
                    wrong += 1
                    if wrong <= 5:
                        at = next((i for i, (a, b) in enumerate(zip(ids, ref)) if a != b), min(len(ids), len(ref)))
                        print(f"{name}: {text[:80]!r}: at token {at} of {len(ref)}: {ids[at:at+8]}, want {ref[at:at+8]}")
            print(f"{name}: {len(texts)} texts, {count} tokens, {wrong} texts differ")
            failed |= wrong > 0
    sys.exit(failed)


if __name__ == "__main__":
    main()
