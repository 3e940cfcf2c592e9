/* SPDX-License-Identifier: MIT */
/*
 * registry_test.c - what the words of a command line come to
 *
 * Works in a folder of its own with sources written here and built by cc.
 */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "subject/build.h"
#include "subject/kernel.h"
#include "verify/self/tap.h"

static const char kernels_s[] =
    "        .text\n"
    "#define FUNC(name) .globl name; .type name, @function; name:\n"
    "FUNC(my_memcpy)\n"
    "        mov %rdi, %rax; mov %rdx, %rcx; rep movsb; ret\n"
    "        .size my_memcpy, . - my_memcpy\n"
    "FUNC(your_memcpy)\n"
    "        mov %rdi, %rax; mov %rdx, %rcx; rep movsb; ret\n"
    "        .size your_memcpy, . - your_memcpy\n"
    "FUNC(clear_page_nt)\n"
    "        pxor %xmm0, %xmm0; movntdq %xmm0, (%rdi); sfence; ret\n"
    "        .size clear_page_nt, . - clear_page_nt\n"
    "FUNC(tick)\n"
    "        ret\n"
    "        .size tick, . - tick\n"
    "FUNC(frob)\n"
    "        .ifdef FROB\n"
    "        nop\n"
    "        .endif\n"
    "        ret\n"
    "        .size frob, . - frob\n"
    "        .section .note.GNU-stack, \"\", @progbits\n";

static const char kernels_c[] = "#include <stddef.h>\n"
                                "static void hidden_zero(char *dst, size_t n)\n"
                                "{\n"
                                "    for (size_t i = 0; i < n; i++) {\n"
                                "        ((volatile char *)dst)[i] = VALUE;\n"
                                "    }\n"
                                "}\n"
                                "int shown(void) { return 0; }\n";

static const char contracts[] = "[frob]\n"
                                "object = sub/k.o\n"
                                "proto  = void frob(void dst[n], size_t n)\n"
                                "cpu    = avx2\n"
                                "align  = 16\n"
                                "\n"
                                "[aliased]\n"
                                "object = sub/k.o\n"
                                "symbol = clear_page_nt\n"
                                "proto  = void z(void dst[4096])\n"
                                "\n"
                                "[built]\n"
                                "object = k.c\n"
                                "symbol = hidden_zero\n"
                                "cflags = -O2 -DVALUE=0\n"
                                "proto  = void hidden_zero(void dst[n], size_t n)\n"
                                "op     = ref:sub/k.o:frob\n"
                                "\n"
                                "[homeless]\n"
                                "proto  = void homeless(void dst[n], size_t n)\n";

static const char odd_contracts[] = "[*]\n"
                                    "proto  = void f(void dst[n], size_t n)\n"
                                    "\n"
                                    "[two words]\n"
                                    "object = k.o\n"
                                    "symbol = frob\n"
                                    "\n"
                                    "[quoted]\n"
                                    "object = sub/it's \"my\" k.o ; a comment\n"
                                    "symbol = frob\n"
                                    "\n"
                                    "[nowhere]\n"
                                    "symbol = frob\n"
                                    "object = no such.o\n"
                                    "\n"
                                    "[folder]\n"
                                    "object = sub\n"
                                    "\n"
                                    "[no symbol]\n"
                                    "object = k.o\n";

static const char tls_s[] = "        .globl bzero; .type bzero, @function\n"
                            "bzero:  mov x@gottpoff(%rip), %rax; ret\n"
                            "        .size bzero, . - bzero\n"
                            "        .section .tbss, \"awT\", @nobits\n"
                            "x:      .zero 4\n"
                            "        .section .note.GNU-stack, \"\", @progbits\n";

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");

    if (!file || fputs(text, file) < 0 || fclose(file) != 0) {
        fnp_die("cannot write %s", path);
    }
}

/* Compile k.S to an object that stays. */
static void make_object(const char *source, const char *path)
{
    struct fnp_arena arena = { 0 };
    struct fnp_build build = { .source = source, .cc = "cc", .cflags = "" };
    struct fnp_object object;
    struct fnp_err err = { "" };
    FILE *file;

    if (fnp_build(&arena, &build, &object, &err)) {
        fnp_die("%s", err.text);
    }
    file = fopen(path, "we");
    if (!file || fwrite(object.bytes, 1, object.len, file) != object.len ||
        fclose(file) != 0) {
        fnp_die("cannot write %s", path);
    }
    fnp_arena_release(&arena);
}

