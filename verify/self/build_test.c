/* SPDX-License-Identifier: MIT */
/*
 * build_test.c - functions of real C files come out of the build under their own names
 *
 * Works in a folder of its own; it reads symbols itself, 32-bit objects too.
 */
#include <elf.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/status.h"
#include "subject/build.h"
#include "subject/shell_words.h"
#include "verify/self/tap.h"

/* Old style: a main of its own, files that include others, functions nobody exports. */
static const char main_c[] =
    "#include \"parts/one.c\"\n"
    "static inline void inline_copy(void *to, void *from) { plain_copy(to, from); }\n"
    "static __inline__ int gnu_copy(void *to, void *from)\n"
    "{\n"
    "    plain_copy(to, from);\n"
    "    return 1;\n"
    "}\n"
    "static void old_copy(to, from)\n"
    "char *to;\n"
    "char *from;\n"
    "{\n"
    "    plain_copy(to, from);\n"
    "}\n"
    "STATIC __attribute__((noinline)) void called_copy(char *to, char *from, int n)\n"
    "{\n"
    "    while (n-- > 0)\n"
    "        *(volatile char *)to++ = *from++;\n"
    "}\n"
    "#ifdef INLINE\n"
    "INLINE void c99_copy(void *to, void *from) { plain_copy(to, from); }\n"
    "#endif\n"
    "static void hidden_copy(void *to, void *from) { plain_copy(to, from); }\n"
    "#define hidden_copy(to) hidden_copy(to, to)\n"
    "#define renamed_copy real_copy\n"
    "static void renamed_copy(void *to, void *from) { plain_copy(to, from); }\n"
    "int table[4] = { 1, 2, 3, 4 };\n"
    "int main(void)\n"
    "{\n"
    "    char a[8], b[8];\n"
    "\n"
    "    called_copy(a, b, 8);\n"
    "    called_copy(b, a, 8);\n"
    "    hidden_copy(a);\n"
    "    return a[0] + unused_variable_here;\n"
    "}\n";
static const char one_c[] = "#include \"two.h\"\n"
                            "static void plain_copy(void *to, void *from)\n"
                            "{\n"
                            "    int i;\n"
                            "    for (i = 0; i < SIZE; i++)\n"
                            "        ((volatile char *)to)[i] = ((char *)from)[i];\n"
                            "}\n";
static const char two_h[] = "#define SIZE 4096\nstatic int unused_variable_here;\n";

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");

    if (!file || fputs(text, file) < 0 || fclose(file) != 0) {
        fnp_die("cannot write %s", path);
    }
}

/* ---- symbols, of either class */

struct found {
    bool there, is_function;
    const unsigned char *code;
    size_t len;
};

#define FIND(name, bits, info_type)                                                    \
    static struct found name(const struct fnp_object *object, const char *symbol)      \
    {                                                                                  \
        const Elf##bits##_Ehdr *head = (const void *)object->bytes;                    \
        const Elf##bits##_Shdr *sections =                                             \
            (const void *)(object->bytes + head->e_shoff);                             \
        struct found found = { .there = false };                                       \
                                                                                       \
        for (unsigned i = 0; i < head->e_shnum; i++) {                                 \
            const Elf##bits##_Sym *list =                                              \
                (const void *)(object->bytes + sections[i].sh_offset);                 \
            const char *names =                                                        \
                (const char *)object->bytes + sections[sections[i].sh_link].sh_offset; \
                                                                                       \
            for (size_t k = 0; sections[i].sh_type == SHT_SYMTAB &&                    \
                               k < sections[i].sh_size / sizeof(*list);                \
                 k++) {                                                                \
                if (!strcmp(names + list[k].st_name, symbol) && list[k].st_shndx) {    \
                    found.there = true;                                                \
                    found.is_function = info_type(list[k].st_info) == STT_FUNC;        \
                    found.code = object->bytes +                                       \
                                 sections[list[k].st_shndx].sh_offset +                \
                                 list[k].st_value;                                     \
                    found.len = list[k].st_size;                                       \
                }                                                                      \
            }                                                                          \
        }                                                                              \
        return found;                                                                  \
    }
FIND(find32, 32, ELF32_ST_TYPE)
FIND(find64, 64, ELF64_ST_TYPE)

static struct found find(const struct fnp_object *object, const char *symbol)
{
    return object->bytes[EI_CLASS] == ELFCLASS32 ? find32(object, symbol)
                                                 : find64(object, symbol);
}

