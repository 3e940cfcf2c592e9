/* SPDX-License-Identifier: MIT */
/*
 * link_test.c - what a member of an archive gets from other members
 *
 * Every row is an archive of one to four members; member 0 defines f, which begins with
 * `mov x, %eax` or `mov $x, %eax`.  What x became is read from the image.
 */
#include <stdlib.h>
#include <string.h>

#include "subject/members.h"
#include "verify/self/ar.h"
#include "verify/self/loaded.h"
#include "verify/self/tap.h"

#define MEMBERS_MAX 4

#define LOADS             ".globl f; f: mov x(%rip), %eax; ret\n"
#define WEAKLY            LOADS ".weak x\n"
#define WORD(bind, value) "." #bind " x; .data; x: .quad " #value "\n"

/* What was found at x. */
enum found {
    WORD_OF,  /* the word `value` */
    NOTHING,  /* x is 0 */
    TRAP,     /* a trap named x */
    RESERVED, /* so many zeros, COMMON */
    REFUSED,  /* the kernel, with a sentence */
};

static const struct {
    const char *name;
    const char *members[MEMBERS_MAX];
    enum found found;
    uint64_t value;
    const char *set; /* defined by the contract as 99 */
} rows[] = {
    { "no other member has it",                                { LOADS, ".globl y; y: ret" },             TRAP,     0,  NULL },
    { "one has it",                                            { LOADS, WORD(globl, 7) },                 WORD_OF,  7,  NULL },
    { "the first of two",                                      { LOADS, WORD(globl, 7), WORD(globl, 8) }, WORD_OF,  7,  NULL },
    { "the first of two, though weak",
     { LOADS, WORD(weak, 7), WORD(globl, 8) },
     WORD_OF,                                                                                                       7,
     NULL                                                                                                                    },
    { "a hidden one",                                          { LOADS, ".hidden x\n" WORD(globl, 7) },   WORD_OF,  7,  NULL },
    { "a local one is nobody's",                               { LOADS, ".data; x: .quad 7\n" },          TRAP,     0,  NULL },
    { "a member that comes first",                             { WORD(globl, 7), LOADS },                 WORD_OF,  7,  NULL },
    { "the own one wins",                                      { LOADS WORD(weak, 6), WORD(globl, 7) },   WORD_OF,  6,  NULL },
    { "the own local one wins",
     { LOADS ".data; x: .quad 6\n", WORD(globl, 7) },
     WORD_OF,                                                                                                       6,
     NULL                                                                                                                    },
    { "the contract wins",                                     { LOADS, WORD(globl, 7) },                 WORD_OF,  99, "x"  },
    { "the contract wins over a weak reference",
     { WEAKLY, WORD(globl, 7) },
     WORD_OF,                                                                                                       99,
     "x"                                                                                                                     },
    { "a weak reference pulls nothing in",
     { WEAKLY, WORD(globl, 7) },
     NOTHING,                                                                                                       0,
     NULL                                                                                                                    },
    { "but takes what is there anyway",
     { WEAKLY ".text; call y\n", ".globl y; y: ret\n" WORD(globl, 7) },
     WORD_OF,                                                                                                       7,
     NULL                                                                                                                    },
    { "a strong reference beside the weak one pulls it in",
     { WEAKLY ".text; call y\n", ".globl y; y: mov x(%rip), %eax\n", WORD(globl, 7) },
     WORD_OF,                                                                                                       7,
     NULL                                                                                                                    },
    { "a strong definition met later replaces a weak one",
     { LOADS "call y\n", WORD(weak, 7), ".globl y; y: ret\n" WORD(globl, 8) },
     WORD_OF,                                                                                                       8,
     NULL                                                                                                                    },
    { "and the own weak one",
     { LOADS "call y\n" WORD(weak, 6), ".globl y; y: ret\n" WORD(globl, 8) },
     WORD_OF,                                                                                                       8,
     NULL                                                                                                                    },
    { "COMMON",                                                { LOADS, ".comm x, 40, 8\n" },             RESERVED, 40, NULL },
    { "COMMON of two members is one, as large as the largest",
     { LOADS ".comm x, 8, 8\ncall y\n",
        ".globl y; y: lea x(%rip), %rax; .comm x, 80, 64\n" },
     RESERVED,                                                                                                      80,
     NULL                                                                                                                    },
    { "COMMON gives way to a definition",
     { LOADS ".comm x, 8, 8\ncall y\n", ".globl y; y: ret\n" WORD(globl, 7) },
     WORD_OF,                                                                                                       7,
     NULL                                                                                                                    },
    { "COMMON wins over a weak definition",
     { LOADS ".comm x, 24, 8\ncall y\n", ".globl y; y: ret\n" WORD(weak, 7) },
     RESERVED,                                                                                                      24,
     NULL                                                                                                                    },
    { "an IFUNC is a trap",
     { LOADS, ".globl x; .type x, @gnu_indirect_function; x: ret\n" },
     TRAP,                                                                                                          1,
     NULL                                                                                                                    },
    { "a member's relocation of an unknown type",
     { LOADS, ".globl x; .data; x: .reloc ., R_X86_64_RELATIVE, 0; .quad 7\n" },
     REFUSED,                                                                                                       0,
     "relocation type 8 does not belong"                                                                                     },
};