/* ---- requests and what they give */

struct row {
    const char *what;
    const char *names[4];
    const char *contracts[3];
    const char *keys[6];
    const char *as;
    const char *gives; /* "name name ...", a named one with a '!'; NULL: an error */
    const char *says;  /* in the error */
};

#define XC { "x.ini" }

static const struct row rows[] = {
    { .what = "FILE:SYMBOL, guessed",
     .names = { "k.o:my_memcpy" },
     .gives = "k.o:my_memcpy!" },
    { .what = "the same twice",
     .names = { "k.o:my_memcpy", "k.o:my*", "k.o:my_memcpy" },
     .gives = "k.o:my_memcpy!" },
    { .what = "glob of symbols",
     .names = { "k.o:*_memcpy" },
     .gives = "k.o:my_memcpy k.o:your_memcpy" },
    { .what = "glob that finds functions without contract, too",
     .names = { "k.o:*" },
     .gives = "k.o:clear_page_nt k.o:my_memcpy k.o:your_memcpy" },
    { .what = "glob and a contract for one more",
     .names = { "k.o:*[!y]" },
     .contracts = XC,
     .gives = "k.o:clear_page_nt k.o:frob" },
    { .what = "glob that finds only functions without contract",
     .names = { "k.o:[ft]*" },
     .says = "k.o: none of 2 matching functions (frob ...) has a contract or a "
              "telling name; name one as k.o:frob" },
    { .what = "glob of a prototype for all",
     .names = { "k.o:[ft]*" },
     .keys = { "proto", "void f(void d[n], size_t n)" },
     .gives = "k.o:frob k.o:tick" },
    { .what = "glob and --as",
     .names = { "k.o:[ft]*" },
     .as = "bzero",
     .gives = "k.o:frob k.o:tick" },
    { .what = "glob of a function that cannot be loaded",
     .names = { "tls.S:*" },
     .says = "thread-local" },
    { .what = "glob that finds nothing",
     .names = { "k.o:x*" },
     .says = "k.o: no function matches \"x*\"" },
    { .what = "a whole file",
     .names = { "k.o" },
     .gives = "k.o:clear_page_nt k.o:my_memcpy k.o:your_memcpy" },
    { .what = "a whole file with a contract",
     .names = { "k.o" },
     .contracts = XC,
     .gives = "k.o:clear_page_nt k.o:frob k.o:my_memcpy k.o:your_memcpy" },
    { .what = "source, built",
     .names = { "k.S:my_memcpy" },
     .gives = "k.S:my_memcpy!" },
    { .what = "unknown symbol",
     .names = { "k.o:my_memcyp" },
     .says = "k.o: no function \"my_memcyp\"; nearest is \"my_memcpy\"" },
    { .what = "unknown symbol with a telling name",
     .names = { "k.o:mi_memcpy" },
     .says = "nearest is \"my_memcpy\"" },
    { .what = "no contract",
     .names = { "k.o:frob" },
     .says = "k.o:frob: no contract, and no well-known word" },
    { .what = "--as", .names = { "k.o:frob" }, .as = "memset", .gives = "k.o:frob!" },
    { .what = "--as nonsense",
     .names = { "k.o:frob" },
     .as = "memste",
     .says = "--as: no well-known word in \"memste\"; nearest is \"memset\"" },
    { .what = "--proto",
     .names = { "k.o:frob" },
     .keys = { "proto", "void frob(void d[n], size_t n)" },
     .gives = "k.o:frob!" },
    { .what = "--proto nonsense",
     .names = { "k.o:frob" },
     .keys = { "proto", "void frob(void d[n])" },
     .says = "--proto: proto: an extent uses" },
    { .what = "unknown key",
     .names = { "k.o:my_memcpy" },
     .keys = { "algin", "4" },
     .says = "--algin: unknown key \"algin\"; nearest is \"align\"" },
    { .what = "a key twice",
     .names = { "k.o:my_memcpy" },
     .keys = { "align", "4", "align", "8" },
     .says = "--align is given twice" },
    { .what = "another key twice, once between others",
     .names = { "frob" },
     .contracts = XC,
     .keys = { "sizes", "4", "align", "8", "sizes", "4" },
     .says = "--sizes is given twice" },
    { .what = "i386",
     .names = { "k.o:my_memcpy" },
     .keys = { "abi", "i386" },
     .says =
          "k.o:my_memcpy: abi = i386 is for 32-bit code, and k.o is a 64-bit object" },
    { .what = "an address",
     .names = { "k.o@0x0" },
     .keys = { "proto", "void f(void d[n], size_t n)" },
     .gives = "k.o@0x0!" },
    { .what = "an address without contract",
     .names = { "k.o@0x0" },
     .says = "no contract" },
    { .what = "a section", .names = { "frob" }, .contracts = XC, .gives = "frob!" },
    { .what = "a section by glob",
     .names = { "fr*" },
     .contracts = XC,
     .gives = "frob" },
    { .what = "first of two files with one name",
     .names = { "frob" },
     .contracts = { "x.ini", "sub/y.ini" },
     .gives = "frob!" },
    { .what = "unknown section",
     .names = { "frbo" },
     .contracts = XC,
     .says = "no section \"frbo\" in x.ini; nearest is \"frob\"" },
    { .what = "unknown section, nothing near",
     .names = { "qqqqqqqq" },
     .contracts = XC,
     .says = "no section \"qqqqqqqq\" in x.ini" },
    { .what = "a section without object",
     .names = { "homeless" },
     .contracts = XC,
     .says = "homeless: no object in the contract" },
    { .what = "all sections, one is bad",
     .contracts = XC,
     .says = "homeless: no object" },
    { .what = "all sections", .contracts = { "sub/y.ini" }, .gives = "frob" },
    { .what = "a static C function and a reference",
     .names = { "built" },
     .contracts = XC,
     .gives = "built!" },
    { .what = "FILE:SYMBOL with a section",
     .names = { "k.o:frob" },
     .contracts = XC,
     .gives = "k.o:frob!" },
    { .what = "FILE:SYMBOL with a section for its symbol",
     .names = { "k.o:clear_page_nt" },
     .contracts = XC,
     .gives = "k.o:clear_page_nt!" },
    { .what = "missing file",
     .names = { "no.o:my_memcpy" },
     .says = "no.o: No such file" },
    { .what = "missing file alone", .names = { "no.o" }, .says = "no.o: No such file" },
    { .what = "missing source alone",
     .names = { "no.S" },
     .says = "no.S: No such file" },
    { .what = "missing contract file",
     .names = { "frob" },
     .contracts = { "no.ini" },
     .says = "no.ini: No such file" },
    { .what = "a contract file without a name",
     .names = { "frob" },
     .contracts = { "" },
     .says = "a contract file's name is empty" },
    { .what = "a folder for a contract file",
     .names = { "frob" },
     .contracts = { "sub" },
     .says = "sub: Is a directory" },
    { .what = "an object for a contract file",
     .names = { "frob" },
     .contracts = { "k.o" },
     .says = "k.o:1: a " },
    { .what = "a section with a space",
     .names = { "two words" },
     .contracts = { "odd.ini" },
     .gives = "two words!" },
    { .what = "an object with spaces and quotes",
     .names = { "quoted" },
     .contracts = { "odd.ini" },
     .gives = "quoted!" },
    { .what = "an object that does not exist",
     .names = { "nowhere" },
     .contracts = { "odd.ini" },
     .says = "odd.ini:14: object: no such.o: No such file" },
    { .what = "a folder for an object",
     .names = { "folder" },
     .contracts = { "odd.ini" },
     .says = "sub: a folder, not an object file" },
    { .what = "a symbol that does not exist",
     .names = { "no symbol" },
     .contracts = { "odd.ini" },
     .says = "k.o: no symbol \"no symbol\"" },
    { .what = "a bare word",
     .names = { "frob" },
     .says = "\"frob\" is no file; name a kernel as FILE.o:SYMBOL" },
    { .what = "an empty word", .names = { "" }, .says = "a kernel's name is empty" },
    { .what = "no symbol", .names = { "k.o:" }, .says = "is not FILE:SYMBOL" },
    { .what = "no file", .names = { ":f" }, .says = "is not FILE:SYMBOL" },
    { .what = "a member of an archive that does not exist",
     .names = { "a.a(k.o):f" },
     .says = "a.a(k.o): No such file" },
    { .what = "a member of what is no archive",
     .names = { "k.o(k.o):my_memcpy" },
     .says = "k.o: no archive, so it has no member \"k.o\"" },
    { .what = "text for an object",
     .names = { "x.ini:my_memcpy" },
     .says = "x.ini: text, not an object file" },
    { .what = "a folder", .names = { "sub" }, .says = "sub: a folder" },
    { .what = "a source that does not build",
     .names = { "bad.S:my_memcpy" },
     .says = "bad.S cannot be built: bad.S:1: Error: no such instruction" },
    { .what = "a C source that does not build",
     .names = { "k.c:shown_zero" },
     .says = "VALUE" },
    { .what = "a C function that does not exist",
     .names = { "k.c:hiddne_zero" },
     .keys = { "cflags", "-DVALUE=0" },
     .says = "k.c: no function \"hiddne_zero\"; nearest is \"hidden_zero\"" },
    { .what = "nothing at all",
     .says = "nothing to verify: name a kernel (my.o:my_memcpy)" },
    { .what = "unknown built-in",
     .names = { "builtin:no_such_kernel_here" },
     .says = "no built-in kernel \"no_such_kernel_here\"" },
    { .what = "unknown built-ins",
     .names = { "builtin:no_such*" },
     .says = "no built-in kernel \"no_such*\"" },
};

