/* SPDX-License-Identifier: MIT */
/*
 * damage_test.c - a damaged object costs one sentence, never a crash, never a hang
 *
 * A sound object is cut at every length and changed at random places; whatever comes
 * of it, the loader answers OK or INPUT, and INPUT brings one line.
 */
#include <elf.h>
#include <string.h>

#include "base/arena.h"
#include "subject/image.h"
#include "verify/self/assemble.h"
#include "verify/self/damage.h"
#include "verify/self/tap.h"

#define EDITS         24000 /* damaged copies */
#define FUNCTIONS_MAX 8     /* loaded from one copy */

static const char text[] = "        .text\n"
                           "        .globl  copy, fill\n"
                           "        .type   copy, @function\n"
                           "copy:   cmp     $64, %rdx\n"
                           "        jb      1f\n"
                           "        mov     threshold@GOTPCREL(%rip), %rax\n"
                           "        lea     table(%rip), %rcx\n"
                           "        movabs  $table, %r8\n"
                           "        call    outside@PLT\n"
                           "1:      rep movsb\n"
                           "        jmp     *%rax\n"
                           "        .size   copy, . - copy\n"
                           "        .type   fill, @function\n"
                           "fill:   mov     %esi, counter(%rip)\n"
                           "        mov     $table, %edi\n"
                           "        mov     shared(%rip), %eax\n"
                           "        call    helper\n"
                           "        lea     _GLOBAL_OFFSET_TABLE_(%rip), %rbx\n"
                           "        ret\n"
                           "        .size   fill, . - fill\n"
                           "        .section .text.helper, \"ax\", @progbits\n"
                           "        .type   helper, @function\n"
                           "helper: mov     %fs:local@tpoff, %eax\n"
                           "        ret\n"
                           "        .size   helper, . - helper\n"
                           "        .type   other, @function\n"
                           "other:  movntq  %mm0, (%rdi)\n"
                           "        ret\n"
                           "        .size   other, . - other\n"
                           "        .section .rodata\n"
                           "        .balign 32\n"
                           "table:  .quad   copy, fill - ., other, weak\n"
                           "        .weak   weak\n"
                           "        .data\n"
                           "        .globl  threshold\n"
                           "threshold: .quad 4096\n"
                           "        .bss\n"
                           "counter: .skip  100\n"
                           "        .comm   shared, 40, 16\n"
                           "        .section .tbss, \"awT\", @nobits\n"
                           "local:  .skip   4\n";

static bool load(struct fnp_arena *arena, const struct fnp_object *object,
                 const char *symbol, unsigned slot)
{
    const struct fnp_contract by_address = { .has_address = true, .address = 3 };
    struct fnp_image image;
    struct fnp_err err = { "" };
    enum fnp_status status = fnp_image_load(
        arena, object, symbol, symbol ? NULL : &by_address, slot, &image, &err);

    return damage_answer(status, &err) &&
           (status != FNP_OK || damage_use_image(&image));
}

/* Everything one does with an object; false on an answer that must not be. */
static bool try_object(const struct fnp_object *object)
{
    static const char *const names[] = { "copy", "fill", "other", "nowhere" };
    struct fnp_arena arena = { 0 };
    struct fnp_object_symbol *list = NULL;
    struct fnp_err err = { "" };
    size_t count = 0;
    const char *what = fnp_object_unsupported(object);
    bool ok = !what || (what[0] && !strchr(what, '\n'));

    ok &=
        damage_answer(fnp_object_functions(&arena, object, &list, &count, &err), &err);
    for (size_t i = 0; i < count && i < FUNCTIONS_MAX; i++) {
        ok &= load(&arena, object, list[i].name, 0);
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(names); i++) {
        ok &= load(&arena, object, names[i], 1);
    }
    ok &= load(&arena, object, NULL, 0);
    fnp_arena_release(&arena);
    return ok;
}