static struct fnp_object object_of(const char *text, const char *const *options)
{
    char *path = assemble(text, ".S", options);
    struct fnp_object object = { 0 };
    struct fnp_err err;

    if (path) {
        (void)fnp_object_read(&arena, path, &object, &err);
    }
    free(path);
    return object;
}

/* An archive of up to MEMBERS_MAX members, "0.o" and so on. */
static bool make_archive(const char *const *texts, struct fnp_object *out,
                         struct fnp_err *err)
{
    struct ar ar;
    bool ok = true;

    ar_begin(&ar, "!<arch>\n");
    for (size_t i = 0; i < MEMBERS_MAX && texts[i]; i++) {
        const struct fnp_object object = object_of(texts[i], NULL);
        char name[16];

        snprintf(name, sizeof(name), "%zu.o/", i);
        ar_add(&ar, name, object.bytes, object.len);
        ok = ok && object.bytes;
    }
    *out = ar_end(&ar, "x.a");
    out->bytes = memcpy(fnp_arena_alloc(&arena, out->len), out->bytes, out->len);
    free(ar.bytes);
    return ok && fnp_members_read(&arena, out, &out->members, err) == FNP_OK;
}

static bool is_as_wanted(size_t row, enum fnp_status status,
                         const struct fnp_image *image, const struct fnp_err *err)
{
    if (rows[row].found == REFUSED) {
        return status == FNP_INPUT && strstr(err->text, rows[row].set);
    }
    if (status != FNP_OK) {
        return false;
    }

    uint64_t x =
        image->entry + 6 + (uint64_t)(int32_t)read_at(image, image->entry + 2, 4);
    const struct fnp_symbol *symbol = fnp_image_symbol(image, x);

    switch (rows[row].found) {
    case WORD_OF:
        return read_at(image, x, 8) == rows[row].value;
    case NOTHING:
        /* A reference relative to the code meets a trap, as a call would. */
        return symbol && symbol->is_trap && prot_at(image, x) == 0;
    case TRAP:
        return symbol && symbol->is_trap &&
               strcmp(symbol->name, rows[row].value ? "IFUNC x" : "x") == 0;
    case RESERVED:
        return symbol && symbol->size == rows[row].value && read_at(image, x, 8) == 0 &&
               prot_at(image, x) == RW && x % 8 == 0;
    case REFUSED:
        break;
    }
    return false;
}

static void test_rows(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_contract contract = { 0 };
        struct fnp_image image = { 0 };
        struct fnp_object archive;
        struct fnp_err err = { "" };
        enum fnp_status status = FNP_FAILED;

        if (rows[i].set && rows[i].found != REFUSED) {
            contract.n_defines = 1;
            contract.defines[0] =
                (struct fnp_define){ .name = rows[i].set, .value = 99 };
        }
        if (make_archive(rows[i].members, &archive, &err)) {
            status = fnp_image_load(&arena, &archive, "f", &contract, 0, &image, &err);
        }
        tap_ok(is_as_wanted(i, status, &image, &err), "%s %s", rows[i].name, err.text);
    }
}