static size_t length(const char *const *words, size_t room)
{
    size_t n = 0;

    while (n < room && words[n]) {
        n++;
    }
    return n;
}

static struct fnp_request request_of(const struct row *row)
{
    return (struct fnp_request){
        .names = row->names,
        .n_names = length(row->names, FNP_ARRAY_LEN(row->names)),
        .contract_files = row->contracts,
        .n_contract_files = length(row->contracts, FNP_ARRAY_LEN(row->contracts)),
        .keys = row->keys,
        .n_keys = length(row->keys, FNP_ARRAY_LEN(row->keys)) / 2,
        .as = row->as,
    };
}

static void test_rows(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_kernels got = { 0 };
        struct fnp_err err = { "" };
        struct fnp_request request = request_of(&rows[i]);
        enum fnp_status status = fnp_kernels_resolve(&arena, &request, &got, &err);
        char text[512];
        struct fnp_str out = fnp_str_over(text, sizeof(text));

        for (size_t k = 0; k < got.count; k++) {
            fnp_str_add(&out, "%s%s%s", k ? " " : "", got.list[k].name,
                        got.list[k].named ? "!" : "");
        }
        tap_ok(rows[i].gives ? !status && !strcmp(text, rows[i].gives)
                             : status == FNP_INPUT && strstr(err.text, rows[i].says) &&
                                   !strchr(err.text, '\n'),
               "%s: %s%s", rows[i].what, text, err.text);
        fnp_arena_release(&arena);
    }
}

