/* SPDX-License-Identifier: MIT */
/*
 * image_test.c - objects made on the spot are loaded, and every field is looked at
 *
 * Relocations are judged by the formulas of the psABI, evaluated here from text; whole
 * functions by running them.
 */
#include "subject/image.h"

#include <stdlib.h>
#include <string.h>

#include "verify/self/loaded.h"
#include "verify/self/program.h"
#include "verify/self/tap.h"

/*
 * One field of `width` bytes with one relocation against `target`, addend 4.  The
 * formula adds and subtracts S A P Z, T (the GOT) and G (the target's GOT entry).
 */
static const struct {
    const char *type;
    size_t width;
    const char *target;
    const char *formula;
    bool low;
} relocs[] = {
    { "R_X86_64_64",            8, "target",                "+S+A",   false },
    { "R_X86_64_32",            4, "target",                "+S+A",   true  },
    { "R_X86_64_32S",           4, "target",                "+S+A",   true  },
    { "R_X86_64_16",            2, "number",                "+S+A",   false },
    { "R_X86_64_8",             1, "number",                "+S+A",   false },
    { "R_X86_64_PC64",          8, "target",                "+S+A-P", false },
    { "R_X86_64_PC32",          4, "target",                "+S+A-P", false },
    { "R_X86_64_PLT32",         4, "target",                "+S+A-P", false },
    { "R_X86_64_PC16",          2, "near",                  "+S+A-P", false },
    { "R_X86_64_PC8",           1, "near",                  "+S+A-P", false },
    { "R_X86_64_GOTPCREL",      4, "target",                "+G+A-P", false },
    { "R_X86_64_GOTPCRELX",     4, "target",                "+G+A-P", false },
    { "R_X86_64_REX_GOTPCRELX", 4, "target",                "+G+A-P", false },
    { "R_X86_64_GOTPCREL64",    8, "target",                "+G+A-P", false },
    { "R_X86_64_GOT32",         4, "target",                "+G-T+A", false },
    { "R_X86_64_GOT64",         8, "target",                "+G-T+A", false },
    { "R_X86_64_GOTPLT64",      8, "target",                "+G-T+A", false },
    { "R_X86_64_GOTOFF64",      8, "target",                "+S+A-T", false },
    { "R_X86_64_PLTOFF64",      8, "target",                "+S+A-T", false },
    { "R_X86_64_GOTPC32",       4, "_GLOBAL_OFFSET_TABLE_", "+T+A-P", false },
    { "R_X86_64_GOTPC64",       8, "_GLOBAL_OFFSET_TABLE_", "+T+A-P", false },
    { "R_X86_64_SIZE32",        4, "target",                "+Z+A",   false },
    { "R_X86_64_SIZE64",        8, "target",                "+Z+A",   false },
    { "R_X86_64_NONE",          8, "target",                "+K",     false },
};

#define FIELD_BEFORE 0x1111111111111111u /* what the field holds in the file */

/* The GOT entry that holds `addr`. */
static uint64_t slot_of(const struct fnp_image *image, uint64_t addr)
{
    uint64_t got = addr_of(image, "_GLOBAL_OFFSET_TABLE_");

    for (uint64_t i = 0; got && i < 8; i++) {
        if (read_at(image, got + 8 * i, 8) == addr) {
            return got + 8 * i;
        }
    }
    return 0;
}

static uint64_t term(const struct fnp_image *image, char letter, const char *target)
{
    uint64_t symbol = strcmp(target, "number") == 0 ? 0x55 : addr_of(image, target);

    switch (letter) {
    case 'S':
        return symbol;
    case 'A':
        return 4;
    case 'P':
        return addr_of(image, "field");
    case 'Z':
        return 24;
    case 'T':
        return addr_of(image, "_GLOBAL_OFFSET_TABLE_");
    case 'G':
        return slot_of(image, symbol);
    default:
        return FIELD_BEFORE;
    }
}

static uint64_t evaluate(const struct fnp_image *image, const char *formula,
                         const char *target)
{
    uint64_t value = 0;

    for (; *formula; formula += 2) {
        uint64_t part = term(image, formula[1], target);

        value = formula[0] == '+' ? value + part : value - part;
    }
    return value;
}

