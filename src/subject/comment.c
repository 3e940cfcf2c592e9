/* SPDX-License-Identifier: MIT */
/*
 * comment.c - finds the contracts in a source's comments and leaves the rest out
 *
 * What the keys mean, and whether they are keys at all, is said by the reader of
 * contract files, to which the lines are handed as they stand.
 */
#include "subject/comment.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "subject/draft.h"

#define HEAD "fencepost:"

/* A stretch of the source. */
struct span {
    const char *at;
    size_t len;
};

enum place {
    OUTSIDE, /* of any contract */
    INSIDE,
    PAUSED, /* behind an empty line: keys go on, other text is prose */
};

struct scan {
    struct fnp_arena *arena;
    struct span
        *lines;      /* of the INI text, one for each of the source; empty ones too */
    bool in_comment; /* between slash-star and star-slash */
    char leader;     /* what the line's comment begins with; 0: it is code */
    bool fresh;      /* the comment begins on this line */
    enum place place;
    bool is_empty;        /* the section has no key yet */
    struct span *unnamed; /* a section's line whose name is still to come; NULL: none */
    const char *name;     /* that was given to such a line last; NULL: none */
    size_t n_sections;
};

static struct span trim(struct span s)
{
    while (s.len && isspace((unsigned char)*s.at)) {
        s.at++;
        s.len--;
    }
    while (s.len && isspace((unsigned char)s.at[s.len - 1])) {
        s.len--;
    }
    return s;
}

static struct span skip(struct span s, size_t n)
{
    return (struct span){ s.at + n, s.len - n };
}

static bool begins(struct span s, const char *text)
{
    size_t len = strlen(text);

    return s.len >= len && !memcmp(s.at, text, len);
}

/* "#include" and the like, which are code although '#' begins comments elsewhere. */
static bool is_directive(struct span s)
{
    static const char *const words[] = { "include", "define", "undef",  "if",
                                         "el",      "endif",  "pragma", "error",
                                         "warning", "line",   "!" };
    struct span word = trim(skip(s, 1));

    for (size_t i = 0; i < FNP_ARRAY_LEN(words); i++) {
        if (begins(word, words[i])) {
            return true;
        }
    }
    return false;
}

/* Up to the end of a comment, which may be on a later line. */
static struct span inside_comment(struct scan *s, struct span text)
{
    const char *end = memmem(text.at, text.len, "*/", 2);

    s->in_comment = !end;
    s->leader = '*';
    if (end) {
        text.len = (size_t)(end - text.at);
    }
    text = trim(text);
    while (begins(text, "*")) {
        text = skip(text, 1);
    }
    return trim(text);
}

/* The comment's text on this line; sets `leader`. */
static struct span comment_text(struct scan *s, struct span line)
{
    char before = s->leader;
    struct span text = trim(line);
    const char *start;

    s->fresh = false;
    if (s->in_comment) {
        return inside_comment(s, text);
    }
    if (begins(text, "/*")) {
        s->fresh = true;
        return inside_comment(s, skip(text, 2));
    }
    s->leader = 0;
    if (begins(text, "//") || (text.len && strchr(";#!", *text.at))) {
        s->leader = *text.at;
    }
    if (s->leader == '#' && is_directive(text)) {
        s->leader = 0;
    }
    start = s->leader ? NULL : memmem(text.at, text.len, "/*", 2);
    s->in_comment =
        start && !memmem(start, text.len - (size_t)(start - text.at), "*/", 2);
    s->fresh = s->leader != before;
    while (s->leader && text.len && *text.at == s->leader) {
        text = skip(text, 1);
    }
    return trim(text);
}

/* ---- what a comment line says */

static bool is_name(struct span s)
{
    return s.len > 2 && *s.at == '[' && s.at[s.len - 1] == ']';
}

static bool is_head(struct span s, struct span *name)
{
    *name = begins(s, HEAD) ? trim(skip(s, strlen(HEAD))) : s;
    return begins(s, HEAD) && (!name->len || is_name(*name));
}

