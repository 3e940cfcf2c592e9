/* SPDX-License-Identifier: MIT */
/*
 * builtin_test.c - which built-in kernels a pattern names, and under which contract
 *
 * The table of objects is one of our own, in place of what the build embedded; nothing
 * in it was built, so the names are all that there is to test.
 */
#include <string.h>

#include "kernels/builtin.h"
#include "subject/kernel.h"
#include "verify/self/tap.h"

#define NOWHERE NULL, NULL

const struct fnp_builtin_object fnp_builtin_objects[] = {
    { "plain.S",  "",             "as",       NOWHERE },
    { "plain.S",  ".i386",        "as",       NOWHERE },
    { "differ.S", "",             "as",       NOWHERE },
    { "differ.S", ".i386",        "as",       NOWHERE },
    { "inline.c", ".gcc-O1",      "gcc",      NOWHERE },
    { "inline.c", ".gcc-O1.i386", "gcc",      NOWHERE },
    { "inline.c", ".clang-O3",    "clang-19", NOWHERE },
    { NULL,       NULL,           NULL,       NOWHERE },
};

/* Both ends are symbols of one section, which C cannot promise of two arrays. */
__asm__(
    ".section .rodata\n"
    ".globl fnp_builtin_contracts, fnp_builtin_contracts_end\n"
    "fnp_builtin_contracts:\n"
    ".ascii \"[plain]\\nobject = plain.S\\nproto = void plain(void dst[64])\\n\"\n"
    ".ascii \"op = zero\\norigin = a thread\\n\"\n"
    ".ascii \"[differ]\\nobject = differ.S\\nproto = void differ(void dst[64])\\n\"\n"
    ".ascii \"op = zero\\n[differ.i386]\\nlike = differ\\nsymbol = differ\\n\"\n"
    ".ascii \"align = dst:16\\n\"\n"
    ".ascii \"[inline]\\nobject = inline.c\\nproto = void inline(void dst[64])\\n\"\n"
    ".ascii \"op = zero\\n\"\n"
    "fnp_builtin_contracts_end:\n"
    ".byte 0\n"
    ".text\n");

static const struct {
    const char *pattern;
    const char *names; /* with a blank behind each; NULL: none, and one sentence */
    bool named;
} rows[] = {
    { "plain",                "builtin:plain ",                                                     true  },
    { "plain.i386",           "builtin:plain.i386 ",                                                true  },
    { "*.i386",               "builtin:plain.i386 builtin:differ.i386 builtin:inline.gcc-O1.i386 ",
     false                                                                                                },
    { "inline",
     "builtin:inline.gcc-O1 builtin:inline.gcc-O1.i386 builtin:inline.clang-O3 ",                   false },
    { "inline.clang-O3",      "builtin:inline.clang-O3 ",                                           true  },
    { "differ*",              "builtin:differ builtin:differ.i386 ",                                false },
    { "inline.clang-O3.i386", NULL,                                                                 false },
    { "no*",                  NULL,                                                                 false },
};

static enum fnp_status resolve(struct fnp_arena *arena, const char *pattern,
                               struct fnp_kernels *out, struct fnp_err *err)
{
    const char *const names[] = { fnp_arena_printf(arena, "builtin:%s", pattern) };
    const struct fnp_request request = { .names = names, .n_names = 1 };

    return fnp_kernels_resolve(arena, &request, out, err);
}

static void test_patterns(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_kernels got = { 0 };
        struct fnp_err err = { "" };
        enum fnp_status status = resolve(&arena, rows[i].pattern, &got, &err);
        const char *names = "";
        bool ok = rows[i].names ? !status : status == FNP_INPUT && err.text[0];

        for (size_t k = 0; k < got.count; k++) {
            names = fnp_arena_printf(&arena, "%s%s ", names, got.list[k].name);
            ok = ok && got.list[k].named == rows[i].named && !got.list[k].equal_to;
        }
        ok = ok && !strcmp(names, rows[i].names ? rows[i].names : "");
        tap_ok(ok, "%s: %s %s", rows[i].pattern, names, err.text);
        fnp_arena_release(&arena);
    }
}

static void test_contracts(void)
{
    struct fnp_arena arena = { 0 };
    struct fnp_kernels got = { 0 };
    struct fnp_err err = { "" };
    bool ok = !resolve(&arena, "differ*", &got, &err) && got.count == 2;

    tap_ok(ok && !got.list[0].contract.is32 && got.list[1].contract.is32,
           "the width follows the folder %s", err.text);
    tap_ok(ok && got.list[0].contract.bufs[0].align == 1 &&
               got.list[1].contract.bufs[0].align == 16 &&
               !strcmp(got.list[1].contract.symbol, "differ"),
           "a section of its own has the last word for i386");
    ok = !resolve(&arena, "plain.i386", &got, &err) && got.count == 1;
    tap_ok(ok && got.list[0].contract.origin &&
               !strcmp(got.list[0].contract.origin, "a thread"),
           "what is built from one source has one origin %s", err.text);
    ok = !resolve(&arena, "inline.clang-O3", &got, &err) && got.count == 1;
    tap_ok(ok && !strcmp(got.list[0].missing, "clang-19") &&
               strstr(got.list[0].skip, "clang-19"),
           "the missing compiler is named %s", err.text);
    fnp_arena_release(&arena);
}

int main(void)
{
    test_patterns();
    test_contracts();
    return tap_done();
}