/* ---- what a resolved kernel holds */

static const struct fnp_kernel *resolve_one(struct fnp_arena *arena,
                                            const struct row *row)
{
    struct fnp_kernels got = { 0 };
    struct fnp_err err = { "" };
    struct fnp_request request = request_of(row);

    if (fnp_kernels_resolve(arena, &request, &got, &err) || got.count != 1) {
        printf("# %s: %zu kernels %s\n", row->what, got.count, err.text);
        return NULL;
    }
    return got.list;
}

static void test_guessed(void)
{
    const struct row row = { .what = "guessed", .names = { "k.o:my_memcpy" } };
    struct fnp_arena arena = { 0 };
    const struct fnp_kernel *k = resolve_one(&arena, &row);

    tap_ok(k && k->contract.guess && !strcmp(k->contract.read_from, "guessed:memcpy") &&
               !strcmp(k->spec, "k.o:my_memcpy") && k->image.code_len > 0 &&
               !k->missing && !strcmp(k->contract.object, "k.o"),
           "a guess says so");
    fnp_arena_release(&arena);
}

static void test_declared(void)
{
    const struct row row = {
        .what = "declared",
        .names = { "k.S:frob" },
        .contracts = XC,
        .keys = { "align", "64", "redzone", "0" }
    };
    struct fnp_arena arena = { 0 };
    const struct fnp_kernel *k = resolve_one(&arena, &row);

    tap_ok(k && !k->contract.guess && !strcmp(k->contract.read_from, "x.ini") &&
               k->contract.bufs[0].align == 64 && k->contract.redzone == 0,
           "options win over the section");
    tap_ok(k && !strcmp(k->spec, "--contract x.ini k.S:frob --align 64 --redzone 0"),
           "spec: %s", k ? k->spec : "");
    tap_ok(k && (k->needs & (fnp_features)1 << FNP_FEATURE_AVX2) &&
               !!k->missing == !(fnp_cpu_features() >> FNP_FEATURE_AVX2 & 1),
           "declared features are needed");
    fnp_arena_release(&arena);
}