/* main.c with a function kept; NULL: as it stands. */
static struct fnp_build main_with(const char *flags, const char *function)
{
    return (struct fnp_build){ .source = "main.c",
                               .cc = "cc",
                               .cflags = flags,
                               .function = function,
                               .keep = function ? FNP_KEEP_NAME : FNP_KEEP_NOTHING };
}

/* ---- tests */

static const char *const compilers[] = { "cc", "clang-19" };
static const char *const flags[] = {
    "-std=gnu89 -m32 -DSTATIC=static",
    "-std=gnu89 -m32 -DSTATIC=static -O1",
    "-std=gnu89 -m32 -DSTATIC=static -O2 -fno-pic",
    "-std=gnu89 -m32 -DSTATIC=static -O3 -Wall -Werror",
    "-std=gnu17 -DSTATIC=static -O0 -DINLINE=inline",
    "-std=gnu17 -DSTATIC=static -O2 -fno-pic -DINLINE='static inline'",
    "-std=gnu17 -DSTATIC=static -O3 -DINLINE=inline",
};

static void test_kept(const char *cc, const char *with)
{
    static const char *const names[] = { "plain_copy",  "inline_copy", "gnu_copy",
                                         "old_copy",    "called_copy", "hidden_copy",
                                         "renamed_copy" };
    bool c99 = strstr(with, "INLINE") != NULL;

    for (size_t i = 0; i < FNP_ARRAY_LEN(names) + c99; i++) {
        const char *name = i < FNP_ARRAY_LEN(names) ? names[i] : "c99_copy";
        struct fnp_arena arena = { 0 };
        struct fnp_object object = { 0 };
        struct fnp_err err = { "" };
        struct fnp_build request = main_with(with, name);
        struct found found = { .there = false };
        enum fnp_status status;

        request.cc = cc;
        if (!strcmp(name, "renamed_copy")) {
            request.keep = FNP_KEEP_MACRO;
        }
        status = fnp_build(&arena, &request, &object, &err);
        if (!status) {
            found = find(&object, name);
        }
        tap_ok(!status && found.is_function && found.len > 0, "%s %s: %s %s", cc, with,
               name, err.text);
        fnp_arena_release(&arena);
    }
}

/* With every caller in sight a compiler passes arguments as it likes; not when kept. */
static void test_convention(void)
{
    struct fnp_arena arena = { 0 };
    struct fnp_object seen = { 0 }, hidden = { 0 }, kept = { 0 };
    struct fnp_err err = { "" };
    struct found a = { 0 }, b = { 0 }, c = { 0 };
    const char *const flags32 = "-m32 -O2 -fno-pic -DSTATIC=static";
    const struct fnp_build exported = main_with("-m32 -O2 -fno-pic -DSTATIC=", NULL);
    const struct fnp_build alone = main_with(flags32, NULL);
    const struct fnp_build named = main_with(flags32, "called_copy");
    bool ok = !fnp_build(&arena, &exported, &seen, &err) &&
              !fnp_build(&arena, &alone, &hidden, &err) &&
              !fnp_build(&arena, &named, &kept, &err);

    if (ok) {
        a = find(&seen, "called_copy");
        b = find(&hidden, "called_copy");
        c = find(&kept, "called_copy");
    }
    tap_ok(ok && a.there && c.there && a.len == c.len && !memcmp(a.code, c.code, a.len),
           "a kept static function is compiled like an exported one %s", err.text);
    tap_ok(!b.there || b.len != a.len || memcmp(a.code, b.code, a.len) != 0,
           "left alone, it is not");
    fnp_arena_release(&arena);
}

static void test_not_functions(void)
{
    static const struct {
        const char *name;
        enum fnp_keep keep;
    } rows[] = {
        { "nothing_copy", FNP_KEEP_NAME  },
        { "nothing_copy", FNP_KEEP_MACRO },
        { "SIZE",         FNP_KEEP_NAME  }
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_object object = { 0 };
        struct fnp_err err = { "" };
        struct fnp_build request = main_with("-DSTATIC=static", rows[i].name);
        enum fnp_status status;

        request.keep = rows[i].keep;
        status = fnp_build(&arena, &request, &object, &err);
        tap_ok(status == FNP_INPUT && strstr(err.text, "main.c cannot be built: "),
               "%s is no function: %s", rows[i].name, err.text);
        fnp_arena_release(&arena);
    }
}

