/* SPDX-License-Identifier: MIT */
/*
 * image32_test.c - i386 objects made on the spot are loaded, and every field is looked at
 *
 * What the two widths share is image_test.c's business.  Relocations are judged by the
 * formulas of the psABI; C code is run in a 32-bit segment.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "subject/reloc.h"
#include "verify/self/loaded.h"
#include "verify/self/program.h"
#include "verify/self/tap.h"
#include "x86/cpuid.h"

static const char *const m32[] = { "-m32", NULL };

/*
 * One field with one relocation against `target`; it holds the addend.  The formula adds
 * and subtracts S A P Z, T (the GOT) and G (the target's GOT entry).
 */
static const struct {
    const char *type;
    size_t width;
    const char *target;
    int addend;
    const char *formula;
} relocs[] = {
    { "R_386_32",     4, "target",                4,     "+S+A"   },
    { "R_386_32",     4, "target",                -8,    "+S+A"   },
    { "R_386_32",     4, "number",                4,     "+S+A"   },
    { "R_386_16",     2, "number",                -3,    "+S+A"   },
    { "R_386_8",      1, "number",                4,     "+S+A"   },
    { "R_386_PC32",   4, "target",                -4,    "+S+A-P" },
    { "R_386_PC32",   4, "target",                70000, "+S+A-P" },
    { "R_386_PLT32",  4, "target",                -4,    "+S+A-P" },
    { "R_386_PC16",   2, "near",                  -2,    "+S+A-P" },
    { "R_386_PC8",    1, "near",                  -1,    "+S+A-P" },
    { "R_386_GOT32",  4, "target",                0,     "+G-T+A" },
    { "R_386_GOT32X", 4, "target",                0,     "+G-T+A" },
    { "R_386_GOTOFF", 4, "target",                12,    "+S+A-T" },
    { "R_386_GOTPC",  4, "_GLOBAL_OFFSET_TABLE_", 1,     "+T+A-P" },
    { "R_386_SIZE32", 4, "target",                2,     "+Z+A"   },
    { "R_386_NONE",   4, "target",                5,     "+A"     },
};

static uint64_t slot_of(const struct fnp_image *image, uint64_t addr)
{
    uint64_t got = addr_of(image, "_GLOBAL_OFFSET_TABLE_");

    for (uint64_t i = 0; got && i < 8; i++) {
        if (read_at(image, got + 4 * i, 4) == addr) {
            return got + 4 * i;
        }
    }
    return 0;
}

static uint64_t evaluate(const struct fnp_image *image, size_t row)
{
    uint64_t symbol = strcmp(relocs[row].target, "number") == 0
                          ? 0x55
                          : addr_of(image, relocs[row].target);
    uint64_t value = 0;

    for (const char *at = relocs[row].formula; *at; at += 2) {
        uint64_t got = addr_of(image, "_GLOBAL_OFFSET_TABLE_");
        uint64_t part = at[1] == 'S'   ? symbol
                        : at[1] == 'A' ? (uint64_t)relocs[row].addend
                        : at[1] == 'P' ? addr_of(image, "field")
                        : at[1] == 'Z' ? 24
                        : at[1] == 'T' ? got
                                       : slot_of(image, symbol);

        value = at[0] == '+' ? value + part : value - part;
    }
    return value &
           (relocs[row].width < 4 ? (1u << 8 * relocs[row].width) - 1 : UINT32_MAX);
}

static void test_relocations(void)
{
    static const char *const fields[] = { "", ".byte", ".short", "", ".long" };

    for (size_t i = 0; i < FNP_ARRAY_LEN(relocs); i++) {
        struct fnp_image image = { 0 };
        struct fnp_err err;
        char text[1024];

        snprintf(text, sizeof(text),
                 ".text; .globl f, field, near, target, number\n"
                 "f: nop; near: nop\n"
                 "field: .reloc ., %s, %s\n%s %d\n.long 0x11111111\nret\n"
                 ".data; .skip 40; .type target, @object\n"
                 "target: .fill 24; .size target, 24\n"
                 ".set number, 0x55\n",
                 relocs[i].type, relocs[i].target, fields[relocs[i].width],
                 relocs[i].addend);

        bool ok = load_with(m32, text, "f", NULL, &image, &err) == FNP_OK;
        uint64_t field = addr_of(&image, "field");
        uint64_t want = evaluate(&image, i);
        uint64_t got = read_at(&image, field, relocs[i].width);

        tap_ok(ok && image.is32 && got == want, "%s is %s: %#llx, want %#llx %s",
               relocs[i].type, relocs[i].formula, (unsigned long long)got,
               (unsigned long long)want, err.text);
        tap_ok(ok && read_at(&image, field + relocs[i].width, 4) == 0x11111111,
               "%s leaves its neighbour alone", relocs[i].type);
        tap_ok(ok && image.entry >= FNP_IMAGE_LOW && image.entry < 0x80000000,
               "%s: the image is low", relocs[i].type);
    }
}

