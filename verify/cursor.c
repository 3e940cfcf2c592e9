/* SPDX-License-Identifier: MIT */
/*
 * cursor.c - the text of a cursor: a head for the reader, a line a kernel, a sum
 *
 * Reading is strict: a line counts only when writing it again gives the same line, and
 * the sum at the end only when nothing before it was changed or lost.
 */
#include "verify/cursor.h"

#include <ctype.h>
#include <inttypes.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "subject/draft.h"
#include "x86/cpuid.h"

#define MAGIC "fencepost-cursor 1\n"
#define HEAD                                                                           \
    MAGIC "# Points of each kernel's box that were tried, from the first on, all of "  \
          "them clean.\n"                                                              \
          "# \"fencepost verify --resume\" goes on behind them; do not edit.\n"
#define SUM "sum "

enum {
    SUM_DIGITS = 32,
    LINE_MAX_LEN = 4096
};

static void hex_of(SHA256_CTX *hash, char *text, size_t digits)
{
    uint8_t digest[SHA256_DIGEST_LENGTH];
    struct fnp_str str = fnp_str_over(text, digits + 1);

    SHA256_Final(digest, hash);
    fnp_str_add_hex(&str, digest, digits / 2);
}

static void sum_of(const char *text, size_t len, char sum[SUM_DIGITS + 1])
{
    SHA256_CTX hash;

    SHA256_Init(&hash);
    SHA256_Update(&hash, (const uint8_t *)text, len);
    hex_of(&hash, sum, SUM_DIGITS);
}

static void put_line(FILE *out, const struct fnp_cursor_line *line)
{
    uint64_t thousandths = line->of ? line->tried * 1000 / line->of : 0;

    fprintf(out, "%" PRIu64 " of %" PRIu64 "  %" PRIu64 ".%" PRIu64 "%%  %s  %s\n",
            line->tried, line->of, thousandths / 10, thousandths % 10, line->kernel,
            line->id);
}

static FILE *text_file(char **text, size_t *len)
{
    FILE *out = open_memstream(text, len);

    if (!out)
        fnp_die("out of memory");
    return out;
}

char *fnp_cursor_text(const struct fnp_cursor *cursor, size_t *len)
{
    char sum[SUM_DIGITS + 1];
    char *text = NULL;
    FILE *out = text_file(&text, len);

    fputs(HEAD, out);
    for (size_t i = 0; i < cursor->count; i++)
        put_line(out, &cursor->lines[i]);
    if (fflush(out) != 0)
        fnp_die("out of memory");
    sum_of(text, *len, sum);
    fprintf(out, SUM "%s\n", sum);
    if (fclose(out) != 0)
        fnp_die("out of memory");
    return text;
}

static struct fnp_cursor_line *add_line(struct fnp_cursor *cursor)
{
    if (cursor->count == cursor->room) {
        size_t room = cursor->room ? 2 * cursor->room : 16;
        struct fnp_cursor_line *lines =
            fnp_arena_array(cursor->arena, room, sizeof(*lines));

        if (cursor->count)
            memcpy(lines, cursor->lines, cursor->count * sizeof(*lines));
        cursor->lines = lines;
        cursor->room = room;
    }
    return &cursor->lines[cursor->count++];
}

/* Digits at *at, moved behind them; false when there are none or too many. */
static bool read_count(const char **at, const char *end, uint64_t *count)
{
    const char *start = *at;

    *count = 0;
    for (; *at < end && **at >= '0' && **at <= '9' && *at - start < 15; ++*at)
        *count = *count * 10 + (uint64_t)(**at - '0');
    return *at > start;
}

static bool skip(const char **at, const char *end, const char *word)
{
    size_t len = strlen(word);

    if ((size_t)(end - *at) < len || memcmp(*at, word, len) != 0)
        return false;
    *at += len;
    return true;
}

/* Is this how the line would be written? */
static bool is_written_so(const struct fnp_cursor_line *line, const char *text,
                          size_t len)
{
    char *again = NULL;
    size_t again_len = 0;
    FILE *out = text_file(&again, &again_len);

    put_line(out, line);
    if (fclose(out) != 0)
        fnp_die("out of memory");
    bool same = again_len == len && memcmp(again, text, len) == 0;

    free(again);
    return same;
}

/* "TRIED of OF  N.N%  KERNEL  ID" and its newline. */
static bool read_line(struct fnp_arena *arena, const char *text, size_t len,
                      struct fnp_cursor_line *line)
{
    const char *at = text, *end = text + len - 1;
    const char *percent = memchr(text, '%', len);
    const size_t behind = 2 + FNP_CURSOR_ID;