static bool is_key(struct fnp_arena *arena, struct span s)
{
    size_t len = 0;
    struct span key;

    while (len < s.len && s.at[len] != '=' && s.at[len] != ':') {
        len++;
    }
    key = trim((struct span){ s.at, len });
    return len < s.len &&
           fnp_contract_key_find(fnp_arena_text(arena, key.at, key.len)) !=
               FNP_N_CONTRACT_KEYS;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* The function's name in "proto = TYPE NAME(...)". */
static const char *name_of_proto(struct fnp_arena *arena, struct span s)
{
    const char *paren = memchr(s.at, '(', s.len);
    const char *end = paren ? paren : s.at;
    const char *start;

    while (end > s.at && isspace((unsigned char)end[-1])) {
        end--;
    }
    start = end;
    while (start > s.at && is_word(start[-1])) {
        start--;
    }
    return begins(s, "proto") && start < end
               ? fnp_arena_text(arena, start, (size_t)(end - start))
               : NULL;
}

/* ---- the INI text */

static struct span section_line(struct fnp_arena *arena, const char *name)
{
    const char *text = fnp_arena_printf(arena, "[%s]", name);

    return (struct span){ text, strlen(text) };
}

static void open_section(struct scan *s, struct span name, struct span *line)
{
    /* A head with a section's name behind it is one, not two. */
    if (s->unnamed && s->is_empty) {
        *s->unnamed = (struct span){ NULL, 0 };
        s->n_sections--;
    }
    s->place = INSIDE;
    s->n_sections++;
    s->is_empty = true;
    s->unnamed = name.len ? NULL : line;
    *line = name.len ? name : section_line(s->arena, "fencepost");
}

/* One line of a comment; *line is what becomes of it, empty so far. */
static void read_comment(struct scan *s, struct span text, struct span *line)
{
    struct span name;

    if (s->fresh) {
        s->place = OUTSIDE;
    }
    if (is_head(text, &name)) {
        open_section(s, name, line);
        return;
    }
    if (s->place == OUTSIDE) {
        return;
    }
    if (!text.len) {
        s->place = PAUSED;
        return;
    }
    if (is_name(text)) {
        open_section(s, text, line);
        return;
    }
    if (s->place == PAUSED && !is_key(s->arena, text)) {
        return;
    }
    s->place = INSIDE;
    s->is_empty = false;
    *line = text;
    if (s->unnamed && name_of_proto(s->arena, text)) {
        s->name = name_of_proto(s->arena, text);
        *s->unnamed = section_line(s->arena, s->name);
        s->unnamed = NULL;
    }
}

/* Is this one of the text's words? */
static bool has_word(const char *text, size_t len, const char *word)
{
    size_t word_len = strlen(word);
    const char *at = text;

    while ((at = memmem(at, len - (size_t)(at - text), word, word_len))) {
        const char *end = at + word_len;

        if ((at == text || !is_word(at[-1])) && (end == text + len || !is_word(*end))) {
            return true;
        }
        at = end;
    }
    return false;
}

static char *join(struct fnp_arena *arena, const struct span *lines, size_t count,
                  size_t *len)
{
    char *text, *at;

    *len = 0;
    for (size_t i = 0; i < count; i++) {
        *len += lines[i].len + 1;
    }
    text = at = fnp_arena_alloc(arena, *len + 1);
    for (size_t i = 0; i < count; i++) {
        if (lines[i].len) {
            memcpy(at, lines[i].at, lines[i].len);
        }
        at += lines[i].len;
        *at++ = '\n';
    }
    return text;
}

static size_t count_lines(const char *text, size_t len)
{
    size_t count = 1;

    for (size_t i = 0; i < len; i++) {
        count += text[i] == '\n';
    }
    return count;
}

struct fnp_comment fnp_comment_read(struct fnp_arena *arena, const char *text,
                                    size_t len)
{
    struct fnp_comment out = { 0 };
    struct scan s = { .arena = arena };
    char *code = fnp_arena_alloc(arena, len + 1); /* the source without its comments */
    size_t count = 0, code_len = 0;

    if (!memmem(text, len, HEAD, strlen(HEAD))) {
        return out;
    }
    s.lines = fnp_arena_array(arena, count_lines(text, len), sizeof(*s.lines));
    for (const char *at = text; at < text + len; count++) {
        size_t left = len - (size_t)(at - text);
        const char *newline = memchr(at, '\n', left);
        struct span line = { at, newline ? (size_t)(newline - at) : left };
        struct span comment = comment_text(&s, line);

        at = newline ? newline + 1 : text + len;
        if (s.leader) {
            read_comment(&s, comment, &s.lines[count]);
            continue;
        }
        s.place = OUTSIDE;
        memcpy(code + code_len, line.at, line.len);
        code_len += line.len;
        code[code_len++] = '\n';
    }
    if (!s.n_sections) {
        return out;
    }
    out.ini = join(arena, s.lines, count, &out.len);
    out.any = s.n_sections == 1 && s.name && !has_word(code, code_len, s.name) ? s.name
                                                                               : NULL;
    return out;
}