static void test_sections(void)
{
    const struct row aliased = { .what = "aliased",
                                 .names = { "./k.o:clear_page_nt" },
                                 .contracts = XC };
    const struct row built = { .what = "built", .names = { "built" }, .contracts = XC };
    struct fnp_arena arena = { 0 };
    const struct fnp_kernel *k = resolve_one(&arena, &aliased);

    tap_ok(k && !strcmp(k->contract.symbol, "clear_page_nt") &&
               !strcmp(k->contract.object, "./k.o") &&
               (k->needs & (fnp_features)1 << FNP_FEATURE_SSE2),
           "the file replaces the section's object; decoded features are needed");
    k = resolve_one(&arena, &built);
    tap_ok(k && k->has_ref && k->contract.op == FNP_OP_REF &&
               !strcmp(k->spec, "--contract x.ini built"),
           "a reference in another object");
    fnp_arena_release(&arena);
}

static void test_spec(void)
{
    const struct row row = {
        .what = "strange word",
        .names = { "sub/it's k.o:frob" },
        .keys = { "proto", "void f(void d[8])", "cflags", "-O1 -g" }
    };
    struct fnp_arena arena = { 0 };
    const struct fnp_kernel *k = resolve_one(&arena, &row);

    tap_ok(k && !strcmp(k->spec, "'sub/it'\\''s k.o:frob' --proto 'void f(void d[8])' "
                                 "'--cflags=-O1 -g'"),
           "spec is quoted: %s", k ? k->spec : "");
    fnp_arena_release(&arena);
}

static void test_equal(void)
{
    struct fnp_arena arena = { 0 };
    struct fnp_kernels got = { 0 };
    struct fnp_err err = { "" };
    const struct row objects = {
        .names = { "k.o:my_memcpy", "k.o:clear_page_nt", "k.S:my_memcpy" }
    };
    const struct row sections = { .contracts = { "z.ini" } };
    struct fnp_request request = request_of(&objects);

    tap_ok(!fnp_kernels_resolve(&arena, &request, &got, &err) && got.count == 3 &&
               !got.list[0].equal_to && !got.list[1].equal_to &&
               got.list[2].equal_to == &got.list[0],
           "equal code in two objects under one contract is found %s", err.text);
    request = request_of(&sections);
    tap_ok(!fnp_kernels_resolve(&arena, &request, &got, &err) && got.count == 3 &&
               !got.list[1].equal_to && got.list[2].equal_to == &got.list[0],
           "equal code is equal only under equal promises, by whatever name %s",
           err.text);
    fnp_arena_release(&arena);
}

/* Whatever is built in resolves, each under its own name. */
static void test_builtin(void)
{
    struct fnp_arena arena = { 0 };
    struct fnp_kernels all = { 0 }, one = { 0 };
    struct fnp_err err = { "" };
    struct fnp_request request = { .builtin = true };
    bool ok = !fnp_kernels_resolve(&arena, &request, &all, &err) && all.count > 0;

    tap_ok(ok, "%zu built-in kernels %s", all.count, err.text);
    for (size_t i = 0; ok && i < all.count; i++) {
        const struct fnp_kernel *k = &all.list[i];
        const char *const names[] = { k->spec };
        const struct fnp_request again = { .names = names, .n_names = 1 };

        ok = !strncmp(k->name, "builtin:", 8) && k->contract.origin &&
             !strcmp(k->contract.read_from, "builtin") && !k->named &&
             !fnp_kernels_resolve(&arena, &again, &one, &err) && one.count == 1 &&
             one.list[0].named && !strcmp(one.list[0].image.code, k->image.code);
        if (!ok) {
            tap_ok(false, "%s is found by its spec %s", k->name, err.text);
        }
    }
    tap_ok(ok, "each is found by its spec and says where it comes from");
    fnp_arena_release(&arena);
}