static void try_all(const struct fnp_object *sound)
{
    bool ok = damage_try_bytes(try_object, sound->bytes, sound->len);

    tap_ok(ok && damage_n_input == 2,
           "the sound object loads but for TLS and 'nowhere'");
    damage_cut(try_object, sound, 1);
    damage_change(try_object, sound, EDITS);
}

/* Damage that needs aim: what a table says about other parts of the file. */
enum aimed {
    AIM_FIELD,  /* a relocation's field sticks out of its section */
    AIM_SYMBOL, /* a relocation names a symbol that is not there */
    AIM_SHARED, /* all relocation tables are the whole file */
    AIM_LINK,   /* the symbol table's names are in no section */
};

static const struct {
    const char *name;
    enum aimed aim;
    const char *sentence; /* what stands in it */
} aims[] = {
    { "field outside the section",          AIM_FIELD,  "lies outside the section"    },
    { "no such symbol",                     AIM_SYMBOL, "there is no symbol 16777215" },
    { "relocation tables that share bytes", AIM_SHARED, "is no table for a section"   },
    { "symbols without names",              AIM_LINK,   "damaged: the symbol table"   },
};

static void aim_at_relas(unsigned char *bytes, size_t len, Elf64_Shdr *header,
                         enum aimed aim)
{
    Elf64_Rela rela;

    if (aim == AIM_SHARED) {
        header->sh_offset = 0;
        header->sh_size = len / sizeof(rela) * sizeof(rela);
        return;
    }
    memcpy(&rela, bytes + header->sh_offset, sizeof(rela));
    if (aim == AIM_FIELD) {
        rela.r_offset = 0xfffffffffffffffe;
    } else if (aim == AIM_SYMBOL) {
        rela.r_info = ELF64_R_INFO(16777215ull, R_X86_64_PC32);
    }
    memcpy(bytes + header->sh_offset, &rela, sizeof(rela));
}

static void aim_at(unsigned char *bytes, size_t len, enum aimed aim)
{
    Elf64_Ehdr file;

    memcpy(&file, bytes, sizeof(file));
    for (size_t i = 0; i < file.e_shnum; i++) {
        unsigned char *at = bytes + file.e_shoff + i * sizeof(Elf64_Shdr);
        Elf64_Shdr header;

        memcpy(&header, at, sizeof(header));
        if (header.sh_type == SHT_RELA) {
            aim_at_relas(bytes, len, &header, aim);
        } else if (header.sh_type == SHT_SYMTAB && aim == AIM_LINK) {
            header.sh_link = file.e_shnum;
        }
        memcpy(at, &header, sizeof(header));
    }
}

static void try_aimed(const struct fnp_object *sound)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(aims); i++) {
        struct fnp_arena arena = { 0 };
        unsigned char *bytes = fnp_arena_alloc(&arena, sound->len);
        struct fnp_object object = { .path = "x.o", .bytes = bytes, .len = sound->len };
        struct fnp_image image;
        struct fnp_err err = { "" };
        enum fnp_status status;

        memcpy(bytes, sound->bytes, sound->len);
        aim_at(bytes, sound->len, aims[i].aim);
        status = fnp_image_load(&arena, &object, "copy", NULL, 0, &image, &err);
        tap_ok(status == FNP_INPUT && strstr(err.text, aims[i].sentence), "%s: %s",
               aims[i].name, err.text);
        fnp_arena_release(&arena);
    }
}

int main(void)
{
    struct fnp_arena arena = { 0 };
    struct fnp_object sound;
    struct fnp_err err = { "" };
    char *path;

    if (!assemble_begin()) {
        tap_ok(true, "damaged objects # SKIP no C compiler");
        return tap_done();
    }
    path = assemble(text, ".S", NULL);
    tap_ok(path && fnp_object_read(&arena, path, &sound, &err) == FNP_OK,
           "the sound object is made and read");
    if (path && sound.len > DAMAGE_HEADER) {
        try_aimed(&sound);
        try_all(&sound);
    }
    free(path);
    fnp_arena_release(&arena);
    assemble_done();
    return tap_done();
}