/* Instructions whose relocation means another thing without a base register. */
static void test_slots(void)
{
    static const char text[] =
        ".globl f; f: mov a@GOT(%ebx), %eax; mov b@GOT, %eax; call *c@GOT(%ebx)\n"
        "call *d@GOT; ret\n.data; a: .long 1; b: .long 2; c: .long 3; d: .long 4\n";
    static const struct {
        const char *name;
        unsigned at; /* of the field, from the entry */
        bool absolute;
    } rows[] = {
        { "a", 2,  false },
        { "b", 8,  true  },
        { "c", 14, false },
        { "d", 20, true  },
    };
    struct fnp_image image = { 0 };
    struct fnp_err err;
    bool ok = load_with(m32, text, "f", NULL, &image, &err) == FNP_OK;
    uint64_t got = ok ? addr_of(&image, "_GLOBAL_OFFSET_TABLE_") : 0;

    /* The short form "mov moffs, %eax" has no ModRM byte; gas does not take it here. */
    tap_ok(ok && read_at(&image, image.entry + 6, 1) == 0x8b, "code as expected %s",
           err.text);
    for (size_t i = 0; ok && i < FNP_ARRAY_LEN(rows); i++) {
        uint64_t slot = slot_of(&image, addr_of(&image, rows[i].name));
        uint64_t field = read_at(&image, image.entry + rows[i].at, 4);

        tap_ok(slot && field == (rows[i].absolute ? slot : slot - got),
               "%s: the slot %s base register", rows[i].name,
               rows[i].absolute ? "without a" : "with a");
    }
    tap_ok(ok && read_at(&image, got + 16, 4) == 0, "entries have four bytes");
}

/* ---- what the contract defines */

static void test_defined(void)
{
    static const char text[] =
        ".globl f; f: mov limit, %eax; call answer; call nothing\n"
        "jmp __x86_return_thunk; call __x86_indirect_thunk_ecx\n";
    struct fnp_contract contract = { .n_defines = 3 };
    struct fnp_image image = { 0 };
    struct fnp_err err;
    uint64_t limit, answer, ecx;
    bool ok;

    contract.defines[0] = (struct fnp_define){ .name = "limit", .value = 0xfedcba98 };
    contract.defines[1] = (struct fnp_define){
        .name = "answer", .value = 42, .is_stub = true, .has_value = true
    };
    contract.defines[2] = (struct fnp_define){ .name = "nothing", .is_stub = true };
    ok = load_with(m32, text, "f", &contract, &image, &err) == FNP_OK;
    limit = addr_of(&image, "limit");
    answer = addr_of(&image, "answer");
    ecx = addr_of(&image, "__x86_indirect_thunk_ecx");
    tap_ok(ok && read_at(&image, limit, 4) == 0xfedcba98 &&
               find(&image, "limit")->size == 4 && prot_at(&image, limit) == RW,
           "set makes a word of four bytes %s", err.text);
    tap_ok(ok && read_at(&image, answer, 1) == 0xb8 &&
               read_at(&image, answer + 1, 4) == 42 &&
               read_at(&image, answer + 5, 1) == 0xc3,
           "stub returns the number in eax");
    tap_ok(ok && read_at(&image, addr_of(&image, "nothing"), 1) == 0xc3,
           "stub without a number returns");
    tap_ok(ok && read_at(&image, ecx, 2) == 0xe1ff, "the branch thunk is jmp *%%ecx");
    for (size_t i = 0; i < 2; i++) {
        contract.defines[i].value = 0x100000000;
        tap_ok(load_with(m32, text, "f", &contract, &image, &err) == FNP_INPUT &&
                   strstr(err.text, contract.defines[i].name) &&
                   strstr(err.text, "4294967296 does not fit into 32 bits"),
               "a larger one is refused: %s", err.text);
        contract.defines[i].value = 1;
    }
    contract.defines[0].name = "not used";
    contract.defines[0].value = UINT64_MAX;
    tap_ok(load_with(m32, text, "f", &contract, &image, &err) == FNP_OK,
           "unless nothing uses it");
}

/* ---- what cannot be had */

static void test_tls(void)
{
    static const struct {
        const char *type;
        uint8_t form;
    } types[] = {
#define RELOC64(TYPE, bytes, FORM, RANGE)
#define RELOC32(TYPE, bytes, FORM, RANGE) { "R_386_" #TYPE, FNP_RELOC_##FORM },
#include "subject/reloc.def"
#undef RELOC64
#undef RELOC32
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(types); i++) {
        struct fnp_image image = { 0 };
        struct fnp_err err;
        char text[512];
        const struct fnp_symbol *g;

        if (types[i].form != FNP_RELOC_TLS) {
            continue;
        }
        snprintf(text, sizeof(text),
                 ".globl f; .type f, @function; f: jmp g; .size f, . - f\n"
                 ".type g, @function; g: nop; nop; .reloc ., %s, t; .long 0; ret\n"
                 ".size g, . - g; .section .tbss, \"awT\", @nobits; t: .skip 4\n",
                 types[i].type);
        bool ok = load_with(m32, text, "f", NULL, &image, &err) == FNP_OK;

        g = find(&image, "g (uses thread-local storage)");
        tap_ok(ok && g && g->is_trap && read_at(&image, g->addr, 2) == 0x0b0f,
               "%s bars the function %s", types[i].type, err.text);
        tap_ok(load_with(m32, text, "g", NULL, &image, &err) == FNP_INPUT &&
                   strstr(err.text, "thread-local \"t\"") &&
                   strstr(err.text, types[i].type),
               "named: %s", err.text);
    }
}