    if (len > LINE_MAX_LEN || !read_count(&at, end, &line->tried) ||
        !skip(&at, end, " of ") || !read_count(&at, end, &line->of) || !percent)
        return false;
    at = percent + 1;
    if (!skip(&at, end, "  ") || (size_t)(end - at) <= behind)
        return false;
    line->kernel = fnp_arena_text(arena, at, (size_t)(end - at) - behind);
    memcpy(line->id, end - FNP_CURSOR_ID, FNP_CURSOR_ID);
    line->id[FNP_CURSOR_ID] = '\0';
    return line->tried <= line->of && is_written_so(line, text, len);
}

static bool is_doubled(const struct fnp_cursor *cursor,
                       const struct fnp_cursor_line *line)
{
    for (size_t i = 0; i < cursor->count; i++) {
        if (!strcmp(cursor->lines[i].kernel, line->kernel) &&
            !strcmp(cursor->lines[i].id, line->id))
            return true;
    }
    return false;
}

/* Where the last line begins when it is the right sum of all before, else NULL. */
static const char *find_sum(const char *text, size_t len)
{
    const size_t sum_len = strlen(SUM) + SUM_DIGITS + 1;
    const char *at = text + len - sum_len;
    char sum[SUM_DIGITS + 1];

    if (len < sum_len || memcmp(at, SUM, strlen(SUM)) != 0 || text[len - 1] != '\n')
        return NULL;
    sum_of(text, (size_t)(at - text), sum);
    return memcmp(at + strlen(SUM), sum, SUM_DIGITS) == 0 ? at : NULL;
}

enum fnp_status fnp_cursor_parse(struct fnp_arena *arena, const char *path,
                                 const char *text, size_t len, struct fnp_cursor *out,
                                 struct fnp_err *err)
{
    const char *at = text, *end = NULL;

    *out = (struct fnp_cursor){ .arena = arena };
    if (len == 0)
        return FNP_OK;
    if (!skip(&at, text + len, MAGIC))
        return fnp_err_set(err, FNP_INPUT, "%s is no cursor file of this fencepost",
                           path);
    at = text;
    end = find_sum(text, len);
    if (!end || !skip(&at, end, HEAD))
        return fnp_err_set(err, FNP_INPUT,
                           "%s is damaged: its sum does not fit its lines", path);
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        struct fnp_cursor_line line = { .taken = false };

        if (!newline || !read_line(arena, at, (size_t)(newline + 1 - at), &line) ||
            is_doubled(out, &line))
            return fnp_err_set(err, FNP_INPUT, "%s is damaged: \"%.*s\"", path,
                               (int)(newline ? newline - at : end - at), at);
        *add_line(out) = line;
        at = newline + 1;
    }
    return FNP_OK;
}

static void hash_text(SHA256_CTX *hash, const char *text)
{
    /* With its NUL, so that texts do not run into each other. */
    SHA256_Update(hash, (const uint8_t *)text, strlen(text) + 1);
}

void fnp_cursor_identify(struct fnp_arena *arena, const struct fnp_kernel *kernel,
                         const struct fnp_cursor_terms *terms,
                         char id[FNP_CURSOR_ID + 1])
{
    const struct fnp_cpu *cpu = fnp_cpu();
    SHA256_CTX hash;

    SHA256_Init(&hash);
    hash_text(&hash, kernel->name);
    hash_text(&hash, kernel->image.code);
    hash_text(&hash, kernel->has_ref ? kernel->ref.code : "");
    hash_text(&hash, fnp_contract_essence(arena, &kernel->contract));
    hash_text(&hash, terms->box);
    hash_text(&hash, terms->version);
    hash_text(&hash, fnp_arena_printf(arena, "%" PRIx64 " %u %u %u", terms->left_out,
                                      cpu->family, cpu->model, cpu->stepping));
    hex_of(&hash, id, FNP_CURSOR_ID);
}

/* One line must stay one line, whatever a file is called. */
static const char *printable(struct fnp_arena *arena, const char *name)
{
    char *text = fnp_arena_text(arena, name, strlen(name));

    for (char *at = text; *at; at++) {
        if (iscntrl((unsigned char)*at))
            *at = '?';
    }
    return text;
}

size_t fnp_cursor_take(struct fnp_cursor *cursor, const char *kernel,
                       const char id[FNP_CURSOR_ID + 1], uint64_t of, bool *anew)
{
    const char *name = printable(cursor->arena, kernel);
    size_t at = cursor->count;
    struct fnp_cursor_line *line = NULL;

    for (size_t i = 0; i < cursor->count; i++) {
        line = &cursor->lines[i];
        if (line->taken || strcmp(line->kernel, name) != 0)
            continue;
        at = i;
        if (!strcmp(line->id, id) && line->of == of)
            break;
    }
    *anew = at < cursor->count &&
            (strcmp(cursor->lines[at].id, id) != 0 || cursor->lines[at].of != of);
    line = at < cursor->count ? &cursor->lines[at] : add_line(cursor);
    if (*anew || !line->kernel) {
        *line = (struct fnp_cursor_line){ .kernel = name, .of = of };
        memcpy(line->id, id, FNP_CURSOR_ID + 1);
    }
    line->taken = true;
    return at;
}
