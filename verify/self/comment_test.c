/* SPDX-License-Identifier: MIT */
/*
 * comment_test.c - what of a source's comments becomes an INI text, line by line
 */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/status.h"
#include "subject/comment.h"
#include "verify/self/tap.h"

#define PROTO "proto = void f(void d[n], size_t n)"

static const struct {
    const char *name, *text, *ini, *any; /* NULL: none */
} rows[] = {
    { "no comment",                  "f:\tret\n",                                      NULL,                      NULL },
    { "another word",                "// fencepost is a tool\n",                       NULL,                      NULL },
    { "a head with more text",       "// fencepost: see below\n// op = set\n",         NULL,                      NULL },
    { "a head in code",              "fencepost: ret\nfencepost:\n",                   NULL,                      NULL },
    { "line comments",               "; fencepost:\n;  " PROTO "\nf: ret\n",           "[f]\n" PROTO "\n\n",
     NULL                                                                                                              },
    { "its name is not in the code", "// fencepost:\n// " PROTO "\ng: ret\n",
     "[f]\n" PROTO "\n\n",                                                                                        "f"  },
    { "its name is part of a word",  "// fencepost:\n// " PROTO "\nf1: ret\n",
     "[f]\n" PROTO "\n\n",                                                                                        "f"  },
    { "a block comment",             "/* f\n * fencepost:\n *\t" PROTO "\n */\n",
     "\n[f]\n" PROTO "\n\n",                                                                                      "f"  },
    { "a block on one line",         "/* fencepost: [g] */\n/* op = set */\n",         "[g]\n\n",
     NULL                                                                                                              },
    { "code between",                "// fencepost: [g]\n// a = b\n\n// op = set\n",
     "[g]\na = b\n\n\n",                                                                                          NULL },
    { "another kind of comment",     "// fencepost: [g]\n; op = set\n",                "[g]\n\n",                 NULL },
    { "prose behind an empty line",  "# fencepost: [g]\n# op = set\n#\n# and so on\n",
     "[g]\nop = set\n\n\n",                                                                                       NULL },
    { "keys behind an empty line",   "# fencepost: [g]\n#\n# op: set\n# [h]\n",
     "[g]\n\nop: set\n[h]\n",                                                                                     NULL },
    { "prose among keys",            "# fencepost: [g]\n# and so on\n",                "[g]\nand so on\n",        NULL },
    { "a directive ends it",         "# fencepost: [g]\n#include \"op = set\"\n",      "[g]\n\n",
     NULL                                                                                                              },
    { "no prototype",                "// fencepost:\n// op = set\n",                   "[fencepost]\nop = set\n", NULL },
    { "behind code",                 "ret /* a\nfencepost: [g]\nop = set */\n",        "\n[g]\nop = set\n",
     NULL                                                                                                              },
};

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static void test_rows(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_comment got =
            fnp_comment_read(&arena, rows[i].text, strlen(rows[i].text));

        tap_ok(same(got.ini, rows[i].ini) && same(got.any, rows[i].any) &&
                   (!got.ini || got.len == strlen(got.ini)),
               "%s", rows[i].name);
        if (!same(got.ini, rows[i].ini) || !same(got.any, rows[i].any)) {
            printf("# %s (%s)\n", got.ini ? got.ini : "none",
                   got.any ? got.any : "none");
        }
        fnp_arena_release(&arena);
    }
}

/* Pieces of comments in any order: as many lines come out as went in, none too many. */
static void test_any_text(void)
{
    static const char *const pieces[] = { "fencepost:", "/*",  "*/", "//", "#", ";",
                                          "\n",         "\n",  " *", " ",  "[", "]",
                                          PROTO,        "op=", "\r", "\0", "(", "!" };
    unsigned wrong = 0, some = 0;

    for (uint64_t seed = 0; seed < 20000; seed++) {
        struct fnp_arena arena = { 0 };
        struct fnp_rng rng = { seed };
        char *text = malloc(2000); /* apart, so that a sanitizer sees its end */
        size_t len = 0, lines = 0, out = 0;

        for (uint64_t k = fnp_rng_below(&rng, 30); k > 0; k--) {
            const char *piece = pieces[fnp_rng_below(&rng, FNP_ARRAY_LEN(pieces))];

            memcpy(text + len, piece, strlen(piece));
            len += strlen(piece);
            lines += *piece == '\n';
        }
        text = realloc(text, len + !len);
        struct fnp_comment got = fnp_comment_read(&arena, text, len);

        for (size_t i = 0; got.ini && i < got.len; i++) {
            out += got.ini[i] == '\n';
        }
        lines += len && text[len - 1] != '\n';
        some += got.ini != NULL;
        wrong += got.ini && out != lines;
        free(text);
        fnp_arena_release(&arena);
    }
    tap_ok(!wrong && some > 200, "any text keeps its lines (%u of %u with a contract)",
           wrong, some);
}

int main(void)
{
    test_rows();
    test_any_text();
    return tap_done();
}
