#include "syntax.h"
#include <setjmp.h>
#include <stdlib.h>

// The worker that parses on this thread, NULL where somebody else uses tree-sitter.
// What it allocates is counted, and not what it frees: where a grammar is lost in a
// bad input, tree-sitter follows thousands of readings at once and takes a gigabyte
// for a megabyte of source, in less time than an honest large file needs.
static _Thread_local cantle_worker *current;

// Where the worker goes on when there is no memory: tree-sitter does not look at
// what its allocator returns. The parser and the tree are lost then, for nobody
// knows in what state they are. To keep a list of what they hold would need a
// header before each piece, and other users of tree-sitter hand pieces to free.
static _Thread_local jmp_buf exhausted;

static void count(size_t size) {
	if (current && (current->allocated += size) > current->budget) current->stop = 1;
}

static void *checked(void *memory, size_t size) {
	if (!memory && size > 0) {
		if (current) longjmp(exhausted, 1);
		abort(); // as tree-sitter does by itself
	}
	return memory;
}

static void *counted_malloc(size_t size) {
	count(size);
	return checked(malloc(size), size);
}

static void *counted_calloc(size_t number, size_t size) {
	count(number * size);
	return checked(calloc(number, size), number * size);
}

static void *counted_realloc(void *memory, size_t size) {
	count(size);
	return checked(realloc(memory, size), size);
}

// Scanners that grammars bring along look for the end of something without
// asking whether the source goes on, and then run for ever: no deadline is
// looked at while they do. Behind the end a scanner reads zeros; one that has
// read a million of them in a parse is given every ASCII character in turn, so
// that it finds what it looks for.
enum { MAX_ZEROS = 1 << 20 };
static _Thread_local uint32_t zeros;
static void (*lexer_advance)(TSLexer *, bool);

static void advance(TSLexer *lexer, bool skip) {
	lexer_advance(lexer, skip);
	if ((lexer->lookahead == 0 || zeros > MAX_ZEROS) && lexer->eof(lexer) && ++zeros > MAX_ZEROS)
		lexer->lookahead = 1 + zeros % 127;
}

// lexer_of returns the lexer of a parser. The runtime has no function for it: its
// parser begins with its lexer. TestScannerEnds of package code would hang if it did not.
static TSLexer *lexer_of(TSParser *parser) { return (TSLexer *)parser; }

// cantle_init is called once, before any other function.
void cantle_init(void) {
	TSParser *parser = ts_parser_new();
	lexer_advance = lexer_of(parser)->advance; // the same in all parsers
	ts_parser_delete(parser);
	ts_set_allocator(counted_malloc, counted_calloc, counted_realloc, free);
}

// A step on the way from the root to the current node.
typedef struct {
	uint32_t index; // of its node
	bool forced;    // entered because of its symbol or its field
} step;

static bool add(cantle_worker *w, cantle_node n) {
	if (w->length == w->capacity) {
		uint32_t capacity = w->capacity ? w->capacity * 2 : 4096;
		cantle_node *nodes = realloc(w->nodes, (size_t)capacity * sizeof *nodes);
		if (!nodes) return false;
		w->nodes = nodes;
		w->capacity = capacity;
	}
	w->nodes[w->length++] = n;
	return true;
}

// walk lists the named nodes of the tree in source order. It does not recurse.
static bool walk(cantle_worker *w, const TSTree *tree, const cantle_prune *prune) {
	step *path = malloc(((size_t)prune->max_depth + 1) * sizeof *path);
	if (!path) return false;
	TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
	uint32_t depth = 0;
	bool ok = true;
	for (;;) {
		TSNode node = ts_tree_cursor_current_node(&cursor);
		bool entered = false;
		if (ts_node_is_named(node)) {
			cantle_node n = {
				.start = ts_node_start_byte(node),
				.end = ts_node_end_byte(node),
				.symbol = ts_node_symbol(node),
				.field = ts_tree_cursor_current_field_id(&cursor),
			};
			if (ts_node_has_error(node)) n.flags |= FLAG_BROKEN;
			if (ts_node_is_missing(node)) n.flags |= FLAG_MISSING;
			bool error = ts_node_is_error(node);
			if (error) n.flags |= FLAG_ERROR | FLAG_BROKEN;
			bool forced = error || n.symbol < prune->symbol_count && prune->symbols[n.symbol];
			if (!forced && depth > 0 && path[depth - 1].forced && n.field < prune->field_count)
				forced = prune->fields[n.field];
			path[depth] = (step){w->length, forced};
			if (!add(w, n)) {
				ok = false;
				break;
			}
			if ((forced || n.end - n.start >= prune->min_size || depth == 0) && depth < prune->max_depth)
				entered = ts_tree_cursor_goto_first_child(&cursor);
			if (entered) {
				depth++;
				continue;
			}
			w->nodes[w->length - 1].next = w->length;
		} else if (ts_node_is_missing(node) && depth > 0) {
			w->nodes[path[depth - 1].index].flags |= FLAG_MISSING;
		}
		while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
			if (depth == 0) goto done;
			ts_tree_cursor_goto_parent(&cursor);
			depth--;
			w->nodes[path[depth].index].next = w->length;
		}
		if (depth == 0) break;
	}
done:
	ts_tree_cursor_delete(&cursor);
	free(path);
	return ok;
}

// parse is cantle_parse where there is memory.
static int parse(cantle_worker *w, const TSLanguage *language, const char *src, uint32_t length,
	uint64_t timeout_micros, const cantle_prune *prune) {
	if (!w->parser) {
		w->parser = ts_parser_new();
		lexer_of(w->parser)->advance = advance;
	}
	if (!ts_parser_set_language(w->parser, language)) return PARSE_LANGUAGE;
	ts_parser_set_timeout_micros(w->parser, timeout_micros);
	ts_parser_set_cancellation_flag(w->parser, &w->stop);
	TSTree *tree = ts_parser_parse_string(w->parser, NULL, src, length);
	if (!tree) {
		// A parser that was stopped would go on with the old text.
		ts_parser_delete(w->parser);
		w->parser = NULL;
		return w->stop ? PARSE_BUDGET : PARSE_TIMEOUT;
	}
	bool ok = walk(w, tree, prune);
	ts_tree_delete(tree);
	return ok ? PARSE_OK : PARSE_MEMORY;
}

int cantle_parse(cantle_worker *w, const TSLanguage *language, const char *src, uint32_t length,
	uint64_t timeout_micros, size_t budget, const uint8_t *symbols, uint32_t symbol_count,
	const uint8_t *fields, uint32_t field_count, uint32_t min_size, uint32_t max_depth) {
	cantle_prune prune = {symbols, fields, symbol_count, field_count, min_size, max_depth};
	w->length = 0;
	w->allocated = w->stop = 0;
	w->budget = budget;
	zeros = 0;
	current = w;
	int rc = PARSE_MEMORY;
	if (setjmp(exhausted))
		w->parser = NULL;
	else
		rc = parse(w, language, src, length, timeout_micros, &prune);
	current = NULL;
	return rc;
}

void cantle_free(cantle_worker *w) {
	current = w;
	if (w->parser && !setjmp(exhausted)) ts_parser_delete(w->parser);
	current = NULL;
	free(w->nodes);
	free(w);
}
