/* SPDX-License-Identifier: MIT */
/*
 * rounds_test.c - which rounds of a loop are left out of a listing
 *
 * A row is a log, one letter an instruction; what is left out stands in the expected
 * text as its number of rounds.  To add a case, add a row.
 */
#include "trace/rounds.h"

#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "base/str.h"
#include "verify/self/tap.h"

static const struct {
    const char *name, *log, *shown;
} rows[] = {
    { "nothing",                  "",                                          ""                     },
    { "no loop",                  "abcdef",                                    "abcdef"               },
    { "four rounds are shown",    "abababab",                                  "abababab"             },
    { "five: two are left out",   "ababababab",                                "abab2ab"              },
    { "with something around",    "xyababababababz",                           "xyabab3abz"           },
    { "one instruction",          "aaaaaaaa",                                  "aa5a"                 },
    { "another round ends it",    "abababababacacacacac",                      "abab2abacac2ac"       },
    { "the last, cut short",      "abcabcabcabcabcab",                         "abcabc2abcab"         },
    { "rounds of two kinds",      "abacabacabacabacabac",                      "abacabac2abac"        },
    { "never the same",           "abaabaaabaaaab",                            "abaabaaabaaaab"       },
    { "inside of another",        "xbbbbbybbbbby",                             "xbb2bybb2by"          },
    { "both",                     "habbbbbbhabbbbbbhabbbbbbhabbbbbbhabbbbbbz", "habb3bhabb3b2habb3bz" },
    { "outer rounds that differ", "hbbbbbhbbbbbbhbbbbb",                       "hbb2bhbb3bhbb2b"      },
};

int main(void)
{
    for (size_t r = 0; r < FNP_ARRAY_LEN(rows); r++) {
        struct fnp_arena arena = { NULL };
        size_t count = strlen(rows[r].log), found = 0;
        uint64_t *addr = fnp_arena_array(&arena, count, sizeof(*addr));
        char text[128];
        struct fnp_str shown = fnp_str_over(text, sizeof(text));
        const struct fnp_rounds *rounds;

        for (size_t i = 0; i < count; i++)
            addr[i] = 0x1000 + 16u * (unsigned char)rows[r].log[i];
        rounds = fnp_rounds_find(&arena, addr, count, &found);
        for (size_t i = 0, k = 0; i < count;) {
            if (k < found && rounds[k].at == i) {
                fnp_str_add(&shown, "%zu", rounds[k].rounds);
                i += rounds[k++].steps;
            } else {
                fnp_str_add(&shown, "%c", rows[r].log[i++]);
            }
        }
        tap_ok(strcmp(text, rows[r].shown) == 0, "%s", rows[r].name);
        if (strcmp(text, rows[r].shown) != 0)
            printf("# %s\n", text);
        fnp_arena_release(&arena);
    }
    return tap_done();
}
