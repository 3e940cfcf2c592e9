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
#include "base/rng.h"
#include "subject/image.h"
#include "verify/self/assemble.h"
#include "verify/self/tap.h"
#include "x86/scan.h"

#define EDITS         24000 /* damaged copies */
#define SECONDS       10    /* for a thousand of them; sound code needs under one */
#define FUNCTIONS_MAX 8     /* loaded from one copy */
#define PLAIN_HEADER  64    /* bytes of an ELF header, worth extra blows */

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

static unsigned n_bad, n_ok, n_input;

/* May the loader have answered this? */
static bool answer_ok(enum fnp_status status, const struct fnp_err *err)
{
    size_t len = strlen(err->text);

    n_ok += status == FNP_OK;
    n_input += status == FNP_INPUT;
    if (status == FNP_OK) {
        return true;
    }
    return status == FNP_INPUT && len > 0 && len < sizeof(err->text) &&
           !strpbrk(err->text, "\n\r\t\033");
}

/* Everything a loaded image is used for must hold too. */
static bool use_image(const struct fnp_image *image)
{
    size_t avail = 0;
    const unsigned char *bytes = fnp_image_bytes(image, image->entry, &avail);
    char buffer[128];
    struct fnp_scan scan;

    if (!bytes || avail == 0 || image->n_segments > 8) {
        return false;
    }

    const struct fnp_code code = { .bytes = bytes, .len = avail, .addr = image->entry };
    struct fnp_str out = fnp_str_over(buffer, sizeof(buffer));

    fnp_scan_code(&code, image->entry, &scan);
    (void)fnp_insn_text(&code, image->entry, &out);
    for (size_t i = 0; i < image->n_segments; i++) {
        (void)fnp_image_symbol(image, image->segments[i].addr);
        (void)fnp_image_symbol(image,
                               image->segments[i].addr + image->segments[i].len - 1);
    }
    return fnp_image_symbol(image, image->entry) != NULL;
}

static bool load(struct fnp_arena *arena, const struct fnp_object *object,
                 const char *symbol, unsigned slot)
{
    const struct fnp_contract by_address = { .has_address = true, .address = 3 };
    struct fnp_image image;
    struct fnp_err err = { "" };
    enum fnp_status status = fnp_image_load(
        arena, object, symbol, symbol ? NULL : &by_address, slot, &image, &err);

    return answer_ok(status, &err) && (status != FNP_OK || use_image(&image));
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

    ok &= answer_ok(fnp_object_functions(&arena, object, &list, &count, &err), &err);
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

/* Change one to four places: a bit, a byte, or a whole little-endian word. */
static void damage(struct fnp_rng *rng, unsigned char *bytes, size_t len)
{
    static const uint64_t words[] = { 0,          1,         0x7fffffff,
                                      0xffffffff, INT64_MAX, UINT64_MAX };
    uint64_t blows = 1 + fnp_rng_below(rng, 4);

    while (blows--) {
        size_t range = fnp_rng_below(rng, 4) ? len : PLAIN_HEADER;
        size_t at = fnp_rng_below(rng, range);
        size_t room = len - at < 8 ? len - at : 8;
        uint64_t word = words[fnp_rng_below(rng, FNP_ARRAY_LEN(words))];

        switch (fnp_rng_below(rng, 4)) {
        case 0:
            bytes[at] = (unsigned char)(bytes[at] ^ 1u << fnp_rng_below(rng, 8));
            break;
        case 1:
            bytes[at] = (unsigned char)fnp_rng_next(rng);
            break;
        case 2:
            memcpy(bytes + at, &word, room < 4 ? room : 4);
            break;
        default:
            memcpy(bytes + at, &word, room);
            break;
        }
    }
}

/* A copy of exactly len bytes, so that a sanitizer sees a read past the end. */
static bool try_bytes(const unsigned char *bytes, size_t len)
{
    unsigned char *copy = malloc(len ? len : 1);
    struct fnp_object object = { .path = "damaged.o", .bytes = copy, .len = len };
    bool ok;

    if (len) {
        memcpy(copy, bytes, len);
    }
    ok = try_object(&object);
    free(copy);
    return ok;
}

static void try_all(const struct fnp_object *sound)
{
    struct fnp_rng rng = { 1 };
    unsigned char *bytes = malloc(sound->len);

    n_bad += !try_bytes(sound->bytes, sound->len);
    tap_ok(n_bad == 0 && n_input == 2,
           "the sound object loads but for TLS and 'nowhere'");

    for (size_t len = 0; len < sound->len; len++) {
        alarm(SECONDS);
        n_bad += !try_bytes(sound->bytes, len);
    }
    tap_ok(n_bad == 0, "%zu truncations: OK or one sentence", sound->len);

    n_bad = n_ok = n_input = 0;
    for (unsigned i = 0; i < EDITS; i++) {
        if (i % 1000 == 0) {
            alarm(SECONDS);
        }
        memcpy(bytes, sound->bytes, sound->len);
        damage(&rng, bytes, sound->len);
        if (!try_bytes(bytes, sound->len)) {
            n_bad++;
            printf("# edit %u is answered wrongly\n", i);
        }
    }
    alarm(0);
    tap_ok(n_bad == 0, "%u damaged copies: OK or one sentence", EDITS);
    tap_ok(n_ok > EDITS && n_input > EDITS, "both answers were common: %u OK, %u INPUT",
           n_ok, n_input);
    free(bytes);
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
    if (path && sound.len > PLAIN_HEADER) {
        try_aimed(&sound);
        try_all(&sound);
    }
    free(path);
    fnp_arena_release(&arena);
    assemble_done();
    return tap_done();
}