static void test_refusals(void)
{
    static const struct {
        const char *name, *option, *text, *sentence;
    } rows[] = {
        { "x32",                         "-mx32", "f: ret",                            "x32 object"                        },
        { "overflow",                    "-m32",  "f: .reloc ., R_386_16, f; .long 0",
         "R_386_16 against \"f\" does not hold"                                                                            },
        { "overflow of one byte",        "-m32",
         "f: .reloc ., R_386_PC8, d; .long 0; .data; d: .long 0",                      "does not hold"                     },
        { "relocation of a linked file", "-m32",
         "f: .reloc ., R_386_RELATIVE, 0; .long 0",                                    "relocation type 8 does not belong" },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        const char *const options[] = { rows[i].option, NULL };
        struct fnp_image image;
        struct fnp_err err;

        tap_ok(load_with(options, rows[i].text, "f", NULL, &image, &err) == FNP_INPUT &&
                   strstr(err.text, rows[i].sentence),
               "%s: %s", rows[i].name, err.text);
    }
}

/* ---- whole programs */

/*
 * int run32(uint32_t entry, uint32_t stack), to be copied below 4 GiB: call a function in
 * the 32-bit segment, on a stack it can address.
 */
extern const unsigned char run32_start[], run32_end[];
__asm__(".section .rodata\n"
        "run32_start:\n"
        "        push    %rbx\n"
        "        push    %rbp\n"
        "        lea     1f(%rip), %eax\n"
        "        mov     %eax, 5f(%rip)\n"
        "        lea     2f(%rip), %eax\n"
        "        mov     %eax, 6f(%rip)\n"
        "        mov     %rsp, 4f(%rip)\n"
        "        mov     %esi, %esp\n"
        "        lea     6f(%rip), %ebx\n"
        "        ljmp    *5f(%rip)\n"
        "        .code32\n"
        "1:      mov     %ss, %eax\n"
        "        mov     %eax, %ds\n"
        "        mov     %eax, %es\n"
        "        call    *%edi\n"
        "        ljmp    *(%ebx)\n"
        "        .code64\n"
        "2:      mov     4f(%rip), %rsp\n"
        "        pop     %rbp\n"
        "        pop     %rbx\n"
        "        ret\n"
        "        .balign 8\n"
        "4:      .quad   0\n"
        "5:      .long   0, 0x23\n"
        "6:      .long   0, 0x33\n"
        "run32_end:\n"
        "        .text\n");

/* Call the image's entry; *ok is false when it cannot be mapped. */
static int run_image(const struct fnp_image *image, bool *ok)
{
    const size_t len = 65536;
    unsigned char *low = mmap(NULL, len, PROT_READ | PROT_WRITE | PROT_EXEC,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    int (*run)(uint32_t, uint32_t);
    uintptr_t at = (uintptr_t)low;
    int result = 0;

    *ok = low != MAP_FAILED && loaded_map(image);
    if (*ok) {
        memcpy(low, run32_start, (size_t)(run32_end - run32_start));
        memcpy(&run, &at, sizeof(run));
        result = run((uint32_t)image->entry, (uint32_t)(at + len - 64));
        loaded_unmap(image);
    }
    munmap(low, len);
    return result;
}

static void test_programs(void)
{
    static const char *const models[][5] = {
        { "-m32", "-O2", NULL },
        { "-m32", "-O0", "-fPIC", NULL },
        { "-m32", "-O2", "-fPIC", "-ffunction-sections", NULL },
        { "-m32", "-O2", "-fno-pic", NULL },
        { "-m32", "-O0", "-fno-pic", "-fcommon", NULL },
        { "-m32", "-O2", "-fno-plt", "-fPIC", NULL },
        { "-m32", "-O1", "-fno-plt", "-fno-pic", NULL },
        { "-m32", "-O2", "-g", "-fdata-sections", NULL },
        { "-m32", "-O2", "-fPIC", "-mregparm=3", NULL },
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
                   "C code, %s %s, slot %u, at %#llx: %d %s", models[i][1],
                   models[i][2] ? models[i][2] : "", slot,
                   (unsigned long long)image.entry, got, err.text);
            free(path);
        }
    }
}

int main(void)
{
    char *path = assemble_begin() ? assemble("f: ret", ".S", m32) : NULL;

    if (!path) {
        tap_ok(true, "loading i386 objects # SKIP no compiler for -m32");
        assemble_done();
        return tap_done();
    }
    free(path);
    test_relocations();
    test_slots();
    test_defined();
    test_tls();
    test_refusals();
    if (fnp_cpu()->compat) {
        test_programs();
    } else {
        tap_ok(true, "running i386 code # SKIP no 32-bit code segment");
    }
    assemble_done();
    fnp_arena_release(&arena);
    return tap_done();
}