static void test_relocations(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(relocs); i++) {
        size_t width = relocs[i].width;
        uint64_t mask = width < 8 ? (1ull << 8 * width) - 1 : UINT64_MAX;
        struct fnp_image image = { 0 };
        struct fnp_err err;
        char text[1024];

        snprintf(text, sizeof(text),
                 ".text; .globl f, field, near, target, number\n"
                 "f: nop; near: nop\n"
                 "field: .reloc ., %s, %s + 4\n.fill 8, 1, 0x11\nret\n"
                 ".data; .skip 40; .type target, @object\n"
                 "target: .fill 24; .size target, 24\n"
                 ".set number, 0x55\n",
                 relocs[i].type, relocs[i].target);

        bool ok = load(text, "f", NULL, &image, &err) == FNP_OK;
        uint64_t want = evaluate(&image, relocs[i].formula, relocs[i].target) & mask;
        uint64_t field = addr_of(&image, "field");
        uint64_t got = read_at(&image, field, width);
        uint64_t rest = read_at(&image, field, 8);

        tap_ok(ok && got == want, "%s is %s: %#llx, want %#llx %s", relocs[i].type,
               relocs[i].formula, (unsigned long long)got, (unsigned long long)want,
               err.text);
        tap_ok(ok && (rest & ~mask) == (FIELD_BEFORE & ~mask),
               "%s leaves its neighbours alone", relocs[i].type);
        tap_ok(ok && (image.entry < UINT32_MAX) == relocs[i].low,
               "%s places the image %s", relocs[i].type,
               relocs[i].low ? "low" : "high");
    }
}

/* What is wrong with an object, or with what was asked of it. */
static const struct {
    const char *name;
    const char *text;
    const char *symbol;
    const char *sentence; /* what stands in it */
} refusals[] = {
    { "misspelt name",               ".globl my_copy; my_copy: ret",                                  "my_cpoy",
     ": no symbol \"my_cpoy\"; nearest is \"my_copy\""                                                                                     },
    { "unlike name",                 ".globl my_copy; my_copy: ret",                                  "zq",      ": no symbol \"zq\""      },
    { "undefined entry",             ".globl f; f: jmp g",                                            "g",
     "\"g\" is not defined in this object"                                                                                                 },
    { "data entry",                  ".data; .globl d; d: .quad 0",                                   "d",       "\"d\" is data, not code" },
    { "COMMON entry",                ".comm c, 8",                                                    "c",       "\"c\" is data (COMMON)"  },
    { "absolute entry",              ".globl n; n = 7",                                               "n",       "\"n\" is a number"       },
    { "IFUNC entry",                 ".globl f; .type f, @gnu_indirect_function; f: ret",             "f",
     "IFUNC"                                                                                                                               },
    { "thread-local entry",
     ".globl f; .type f, @function; f: mov %fs:t@tpoff, %eax; ret; .size f, . - f\n"
      ".section .tbss, \"awT\", @nobits; t: .skip 4",                                                 "f",       "thread-local \"t\""      },
    { "relocation of a linked file", "f: .reloc ., R_X86_64_RELATIVE, 0; .quad 0",                    "f",
     "relocation type 8 does not belong"                                                                                                   },
    { "overflow",                    "f: .reloc ., R_X86_64_16, f; .quad 0",                          "f",
     "R_X86_64_16 against \"f\" does not hold"                                                                                             },
    { "overflow of one byte",
     "f: jmp 1f; .skip 122; 1: .reloc f + 1, R_X86_64_PC8, f + 300",                                  "f",
     "R_X86_64_PC8 against \"f\" does not hold"                                                                                            },
    { "huge .bss",                   "f: lea b(%rip), %rax; ret; .bss; b: .skip 0x4000001",           "f",
     "more than 64 MiB"                                                                                                                    },
    { "huge alignment",              "f: lea b(%rip), %rax; ret; .data; .balign 0x20000; b: .quad 1",
     "f",                                                                                                        "alignment of 131072"     },
};

static void test_refusals(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(refusals); i++) {
        struct fnp_image image;
        struct fnp_err err;
        enum fnp_status status =
            load(refusals[i].text, refusals[i].symbol, NULL, &image, &err);

        tap_ok(status == FNP_INPUT && strstr(err.text, refusals[i].sentence) &&
                   !strchr(err.text, '\n'),
               "%s: %s", refusals[i].name, err.text);
    }
}

