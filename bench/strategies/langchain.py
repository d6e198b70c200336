"""Compares --strategy recursive with LangChain's RecursiveCharacterTextSplitter, and explains every difference.

usage: langchain.py CANTLE [DOCUMENTS...]

Both cut the same documents, in characters, at the same separators. CANTLE is the command. The documents are files or
folders; of folders, a sample spread over their Markdown and text files, 200 in all. Needs langchain-text-splitters
and regex from PyPI (made with 1.1.3 and 2026.11.19), in a virtual environment outside of the repository. Nothing is read from the network.

A difference is explained, not excused: model() below is the algorithm in 50 lines, with a switch for each rule in which
cantle means to differ. With all switches off it must give LangChain's chunks, character for character; with all on,
cantle's. So the rules are all the differences there are. For each document that differs, the smallest set of switches
under which the model gives cantle's chunks is counted. The exit status is 1 where either equality fails.
"""
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

from langchain_text_splitters import RecursiveCharacterTextSplitter

RULES = {
    'full': 'a part of exactly the limit fits (LangChain: only one below it; cut again although it fits)',
    'trim': 'blanks that are stripped at the ends of a chunk do not count (LangChain counts, then strips them)',
    'blank': 'blank parts stay with what stands before (LangChain: parts of their own, which can end a chunk, or be one '
             'that repeats only overlap)',
    'cluster': 'a grapheme cluster is not parted, nor is CRLF (LangChain cuts between any two code points)',
}
PROSE = ['\n\n', '\n', '。', '！', '？', '；', '. ', '! ', '? ', '; ', '，', '、', ', ', ' ', '']
LISTS = {'LangChain\'s default': ['\n\n', '\n', ' ', ''], 'prose': PROSE}
COUNT = 200
BLANK = ' \t\r\n\f\v'


BLANK_LINES = re.compile(r'(?:[ \t\f\v]*[\r\n]+)*')


def trimmed(text, start, end):
    """Drops blank lines before, and blanks and line ends behind."""
    end = start + len(text[start:end].rstrip(BLANK))
    return BLANK_LINES.match(text, start, end).end(), end


def cut_at(text, start, end, separator, keep):
    """The parts between which a separator stands, as spans."""
    at = start
    for m in re.compile(re.escape(separator)).finditer(text, start, end):
        cut = m.start() if keep == 'start' else m.end()
        if cut > at:
            yield at, cut
        at = cut
    if at < end:
        yield at, end


def clusters(text, start, end):
    import regex  # third-party; only where the rule is asked for
    for m in regex.compile(r'\X').finditer(text, start, end):
        yield m.span()


def model(text, separators, size, overlap, keep, rules):
    """The chunks of a text, as spans."""
    def measure(start, end):
        if 'trim' in rules:
            start, end = trimmed(text, start, end)
        return end - start

    runs = []  # parts that may be put together

    def split(start, end, rest):
        at = next((i for i, s in enumerate(rest) if s == '' or s in text[start:end]), len(rest) - 1)
        separator, rest = rest[at], rest[at + 1:]
        if separator:
            parts = list(cut_at(text, start, end, separator, keep))
        elif 'cluster' in rules:
            parts = list(clusters(text, start, end))
        else:
            parts = [(i, i + 1) for i in range(start, end)]
        if not separator and 'blank' in rules:  # of a long word with what follows
            solid = next((i for i, p in enumerate(parts) if text[p[0]:p[1]].strip(BLANK)), 0)
            parts = [(start, parts[solid][1])] + parts[solid + 1:]
        run = []
        for part in parts:
            n = measure(*part)
            if n < size or 'full' in rules and n <= size:
                run.append(part)
                continue
            if run:
                runs.append(run)
                run = []
            if rest:
                split(*part, rest)
            else:
                runs.append([part])
        if run:
            runs.append(run)

    split(0, len(text), separators)
    if 'blank' in rules:
        kept = []
        for run in runs:
            solid = []
            for start, end in run:
                if text[start:end].strip(BLANK):
                    solid.append((start, end))
                elif solid:
                    solid[-1] = (solid[-1][0], end)
                elif kept:
                    kept[-1][-1] = (kept[-1][-1][0], end)
            if solid:
                kept.append(solid)
        runs = kept

    for run in runs:
        chunk = []
        for part in run:
            if chunk and measure(chunk[0][0], part[1]) > size:
                yield chunk[0][0], chunk[-1][1]
                while chunk and (measure(chunk[0][0], chunk[-1][1]) > overlap or measure(chunk[0][0], part[1]) > size):
                    chunk = chunk[1:]
            chunk.append(part)
        yield chunk[0][0], chunk[-1][1]


