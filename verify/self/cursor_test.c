/* SPDX-License-Identifier: MIT */
/*
 * cursor_test.c - cursors as text: there and back, damaged, and whose line is whose
 */
#include <stdlib.h>
#include <string.h>

#include "verify/cursor.h"
#include "verify/self/tap.h"

#define ID_A "0123456789abcdef0123456789abcdef"
#define ID_B "0123456789abcdef0123456789abcdee"
#define ODD  "a b  %.o:f of 5  1.0%"

static const struct {
    const char *kernel, *id;
    uint64_t tried, of;
} lines[] = {
    { "builtin:memcpy_sse2",       ID_A, 0,       8912896    },
    { ODD,                         ID_B, 4521984, 8912896    },
    { "x.so:f (small thresholds)", ID_A, 1,       1ull << 40 },
    { "x",                         ID_B, 77,      77         },
};

static struct fnp_cursor made(struct fnp_arena *arena)
{
    struct fnp_cursor cursor = { .arena = arena };
    bool anew = false;

    for (size_t i = 0; i < FNP_ARRAY_LEN(lines); i++) {
        size_t at =
            fnp_cursor_take(&cursor, lines[i].kernel, lines[i].id, lines[i].of, &anew);

        cursor.lines[at].tried = lines[i].tried;
        tap_ok(at == i && !anew, "a line for %s", lines[i].kernel);
    }
    return cursor;
}

static void test_round_trip(struct fnp_arena *arena, const char *text, size_t len)
{
    struct fnp_cursor back;
    struct fnp_err err = { "" };
    bool same = fnp_cursor_parse(arena, "c", text, len, &back, &err) == FNP_OK &&
                back.count == FNP_ARRAY_LEN(lines);

    for (size_t i = 0; same && i < back.count; i++)
        same = !strcmp(back.lines[i].kernel, lines[i].kernel) &&
               !strcmp(back.lines[i].id, lines[i].id) &&
               back.lines[i].tried == lines[i].tried &&
               back.lines[i].of == lines[i].of && !back.lines[i].taken;
    tap_ok(same, "text and back%s", err.text);
    tap_ok(strstr(text, "\n4521984 of 8912896  50.7%  a b") != NULL &&
               strstr(text, "\n77 of 77  100.0%  x  ") != NULL,
           "figures to be read by people");
}

static bool is_refused(struct fnp_arena *arena, const char *text, size_t len)
{
    struct fnp_cursor back;
    struct fnp_err err = { "" };

    return fnp_cursor_parse(arena, "my.cursor", text, len, &back, &err) == FNP_INPUT &&
           !strncmp(err.text, "my.cursor is ", strlen("my.cursor is "));
}

/* Any byte changed, any tail lost. */
static void test_damage(struct fnp_arena *arena, char *text, size_t len)
{
    struct fnp_cursor back;
    size_t changed = 0, cut = 0;

    for (size_t i = 0; i < len; i++) {
        text[i] ^= 1;
        changed += !is_refused(arena, text, len);
        text[i] ^= 1;
    }
    for (size_t i = 1; i < len; i++)
        cut += !is_refused(arena, text, i);
    tap_ok(changed == 0, "%zu of %zu changed bytes are not noticed", changed, len);
    tap_ok(cut == 0, "%zu of %zu lost tails are not noticed", cut, len);
    tap_ok(is_refused(arena, "[f]\n", 4), "another file is refused");
    tap_ok(fnp_cursor_parse(arena, "c", "", 0, &back, NULL) == FNP_OK &&
               back.count == 0,
           "no bytes are no lines");
}

/* Lines that a right sum does not make right. */
static void test_lines(struct fnp_arena *arena)
{
    struct fnp_cursor cursor = { .arena = arena };
    size_t len = 0;
    bool anew = false;
    char *text = NULL;

    fnp_cursor_take(&cursor, "x", ID_A, 5, &anew);
    cursor.lines[0].tried = 6;
    text = fnp_cursor_text(&cursor, &len);
    tap_ok(is_refused(arena, text, len), "more tried than there is");
    free(text);
    cursor.lines[0].tried = 5;
    cursor.lines[0].kernel = "x\ny";
    text = fnp_cursor_text(&cursor, &len);
    tap_ok(is_refused(arena, text, len), "half a line");
    free(text);
    cursor.lines[0].kernel = "x";
    fnp_cursor_take(&cursor, "x", ID_A, 5, &anew);
    tap_ok(cursor.count == 2, "two kernels of one run share no line");
    text = fnp_cursor_text(&cursor, &len);
    tap_ok(is_refused(arena, text, len), "a line twice");
    free(text);
}