/* What the contract defined for test_undefined. */
static void test_defined(const struct fnp_image *image)
{
    uint64_t limit = addr_of(image, "limit"), answer = addr_of(image, "answer");

    tap_ok(read_at(image, limit, 8) == 0x123456789a && prot_at(image, limit) == RW,
           "set makes a data word");
    tap_ok(read_at(image, answer, 2) == 0xb848 && read_at(image, answer + 2, 8) == 42 &&
               read_at(image, answer + 10, 1) == 0xc3 && prot_at(image, answer) == RX,
           "stub makes a function that returns the number");
}

/* What undefined symbols become. */
static void test_undefined(void)
{
    static const char text[] =
        ".globl f; f: call outside; mov data(%rip), %eax\n"
        "mov maybe@GOTPCREL(%rip), %rax; call maybe; jmp __x86_return_thunk\n"
        "call __x86_indirect_thunk_r11; call __fentry__\n"
        "mov limit(%rip), %rax; call answer; .weak maybe\n";
    struct fnp_contract contract = { .n_defines = 2 };
    struct fnp_image image = { 0 };
    struct fnp_err err;

    contract.defines[0] = (struct fnp_define){ .name = "limit", .value = 0x123456789a };
    contract.defines[1] = (struct fnp_define){
        .name = "answer", .value = 42, .is_stub = true, .has_value = true
    };
    if (load(text, "f", &contract, &image, &err) != FNP_OK) {
        tap_ok(false, "undefined symbols: %s", err.text);
        return;
    }

    const struct fnp_symbol *outside = find(&image, "outside");
    const struct fnp_symbol *data = find(&image, "data");
    uint64_t call = image.entry + 5 + read_at(&image, image.entry + 1, 4);

    tap_ok(outside && outside->is_trap && call == outside->addr &&
               prot_at(&image, outside->addr) == 0,
           "an undefined function is a trap of its name");
    tap_ok(outside && read_at(&image, outside->addr, 2) == 0x0b0f, "which holds ud2");
    tap_ok(data && data->is_trap && prot_at(&image, data->addr) == 0,
           "undefined data cannot be read");
    tap_ok(fnp_image_symbol(&image, outside ? outside->addr + 15 : 0) == outside,
           "the whole stub bears the name");

    uint64_t slot = addr_of(&image, "_GLOBAL_OFFSET_TABLE_");

    tap_ok(slot && read_at(&image, slot, 8) == 0 && prot_at(&image, slot) == RO,
           "the address of an undefined weak symbol is 0, the GOT is read-only");
    tap_ok(find(&image, "maybe") && find(&image, "maybe")->is_trap,
           "calling it is a trap");
    tap_ok(read_at(&image, addr_of(&image, "__x86_return_thunk"), 1) == 0xc3,
           "the return thunk returns");
    tap_ok(read_at(&image, addr_of(&image, "__x86_indirect_thunk_r11"), 3) == 0xe3ff41,
           "the branch thunk is jmp *%%r11");
    tap_ok(read_at(&image, addr_of(&image, "__fentry__"), 1) == 0xc3,
           "the profiling hook returns");

    test_defined(&image);
}

static void test_set_wins(void)
{
    static const char text[] = ".globl f, limit; f: mov limit(%rip), %rax; ret\n"
                               ".data; limit: .quad 5";
    struct fnp_contract contract = { .n_defines = 1 };
    struct fnp_image image = { 0 };
    struct fnp_err err;
    uint64_t target;

    contract.defines[0] = (struct fnp_define){ .name = "limit", .value = 77 };
    (void)load(text, "f", &contract, &image, &err);
    target = image.entry + 7 + read_at(&image, image.entry + 3, 4);
    tap_ok(read_at(&image, target, 8) == 77,
           "set wins over the object's own global word");
}

/* Names of addresses and of entries, with the object of test_layout. */
static void test_names(const char *text, struct fnp_image *image)
{
    struct fnp_err err;

    tap_ok(strcmp(fnp_image_symbol(image, image->entry + 3)->name, "f") == 0,
           "the entry's own name is preferred to its alias");
    tap_ok(load(text, "alias", NULL, image, &err) == FNP_OK &&
               strcmp(fnp_image_symbol(image, image->entry)->name, "alias") == 0,
           "an alias loads under its own name");
    tap_ok(load(text, "l", NULL, image, &err) == FNP_OK && image->n_segments == 1,
           "a local symbol loads, alone");
    tap_ok(!fnp_image_symbol(image, 0) && !fnp_image_symbol(image, UINT64_MAX),
           "outside the image no symbol is near");
}