def texts(text, spans):
    """What is said: ends stripped, nothing where nothing is left."""
    return [t for t in (text[s:e].strip() for s, e in spans) if t]


def cantle(command, paths, separators, size, overlap, keep):
    """The chunks of each file, by path."""
    args = [command, 'chunk', '--all', '--format', 'text', '--encoding', 'chars', '--context', 'none', '--strategy', 'recursive',
            '--keep', keep, '--max-tokens', str(size), '--overlap', str(overlap)]
    for s in separators:
        args += ['--separator', s.replace('\n', '\\n')]
    out = subprocess.run(args + paths, stdout=subprocess.PIPE, check=True).stdout
    chunks = {p: [] for p in paths}
    for line in out.decode().splitlines():
        c = json.loads(line)
        chunks[c['source']].append(c['text'].strip())
    return chunks


def sample(places):
    """COUNT documents spread over the files and folders."""
    files, folders = [], []
    for place in places:
        if os.path.isdir(place):
            folders += sorted(os.path.join(d, f) for d, _, names in os.walk(place) for f in names if f.endswith(('.md', '.txt')))
        else:
            files.append(place)
    n = max(0, COUNT - len(files))
    step = max(1.0, len(folders) / max(1, n))
    return files + [folders[int(i * step)] for i in range(min(n, len(folders)))]


def main():
    command, places = sys.argv[1], sys.argv[2:]
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        documents = {}
        for i, path in enumerate(sample(places)):
            with open(path, encoding='utf-8-sig', newline='') as f:
                text = f.read()
            copy = os.path.join(folder, '%03d.txt' % i)  # no byte order mark, and nothing by the name
            with open(copy, 'w', encoding='utf-8', newline='') as f:
                f.write(text)
            documents[copy] = path, text
        print(len(documents), 'documents,', sum(len(t) for _, t in documents.values()), 'characters')
        for (name, separators), (keep, size), overlap in itertools.product(
                LISTS.items(), [('start', 200), ('start', 1000), ('end', 500)], [0, 0.15]):
            overlap = int(size * overlap)
            lc = RecursiveCharacterTextSplitter(separators=separators, keep_separator=keep, chunk_size=size, chunk_overlap=overlap)
            ours = cantle(command, list(documents), separators, size, overlap, keep)
            same, total, shared, kinds, unexplained = 0, 0, 0, Counter(), []
            for copy, (path, text) in documents.items():
                theirs = [t for t in (c.strip() for c in lc.split_text(text)) if t]
                if texts(text, model(text, separators, size, overlap, keep, ())) != theirs:
                    unexplained.append(('LangChain', path, theirs))
                total += len(theirs)
                shared += sum((Counter(theirs) & Counter(ours[copy])).values())
                if texts(text, model(text, separators, size, overlap, keep, RULES)) != ours[copy]:
                    unexplained.append(('cantle', path, ours[copy]))
                elif theirs == ours[copy]:
                    same += 1
                else:
                    kinds[next(' + '.join(rules) for n in range(1, len(RULES) + 1) for rules in itertools.combinations(RULES, n)
                               if texts(text, model(text, separators, size, overlap, keep, rules)) == ours[copy])] += 1
            print(f'{name}, kept at {keep}, {size}/{overlap}: {same} documents the same, {shared} of {total} chunks;',
                  ', '.join(f'{n} by {k}' for k, n in kinds.most_common()) or 'no difference')
            for who, path, chunks in unexplained[:3]:
                failed = True
                print(f'  UNEXPLAINED {who}: {path}')
                with open(path, encoding='utf-8-sig', newline='') as f:
                    text = f.read()
                rules = () if who == 'LangChain' else tuple(RULES)
                said = texts(text, model(text, separators, size, overlap, keep, rules))
                at = next((i for i, (a, b) in enumerate(zip(chunks, said)) if a != b), min(len(chunks), len(said)))
                print('    got  ', [c[:60] + ' … ' + c[-60:] + f' ({len(c)})' for c in chunks[at:at + 2]])
                print('    model', [c[:60] + ' … ' + c[-60:] + f' ({len(c)})' for c in said[at:at + 2]])
            if len(unexplained) > 3:
                print('  and', len(unexplained) - 3, 'more')
    for rule, what in RULES.items():
        print(f'{rule}: {what}')
    sys.exit(failed)


main()