static void test_taking(struct fnp_arena *arena)
{
    static const struct {
        const char *name, *kernel, *id;
        uint64_t of;
        size_t at;
        bool anew;
    } rows[] = {
        { "the same",            "x",    ID_B, 77,      3, false },
        { "another id",          "x",    ID_A, 77,      3, true  },
        { "another count",       "x",    ID_B, 78,      3, true  },
        { "another kernel",      "y",    ID_B, 77,      4, false },
        { "a name of two lines", "x\ny", ID_B, 77,      4, false },
        { "one of several",      ODD,    ID_B, 8912896, 1, false },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_cursor cursor = made(arena);
        const struct fnp_cursor_line *line = NULL;
        bool anew = false, kept = false;

        for (size_t k = 0; k < cursor.count; k++)
            cursor.lines[k].taken = false;
        size_t at =
            fnp_cursor_take(&cursor, rows[i].kernel, rows[i].id, rows[i].of, &anew);

        line = &cursor.lines[at];
        kept = rows[i].at < FNP_ARRAY_LEN(lines) && !rows[i].anew;
        tap_ok(at == rows[i].at && anew == rows[i].anew && line->of == rows[i].of &&
                   line->tried == (kept ? lines[at].tried : 0) &&
                   !strcmp(line->id, rows[i].id) && !strchr(line->kernel, '\n'),
               "taking %s", rows[i].name);
    }
}

/* Everything that decides what a point is, and what would be seen in it. */
static void test_identity(struct fnp_arena *arena)
{
    static const char *const contracts[] = {
        "proto = void f(void dst[n], const void src[n], size_t n)\nop = copy\n",
        "proto = void f(void dst[n], const void src[n], size_t n)\nop = copy\n"
        "state = preserve\n",
    };
    static const struct {
        const char *name, *kernel, *code;
        unsigned contract;
        struct fnp_cursor_terms terms;
        bool same;
    } rows[] = {
        { "first",     "f", "sha256:1", 0, { "n=1", "1.0", 0 }, true  },
        { "kernel",    "g", "sha256:1", 0, { "n=1", "1.0", 0 }, false },
        { "code",      "f", "sha256:2", 0, { "n=1", "1.0", 0 }, false },
        { "contract",  "f", "sha256:1", 1, { "n=1", "1.0", 0 }, false },
        { "box",       "f", "sha256:1", 0, { "n=2", "1.0", 0 }, false },
        { "fencepost", "f", "sha256:1", 0, { "n=1", "1.1", 0 }, false },
        { "rules",     "f", "sha256:1", 0, { "n=1", "1.0", 4 }, false },
        { "again",     "f", "sha256:1", 0, { "n=1", "1.0", 0 }, true  },
    };
    char first[FNP_CURSOR_ID + 1] = "", id[FNP_CURSOR_ID + 1];

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_contract_file file = { 0 };
        struct fnp_kernel kernel = { .name = rows[i].kernel };
        const char *ini =
            fnp_arena_printf(arena, "[f]\n%s", contracts[rows[i].contract]);

        tap_ok(fnp_contract_parse(arena, "t.ini", ini, strlen(ini), &file, NULL) ==
                   FNP_OK,
               "a contract");
        kernel.contract = file.contracts[0];
        snprintf(kernel.image.code, sizeof(kernel.image.code), "%s", rows[i].code);
        fnp_cursor_identify(arena, &kernel, &rows[i].terms, id);
        if (i == 0)
            memcpy(first, id, sizeof(id));
        tap_ok(strlen(id) == FNP_CURSOR_ID && (strcmp(id, first) == 0) == rows[i].same,
               "%s: %s id", rows[i].name, rows[i].same ? "the same" : "another");
    }
}

int main(void)
{
    struct fnp_arena arena = { NULL };
    struct fnp_cursor cursor = made(&arena);
    size_t len = 0;
    char *text = fnp_cursor_text(&cursor, &len);

    test_round_trip(&arena, text, len);
    test_damage(&arena, text, len);
    test_lines(&arena);
    test_taking(&arena);
    test_identity(&arena);
    free(text);
    fnp_arena_release(&arena);
    return tap_done();
}