/* Sections, COMMON, aliases, and what is left out. */
static void test_layout(void)
{
    static const char text[] =
        ".text; .globl f, alias; .hidden f; .type f, @function\n"
        "f: lea table(%rip), %rax; lea shared(%rip), %rcx; lea zero(%rip), %rdx\n"
        "call l; lea ctors(%rip), %rax; ret; .size f, . - f; .set alias, f\n"
        ".section .text.l, \"ax\"; .type l, @function; l: ret; .size l, 1\n"
        ".section .text.unused, \"ax\"; unused: ret\n"
        ".section .rodata; .balign 64; table: .quad moved\n"
        ".data; moved: .quad 9; .comm shared, 100, 32\n"
        ".bss; .balign 256; zero: .skip 9\n"
        ".section .init_array, \"aw\", @init_array; ctors: .quad boot\n"
        ".section .text.boot, \"ax\"; boot: call nobody\n";
    struct fnp_image image = { 0 };
    struct fnp_err err;
    uint64_t table, moved, shared, zero;

    if (load(text, "f", NULL, &image, &err) != FNP_OK) {
        tap_ok(false, "layout: %s", err.text);
        return;
    }
    table = addr_of(&image, "table");
    moved = addr_of(&image, "moved");
    shared = addr_of(&image, "shared");
    zero = addr_of(&image, "zero");
    tap_ok(image.entry == addr_of(&image, "f") && image.code_len == 34 &&
               prot_at(&image, image.entry) == RX,
           "code is readable and executable, its length known (%llu)",
           (unsigned long long)image.code_len);
    tap_ok(table % 64 == 0 && prot_at(&image, table) == RO, ".rodata is read-only");
    tap_ok(read_at(&image, table, 8) == moved && read_at(&image, moved, 8) == 9,
           "relocations of reached data are followed");
    tap_ok(shared % 32 == 0 && prot_at(&image, shared) == RW, "COMMON is allocated");
    tap_ok(zero % 256 == 0 && prot_at(&image, zero) == RW &&
               read_at(&image, zero, 8) == 0,
           ".bss is allocated and zero");
    tap_ok(find(&image, "l") && !find(&image, "unused"),
           "a section nobody refers to is left out");
    tap_ok(!find(&image, "boot") && !find(&image, "nobody") &&
               find(&image, ".init_array") && find(&image, ".init_array")->is_trap,
           "constructors are not followed, their table is a trap");
    for (size_t i = 0; i < image.n_segments; i++) {
        tap_ok(image.segments[i].addr % 4096 == 0 && image.segments[i].len % 4096 == 0,
               "segment %zu is whole pages", i);
    }
    test_names(text, &image);
}

/* Thread-local storage in a neighbour is no reason to refuse the kernel. */
static void test_barred(void)
{
    static const char text[] =
        ".globl f; .type f, @function; f: jmp g; .size f, . - f\n"
        ".type g, @function; g: nop; mov %fs:t@tpoff, %eax; ret; .size g, . - g\n"
        ".type h, @gnu_indirect_function; .globl h; h: ret\n"
        ".type k, @function; .globl k; k: call h; .size k, . - k\n"
        ".section .tbss, \"awT\", @nobits; t: .skip 4";
    struct fnp_image image = { 0 };
    struct fnp_err err;
    const struct fnp_symbol *g;

    if (load(text, "f", NULL, &image, &err) != FNP_OK) {
        tap_ok(false, "barred: %s", err.text);
        return;
    }
    g = find(&image, "g (uses thread-local storage)");
    tap_ok(g && g->is_trap && read_at(&image, g->addr, 2) == 0x0b0f,
           "a function that uses thread-local storage begins with a trap");
    if (load(text, "k", NULL, &image, &err) != FNP_OK) {
        tap_ok(false, "IFUNC: %s", err.text);
        return;
    }
    g = fnp_image_symbol(&image, image.entry + 5 + read_at(&image, image.entry + 1, 4));
    tap_ok(g && g->is_trap && strcmp(g->name, "IFUNC h") == 0,
           "an IFUNC is a trap for whoever calls it");
}