/* What two members share is there once; what is local twice. */
static void test_shared(void)
{
    static const char *const texts[MEMBERS_MAX] = {
        ".globl f; f: lea x(%rip), %rax; lea l(%rip), %rcx; jmp y\n"
        ".data; l: .quad 1\n",
        ".globl y; y: lea x(%rip), %rax; lea l(%rip), %rcx; ret\n.data; l: .quad 2\n",
    };
    struct fnp_contract contract = { .n_defines = 1 };
    struct fnp_object archive;
    struct fnp_image image = { 0 };
    struct fnp_err err = { "" };
    bool ok;

    contract.defines[0] = (struct fnp_define){ .name = "x", .value = 5 };
    ok = make_archive(texts, &archive, &err) &&
         fnp_image_load(&arena, &archive, "f", &contract, 0, &image, &err) == FNP_OK;

    uint64_t f = image.entry, y = ok ? addr_of(&image, "y") : 0;
    uint64_t at[4] = { 0 };

    for (size_t i = 0; y && i < 4; i++) {
        uint64_t lea = (i < 2 ? f : y) + (i % 2) * 7;

        at[i] = lea + 7 + (uint64_t)(int32_t)read_at(&image, lea + 3, 4);
    }
    tap_ok(y && at[0] == at[2] && read_at(&image, at[0], 8) == 5,
           "a word of the contract is one for all members %s", err.text);
    tap_ok(y && read_at(&image, at[1], 8) == 1 && read_at(&image, at[3], 8) == 2,
           "local symbols of one name are two");
    tap_ok(y && strcmp(fnp_image_symbol(&image, y)->name, "y") == 0 &&
               strcmp(image.path, "x.a(0.o)") == 0,
           "names of other members are known");
}

/* Thread-local storage in another member bars that function. */
static void test_barred(void)
{
    static const char *const texts[MEMBERS_MAX] = {
        ".globl f; .type f, @function; f: jmp g; .size f, . - f\n",
        ".globl g; .type g, @function; g: nop; mov %fs:t@tpoff, %eax; ret\n"
        ".size g, . - g; .section .tbss, \"awT\", @nobits; t: .skip 4\n",
    };
    struct fnp_object archive;
    struct fnp_image image = { 0 };
    struct fnp_err err = { "" };
    bool ok = make_archive(texts, &archive, &err) &&
              fnp_image_load(&arena, &archive, "f", NULL, 0, &image, &err) == FNP_OK;
    const struct fnp_symbol *g = find(&image, "g (uses thread-local storage)");

    tap_ok(ok && g && g->is_trap && read_at(&image, g->addr, 2) == 0x0b0f,
           "a member's function with thread-local storage begins with a trap %s",
           err.text);
}

/* An archive of both widths gives each the symbols of its own. */
static void test_widths(void)
{
    static const char *const m32[] = { "-m32", NULL };
    const struct fnp_object wide = object_of(".globl f; f: jmp g", NULL);
    const struct fnp_object narrow = object_of(".globl h, g; h: jmp g; g: nop", m32);
    struct fnp_object archive;
    struct fnp_image image = { 0 };
    struct fnp_err err = { "" };
    struct ar ar;
    bool ok;

    if (!narrow.bytes) {
        tap_ok(true, "an archive of both widths # SKIP no compiler for -m32");
        return;
    }
    ar_begin(&ar, "!<arch>\n");
    ar_add(&ar, "wide.o/", wide.bytes, wide.len);
    ar_add(&ar, "narrow.o/", narrow.bytes, narrow.len);
    archive = ar_end(&ar, "x.a");
    ok = fnp_members_read(&arena, &archive, &archive.members, &err) == FNP_OK &&
         fnp_image_load(&arena, &archive, "f", NULL, 0, &image, &err) == FNP_OK;
    tap_ok(ok && !image.is32 && find(&image, "g") && find(&image, "g")->is_trap,
           "64-bit code takes nothing from a 32-bit member %s", err.text);
    ok = ok && fnp_image_load(&arena, &archive, "h", NULL, 0, &image, &err) == FNP_OK;
    tap_ok(ok && image.is32, "a 32-bit member of the same archive %s", err.text);
    free(ar.bytes);
}

int main(void)
{
    if (!assemble_begin()) {
        tap_ok(true, "linking members # SKIP no C compiler");
        return tap_done();
    }
    test_rows();
    test_shared();
    test_barred();
    test_widths();
    assemble_done();
    fnp_arena_release(&arena);
    return tap_done();
}