/* What the source includes is looked for where its name is, not where a link leads. */
static void test_link(void)
{
    const struct fnp_build request = { .source = "linked/main.c",
                                       .cc = "cc",
                                       .cflags = "-DSTATIC=static",
                                       .function = "plain_copy",
                                       .keep = FNP_KEEP_NAME };
    struct fnp_arena arena = { 0 };
    struct fnp_object object = { 0 };
    struct fnp_err err = { "" };
    bool made = !mkdir("linked", 0700) && !mkdir("linked/parts", 0700) &&
                !symlink("../main.c", "linked/main.c");

    write_file("linked/parts/one.c",
               "static int unused_variable_here;\n"
               "static void plain_copy(void *a, void *b) { (void)a; (void)b; }\n"
               "int here;\n");
    tap_ok(made && !fnp_build(&arena, &request, &object, &err) &&
               find(&object, "here").there,
           "a source behind a link %s", err.text);
    fnp_arena_release(&arena);
}

/* ---- the function a wrapper defines */

static void test_defines(void)
{
    static const struct {
        const char *text, *name;
    } rows[] = {
        { "void t(void *d) { zap(d, 1); }",                            "t"  },
        { "static inline void *\nt2 (void *d)\n{ return d; }",         "t2" },
        { "__attribute__((noinline)) void t(void *d) { f(d); }",       "t"  },
        { "void t(void *d) __attribute__((aligned(16))); int x;"
          "void t(void *d) { }",                              "t"  },
        { "void t(d) void *d; { f(d); }",                              "t"  },
        { "struct s { int (*f)(int); }; void t(struct s *s) { }",      "t"  },
        { "/* void u(void) { } */ // void v(void) { }\nint t(void){}", "t"  },
        { "static const char s[] = \"void u(void) {\"; void t() {}",   "t"  },
        { "int x;",                                                    NULL },
        { "void t(void *d);",                                          NULL },
        { "#define T(x) x",                                            NULL },
        { "struct s { int a; };",                                      NULL },
        { "",                                                          NULL },
        { "void t(void *d",                                            NULL },
        { "\"",                                                        NULL },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_arena arena = { 0 };
        const char *name = fnp_unit_defines(&arena, rows[i].text);

        tap_ok(name ? rows[i].name && !strcmp(name, rows[i].name) : !rows[i].name,
               "text %zu defines %s", i, name ? name : "nothing");
        fnp_arena_release(&arena);
    }
}

/* ---- nasm */

static void test_nasm(void)
{
    static const struct {
        const char *flags;
        unsigned char class;
    } rows[] = {
        { "",           ELFCLASS64 },
        { "-m64 -DN=1", ELFCLASS64 },
        { "-m32",       ELFCLASS32 }
    };
    struct fnp_arena arena = { 0 };
    struct fnp_build request = { .source = "parts/n.asm", .cc = "cc" };
    struct fnp_err err = { "" };

    write_file("parts/n.asm", "%include \"n.inc\"\nglobal fill\nfill: ret\n");
    write_file("parts/n.inc", "section .text\n");
    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_object object = { 0 };

        request.cflags = rows[i].flags;
        tap_ok(!fnp_build(&arena, &request, &object, &err) &&
                   object.bytes[EI_CLASS] == rows[i].class &&
                   find(&object, "fill").there,
               "nasm %s %s", rows[i].flags, err.text);
    }
    write_file("parts/n.asm", "fill: rett\n");
    tap_ok(fnp_build(&arena, &request, &(struct fnp_object){ 0 }, &err) == FNP_INPUT &&
               strstr(err.text, "parts/n.asm:1: error: "),
           "a complaint of nasm: %s", err.text);
    setenv("PATH", "/nowhere", 1);
    tap_ok(fnp_build(&arena, &request, &(struct fnp_object){ 0 }, &err) == FNP_INPUT &&
               strstr(err.text, "install the package nasm"),
           "no nasm: %s", err.text);
    fnp_arena_release(&arena);
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
    char folder[] = "/tmp/fencepost-build-XXXXXX";

    if (!mkdtemp(folder) || chdir(folder) != 0 || mkdir("parts", 0700) != 0) {
        fnp_die("no folder to work in");
    }
    write_file("main.c", main_c);
    write_file("parts/one.c", one_c);
    write_file("parts/two.h", two_h);
    for (size_t c = 0; c < FNP_ARRAY_LEN(compilers); c++) {
        for (size_t i = 0; i < FNP_ARRAY_LEN(flags); i++) {
            test_kept(compilers[c], flags[i]);
        }
    }
    test_convention();
    test_not_functions();
    test_link();
    test_defines();
    test_nasm();
    if (chdir("/") == 0) {
        nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    }
    return tap_done();
}