static void test_by_address(void)
{
    static const char text[] = ".text; nop; nop; .byte 0x0f, 0x77; ret";
    struct fnp_contract contract = { .name = "stripped",
                                     .has_address = true,
                                     .address = 2 };
    struct fnp_image image = { 0 };
    struct fnp_err err;
    bool ok = load(text, NULL, &contract, &image, &err) == FNP_OK;

    tap_ok(ok && read_at(&image, image.entry, 2) == 0x770f,
           "an address counts in .text");
    tap_ok(ok && strcmp(fnp_image_symbol(&image, image.entry)->name, "stripped") == 0,
           "code without a symbol is called after the contract");
    ok = load(".section .aaa, \"ax\"; nop; nop; nop; .text; ret; nop; ret", NULL,
              &contract, &image, &err) == FNP_OK;
    tap_ok(ok && read_at(&image, image.entry, 1) == 0xc3,
           "also when .text is not first");
    ok = load(".section .aaa, \"ax\"; nop; nop; ret; .section .bbb, \"ax\"; ret", NULL,
              &contract, &image, &err) == FNP_OK;
    tap_ok(ok && read_at(&image, image.entry, 1) == 0xc3,
           "and in the first code section when there is no .text");
    contract.address = 5;
    tap_ok(load(text, NULL, &contract, &image, &err) == FNP_INPUT &&
               strstr(err.text, "address 0x5 is beyond the end of .text"),
           "an address beyond the end is refused: %s", err.text);
}

/* Code identity: independent of names and place, not of bytes. */
static void test_hash(void)
{
    static const struct {
        const char *name, *text;
        bool equal;
    } rows[] = {
        { "other name",        ".globl f; g: f: mov d(%rip), %eax; ret; .data; d: .quad 1",
         true  },
        { "other data name",   ".globl f; f: mov e(%rip), %eax; ret; .data; e: .quad 1",
         true  },
        { "other instruction", ".globl f; f: mov d(%rip), %ecx; ret; .data; d: .quad 1",
         false },
        { "other data",        ".globl f; f: mov d(%rip), %eax; ret; .data; d: .quad 2",
         false },
        { "other target",      ".globl f; f: mov d+4(%rip), %eax; ret; .data; d: .quad 1",
         false },
    };
    static const char first[] =
        ".globl f; f: mov d(%rip), %eax; ret; .data; d: .quad 1";
    static const char calls_g[] = ".globl f; f: jmp g",
                      calls_h[] = ".globl f; f: jmp h";
    static const char two[] = ".globl f, g; f: nop; g: ret";
    static const char absolute[] = ".globl f; f: movabs $f, %rax; ret";
    static const char *const debug[] = { "-g", NULL };
    struct fnp_image image = { 0 }, other = { 0 };
    struct fnp_err err;
    char *path = assemble(first, ".S", debug);
    bool ok = load(first, "f", NULL, &image, &err) == FNP_OK;

    tap_ok(ok && strncmp(image.code, "sha256:", 7) == 0 && strlen(image.code) == 7 + 64,
           "%s", image.code);
    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        ok = load(rows[i].text, "f", NULL, &other, &err) == FNP_OK;
        tap_ok(ok && (strcmp(image.code, other.code) == 0) == rows[i].equal,
               "%s: %s code", rows[i].name, rows[i].equal ? "equal" : "different");
    }
    ok = load_file(path, "f", NULL, 1, &other, &err) == FNP_OK;
    tap_ok(ok && strcmp(image.code, other.code) == 0 &&
               other.entry == image.entry + FNP_IMAGE_SPAN,
           "debug information and slot make no difference");
    free(path);
    path = assemble(absolute, ".S", NULL);
    ok = load_file(path, "f", NULL, 0, &image, &err) == FNP_OK &&
         load_file(path, "f", NULL, 1, &other, &err) == FNP_OK;
    tap_ok(ok && strcmp(image.code, other.code) == 0 &&
               read_at(&other, other.entry + 2, 8) == other.entry,
           "nor does the slot where it shows in the bytes");
    free(path);
    ok = load(two, "f", NULL, &image, &err) == FNP_OK &&
         load(two, "g", NULL, &other, &err) == FNP_OK;
    tap_ok(ok && strcmp(image.code, other.code) != 0, "the entry counts");
    ok = load(calls_g, "f", NULL, &image, &err) == FNP_OK &&
         load(calls_h, "f", NULL, &other, &err) == FNP_OK;
    tap_ok(ok && strcmp(image.code, other.code) != 0, "what is missing counts by name");
}

