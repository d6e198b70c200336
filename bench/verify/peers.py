"""Makes chunks of the texts in inputs/ with other chunkers, as verify's tests read them.

usage: peers.py OUT_DIR [CHUNKER...]

Each chunker is a function that writes records as its own users would: JSON lines in its own shape. What is not
installed is passed over with a line on standard error. Made with langchain-text-splitters 1.1.3, llama-index-core
0.14.25, chonkie 1.7.0, astchunk 0.1.0, semchunk 3.2.5, docling-core 2.104.0 and unstructured 0.27.35, from PyPI, in a
virtual environment outside of the repository. Nothing is read from the network.
"""
import json
import os
import re
import sys

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'inputs')


def read(name):
    with open(os.path.join(HERE, name), encoding='utf-8', newline='') as f:
        return f.read()


def words(text):
    """Counts words: needs no vocabulary, and so no network."""
    return len(re.findall(r'\w+|[^\w\s]', text))


def langchain_headers():
    from langchain_text_splitters import MarkdownHeaderTextSplitter
    split = MarkdownHeaderTextSplitter([('#', 'Header 1'), ('##', 'Header 2'), ('###', 'Header 3')], strip_headers=False)
    for d in split.split_text(read('ferry.md')):
        yield {'page_content': d.page_content, 'metadata': {'source': 'ferry.md', **d.metadata}}


def langchain_experimental():
    from langchain_text_splitters import ExperimentalMarkdownSyntaxTextSplitter
    for d in ExperimentalMarkdownSyntaxTextSplitter(strip_headers=False).split_text(read('unclosed.md')):
        yield {'page_content': d.page_content, 'metadata': {'source': 'unclosed.md', **d.metadata}}


def langchain_recursive():
    from langchain_text_splitters import RecursiveCharacterTextSplitter
    split = RecursiveCharacterTextSplitter(chunk_size=160, chunk_overlap=20, add_start_index=True)
    for d in split.create_documents([read('ferry.md')], [{'source': 'ferry.md'}]):
        yield {'page_content': d.page_content, 'metadata': d.metadata}


def llamaindex_markdown():
    from llama_index.core.node_parser import MarkdownNodeParser
    from llama_index.core.schema import Document
    for n in MarkdownNodeParser().get_nodes_from_documents([Document(text=read('ferry.md'), metadata={'file_name': 'ferry.md'})]):
        d = n.to_dict()
        yield {k: d[k] for k in ('id_', 'text', 'metadata', 'start_char_idx', 'end_char_idx')}


def chonkie_table():
    from chonkie import TableChunker
    text = read('ferry.md')
    table = '\n'.join(line for line in text.split('\n') if line.startswith('|')) + '\n'
    for c in TableChunker(tokenizer='character', chunk_size=40).chunk(table):
        yield {'text': c.text, 'start_index': c.start_index, 'end_index': c.end_index, 'token_count': c.token_count, 'doc_id': 'ferry.md'}


def astchunk_python():
    from astchunk import ASTChunkBuilder
    for c in ASTChunkBuilder(max_chunk_size=200, language='python', metadata_template='default').chunkify(read('tower.py')):
        yield {'content': c['content'], 'meta': {'file_path': 'tower.py'}}


def semchunk_chinese():
    import semchunk
    for text in semchunk.chunkerify(len, 40)(read('river.txt')):
        yield {'text': text, 'doc': 'river.txt'}


def whitespace_tokenizer(limit):
    from docling_core.transforms.chunker.tokenizer.base import BaseTokenizer

    class Words(BaseTokenizer):
        def count_tokens(self, text):
            return words(text)

        def get_max_tokens(self):
            return limit

        def get_tokenizer(self):
            return words

    return Words()