static void test_nearest_file(void)
{
    const struct row row = { .what = "upward" };
    struct fnp_arena arena = { 0 };
    const struct fnp_kernel *k;

    write_file("sub/fencepost.ini", "[f]\nobject = k.o\nsymbol = frob\n"
                                    "proto = void f(void d[n], size_t n)\n");
    if (chdir("sub/deep/er") != 0) {
        fnp_die("no folder sub/deep/er");
    }
    k = resolve_one(&arena, &row);
    tap_ok(k && !strcmp(k->name, "f") &&
               !strcmp(k->spec, "--contract ../../fencepost.ini f"),
           "no subject: the nearest fencepost.ini upward, %s", k ? k->spec : "none");
    if (chdir("../../..") != 0) {
        fnp_die("no way back");
    }
    fnp_arena_release(&arena);
}

/* ---- the build */

static void test_build(void)
{
    static const struct {
        const char *cc, *cflags, *says;
    } builds[] = {
        { "cc",                   "-DX='a b' \"-DY=\\\"c\\\"\" -O1", NULL                              },
        { "  cc -O1 ",            "",                                NULL                              },
        { "fencepost-no-such-cc", "",                                "cannot run fencepost-no-such-cc" },
        { "",                     "",                                "no compiler is named"            },
        { "cc",                   "'-O2",                            "a quote is not closed in: '-O2"  },
        { "false",                "",                                "k.S cannot be built: no message" },
        { "true",                 "",                                "true made no object"             },
        { "cc",                   "-fno-such-flag-at-all",           "no-such-flag-at-all"             },
        { "cc",                   "$(touch pwned) `touch pwned`",    "cannot be built"                 },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(builds); i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_err err = { "" };
        struct fnp_object object = { 0 };
        struct fnp_build build = { .source = "k.S",
                                   .cc = builds[i].cc,
                                   .cflags = builds[i].cflags };
        enum fnp_status status = fnp_build(&arena, &build, &object, &err);

        tap_ok(builds[i].says
                   ? status == FNP_INPUT && strstr(err.text, builds[i].says)
                   : !status && object.len > 0 && !strcmp(object.path, "k.S"),
               "build with %s %s: %s", builds[i].cc, builds[i].cflags, err.text);
        fnp_arena_release(&arena);
    }
    tap_ok(access("pwned", F_OK) != 0, "nothing of the flags was run by a shell");
}

/* Everything was compiled with TMPDIR = tmp; nothing may be left there. */
static void test_nothing_left(void)
{
    tap_ok(rmdir("tmp") == 0, "the compiler's folders are gone");
}

static int remove_entry(const char *path, const struct stat *info, int type,
                        struct FTW *at)
{
    (void)info;
    (void)type;
    (void)at;
    return remove(path);
}

int main(void)
{
    char folder[] = "/tmp/fencepost-registry-XXXXXX";

    if (!mkdtemp(folder) || chdir(folder) != 0 || mkdir("sub", 0700) != 0 ||
        mkdir("sub/deep", 0700) != 0 || mkdir("sub/deep/er", 0700) != 0 ||
        mkdir("tmp", 0700) != 0) {
        fnp_die("no folder to work in");
    }
    char *tmp = NULL;
    if (asprintf(&tmp, "%s/tmp", folder) < 0 || setenv("TMPDIR", tmp, 1) != 0) {
        fnp_die("no TMPDIR");
    }
    write_file("k.S", kernels_s);
    write_file("k.c", kernels_c);
    write_file("bad.S", "        frobnicate %rax\n");
    write_file("x.ini", contracts);
    write_file("odd.ini", odd_contracts);
    write_file("tls.S", tls_s);
    write_file("sub/y.ini", "[frob]\nobject = k.o\nproto = void frob(void d[8])\n");
    write_file("z.ini", "[*]\nobject = k.o\nsymbol = my_memcpy\nreturns = dst\n"
                        "[a]\nproto = void *a(void d[n], const void s[n], size_t n)\n"
                        "[b]\nlike = a\nredzone = 0\n"
                        "[c]\nproto = void *c(void d[n], const void s[n], size_t n)\n"
                        "expect = hang\n");
    make_object("k.S", "k.o");
    make_object("k.S", "sub/k.o");
    make_object("k.S", "sub/it's k.o");
    make_object("k.S", "sub/it's \"my\" k.o");
    test_rows();
    test_guessed();
    test_declared();
    test_sections();
    test_spec();
    test_equal();
    test_builtin();
    test_nearest_file();
    test_build();
    test_nothing_left();
    if (chdir("/") == 0) {
        nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    }
    free(tmp);
    return tap_done();
}
