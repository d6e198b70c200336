// What this package uses of tree-sitter's interface (ABI 14, runtime 0.22),
// and its own. The definitions are linked in by smacker/go-tree-sitter.
#ifndef CANTLE_SYNTAX_H
#define CANTLE_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct TSLanguage TSLanguage;
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct TSLexer TSLexer;
struct TSLexer { // what scanners are given; its layout is part of the ABI
	int32_t lookahead;
	uint16_t result_symbol;
	void (*advance)(TSLexer *, bool);
	void (*mark_end)(TSLexer *);
	uint32_t (*get_column)(TSLexer *);
	bool (*is_at_included_range_start)(const TSLexer *);
	bool (*eof)(const TSLexer *);
};
typedef struct {
	uint32_t context[4];
	const void *id;
	const TSTree *tree;
} TSNode;
typedef struct {
	const void *tree;
	const void *id;
	uint32_t context[3];
} TSTreeCursor;

TSParser *ts_parser_new(void);
void ts_parser_delete(TSParser *);
bool ts_parser_set_language(TSParser *, const TSLanguage *);
void ts_parser_set_timeout_micros(TSParser *, uint64_t);
void ts_parser_set_cancellation_flag(TSParser *, const size_t *);
void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));
TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
void ts_tree_delete(TSTree *);
TSNode ts_tree_root_node(const TSTree *);
uint16_t ts_node_symbol(TSNode);
uint32_t ts_node_start_byte(TSNode);
uint32_t ts_node_end_byte(TSNode);
bool ts_node_is_named(TSNode);
bool ts_node_is_missing(TSNode);
bool ts_node_is_error(TSNode);
bool ts_node_has_error(TSNode);
TSTreeCursor ts_tree_cursor_new(TSNode);
void ts_tree_cursor_delete(TSTreeCursor *);
bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
bool ts_tree_cursor_goto_parent(TSTreeCursor *);
TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
uint32_t ts_language_version(const TSLanguage *);
uint32_t ts_language_symbol_count(const TSLanguage *);
const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
uint32_t ts_language_field_count(const TSLanguage *);
const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);

enum { FLAG_ERROR = 1, FLAG_MISSING = 2, FLAG_BROKEN = 4 };

// A node of the flattened tree; mirrors Node in syntax.go.
typedef struct {
	uint32_t start, end; // bytes
	uint32_t next;       // index of the node after this one's last descendant
	uint16_t symbol;
	uint16_t field; // of the parent; 0 none
	uint32_t flags;
} cantle_node;

typedef struct {
	TSParser *parser;
	cantle_node *nodes;
	uint32_t length, capacity;
	size_t allocated, budget; // bytes: what the parse asked for so far, and may
	size_t stop;              // not 0: the parser stops soon
} cantle_worker;

// Which nodes are entered, see Prune in syntax.go.
typedef struct {
	const uint8_t *symbols;
	const uint8_t *fields;
	uint32_t symbol_count, field_count;
	uint32_t min_size, max_depth;
} cantle_prune;

enum { PARSE_OK, PARSE_TIMEOUT, PARSE_BUDGET, PARSE_MEMORY, PARSE_LANGUAGE };

int cantle_parse(cantle_worker *, const TSLanguage *, const char *src, uint32_t length,
	uint64_t timeout_micros, size_t budget, const uint8_t *symbols, uint32_t symbol_count,
	const uint8_t *fields, uint32_t field_count, uint32_t min_size, uint32_t max_depth);
void cantle_init(void);
void cantle_free(cantle_worker *);

#endif