/* Two functions of one name: the global one is meant. */
static void test_equal_names(void)
{
    char *local = assemble(".type f, @function; f: nop; ret; .size f, 2", ".S", NULL);
    char *global =
        assemble(".globl f; .type f, @function; f: ret; .size f, 1", ".S", NULL);
    char *both = assemble("", ".S", NULL);
    const char *const link[] = { "-r", "-nostdlib", local, global, "-o", both, NULL };
    struct fnp_object object;
    struct fnp_object_symbol *list = NULL;
    struct fnp_image image = { 0 };
    struct fnp_err err;
    size_t count = 0;
    bool ok = local && global && both && assemble_run(link);

    ok = ok && load_file(both, "f", NULL, 0, &image, &err) == FNP_OK;
    tap_ok(ok && read_at(&image, image.entry, 1) == 0xc3,
           "equal names: the global one");
    ok = ok && fnp_object_read(&arena, both, &object, &err) == FNP_OK &&
         fnp_object_functions(&arena, &object, &list, &count, &err) == FNP_OK;
    tap_ok(ok && count == 1 && list[0].is_global && list[0].size == 1,
           "and it is listed once");
    free(local);
    free(global);
    free(both);
}

static void test_lto(void)
{
    static const char *const slim[] = { "-flto", "-fno-fat-lto-objects", NULL };
    char *path = assemble("int f(void) { return 1; }\n", ".c", slim);
    struct fnp_image image;
    struct fnp_err err;
    enum fnp_status status = load_file(path, "f", NULL, 0, &image, &err);

    if (!path) {
        tap_ok(true, "slim LTO object # SKIP the compiler makes none");
        return;
    }
    tap_ok(status == FNP_INPUT &&
               (strstr(err.text, "link-time") || strstr(err.text, "bitcode")),
           "slim LTO object: %s", err.text);
    free(path);
}

/* Map the image and call its entry; *ok is false when it cannot be mapped. */
static int run_image(const struct fnp_image *image, bool *ok)
{
    int (*entry)(void);
    uintptr_t addr = (uintptr_t)image->entry;
    int result = 0;

    *ok = loaded_map(image);
    if (*ok) {
        memcpy(&entry, &addr, sizeof(entry));
        result = entry();
        loaded_unmap(image);
    }
    return result;
}

static void test_programs(void)
{
    static const char *const models[][4] = {
        { "-O2", NULL },
        { "-O0", "-fPIC", NULL },
        { "-O2", "-fPIC", "-ffunction-sections", NULL },
        { "-O2", "-fno-pic", NULL },
        { "-O0", "-fno-pic", "-fcommon", NULL },
        { "-O1", "-fno-pic", "-mcmodel=kernel", NULL },
        { "-O1", "-fno-pic", "-mcmodel=large", NULL },
        { "-O1", "-fPIC", "-mcmodel=large", NULL },
        { "-O1", "-fPIC", "-mcmodel=medium", NULL },
        { "-O2", "-fno-plt", "-fPIC", NULL },
        { "-O2", "-g", "-fdata-sections", NULL },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(models); i++) {
        for (unsigned slot = 0; slot < 2; slot++) {
            char *path = assemble(program, ".c", models[i]);
            struct fnp_image image = { 0 };
            struct fnp_err err;
            bool ok =
                load_file(path, "reference_sum", NULL, slot, &image, &err) == FNP_OK;
            int got = ok ? run_image(&image, &ok) : 0;

            tap_ok(ok && got == want_program(),
                   "C code, %s %s, slot %u, at %#llx: %d %s", models[i][0],
                   models[i][1] ? models[i][1] : "", slot,
                   (unsigned long long)image.entry, got, err.text);
            free(path);
        }
    }
}

int main(void)
{
    if (!assemble_begin()) {
        tap_ok(true, "loading objects # SKIP no C compiler");
        return tap_done();
    }
    test_relocations();
    test_refusals();
    test_undefined();
    test_set_wins();
    test_layout();
    test_barred();
    test_by_address();
    test_hash();
    test_equal_names();
    test_lto();
    test_programs();
    assemble_done();
    fnp_arena_release(&arena);
    return tap_done();
}