def docling_table():
    from docling_core.transforms.chunker.hybrid_chunker import HybridChunker
    from docling_core.types.doc.document import DoclingDocument, TableCell, TableData
    from docling_core.types.doc.labels import DocItemLabel
    doc = DoclingDocument(name='ferry.md')
    doc.add_heading('Ferry', level=1)
    doc.add_text(DocItemLabel.TEXT, 'The ferry crosses every hour. It waits for nobody.')
    doc.add_heading('Costs', level=2)
    doc.add_text(DocItemLabel.TEXT, 'A passenger pays three crowns. A bicycle is free, a horse is not.')
    rows = [[c.strip() for c in line.strip('|').split('|')] for line in read('ferry.md').split('\n') if line.startswith('|') and '---' not in line]
    cells = [TableCell(text=c, start_row_offset_idx=i, end_row_offset_idx=i + 1, start_col_offset_idx=j, end_col_offset_idx=j + 1, column_header=i == 0)
             for i, row in enumerate(rows) for j, c in enumerate(row)]
    doc.add_table(TableData(table_cells=cells, num_rows=len(rows), num_cols=len(rows[0])))
    for c in HybridChunker(tokenizer=whitespace_tokenizer(40)).chunk(doc):
        yield {'text': c.text, 'meta': {'doc_items': [], 'headings': c.meta.headings, 'origin': {'filename': 'ferry.md'}}}


def docling_code():
    from docling_core.transforms.chunker.code_chunking.standard_code_chunking_strategy import StandardCodeChunkingStrategy
    from docling_core.types.doc.document import DoclingDocument
    from docling_core.types.doc.labels import CodeLanguageLabel
    doc = DoclingDocument(name='tower.py')
    item = doc.add_code(read('tower.py'), code_language=CodeLanguageLabel.PYTHON)
    strategy = StandardCodeChunkingStrategy(tokenizer=whitespace_tokenizer(60), min_chunk_size=300, max_tokens=60)
    for c in strategy.chunk_code_item(item=item, doc=doc):
        yield {'text': c.text, 'start_line': c.meta.start_line, 'end_line': c.meta.end_line, 'doc': 'tower.py'}


def unstructured_by_title():
    from unstructured.chunking.title import chunk_by_title
    from unstructured.documents.elements import NarrativeText, Title
    elements = []
    for block in read('fees.md').split('\n\n'):
        kind = Title if block.startswith('#') else NarrativeText
        elements.append(kind(block.strip().lstrip('# ')))
    for i, c in enumerate(chunk_by_title(elements, max_characters=100)):
        yield {'type': 'CompositeElement', 'element_id': str(i), 'text': c.text, 'metadata': {'filename': 'fees.md'}}


def every_node():
    """The rule of claude-context: listed kinds of nodes, a class and then each of its methods again."""
    import ast
    text = read('tower.py')
    lines = text.split('\n')
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            yield {'text': '\n'.join(lines[node.lineno - 1:node.end_lineno]), 'doc': 'tower.py', 'start_line': node.lineno, 'end_line': node.end_lineno}


def trimmed_lines():
    """The rule of eino-ext: blank lines deleted, each line trimmed, all pieces of one id."""
    text = '\n'.join(line.strip() for line in read('ferry.md').split('\n') if line.strip())
    for part in re.split(r'\n(?=#+ )', text):
        yield {'id': 'ferry', 'text': part, 'doc': 'ferry.md'}


def short_dropped():
    """The rule of Spring AI: chunks of at most five characters are dropped."""
    for part in re.split(r'(?<=[.?!\n])', read('fees.md')):
        if len(part.strip()) > 5:
            yield {'text': part.strip(), 'doc': 'fees.md'}


CHUNKERS = [langchain_headers, langchain_experimental, langchain_recursive, llamaindex_markdown, chonkie_table, astchunk_python,
            semchunk_chinese, docling_table, docling_code, unstructured_by_title, every_node, trimmed_lines, short_dropped]


def main():
    out, wanted = sys.argv[1], sys.argv[2:]
    for make in CHUNKERS:
        if wanted and make.__name__ not in wanted:
            continue
        try:
            records = list(make())
        except Exception as e:
            print(f'{make.__name__}: {type(e).__name__}: {e}', file=sys.stderr)
            continue
        with open(os.path.join(out, make.__name__ + '.jsonl'), 'w', encoding='utf-8') as f:
            for r in records:
                if 'id_' in r:
                    r['id_'] = str(records.index(r))  # not a new one each run
                f.write(json.dumps(r, ensure_ascii=False) + '\n')
        print(f'{make.__name__}: {len(records)} chunks')


if __name__ == '__main__':
    main()
