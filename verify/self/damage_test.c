/* SPDX-License-Identifier: MIT */
/*
 * damage_test.c - a damaged object costs one sentence, never a crash, never a hang
 *
 * Sound objects of both widths and archives of them are cut at every length and changed
 * at random places; whatever comes of it, the loader answers OK or INPUT, and INPUT
 * brings one line.  "damage_test 100000" tries so many damaged copies of each.
 */
#include <elf.h>
#include <string.h>

#include "base/arena.h"
#include "base/rng.h"
#include "subject/archive.h"
#include "subject/members.h"
#include "verify/self/ar.h"
#include "verify/self/assemble.h"
#include "verify/self/damage.h"
#include "verify/self/tap.h"
#include "x86/scan.h"

#define EDITS         6000 /* damaged copies of each file */
#define SECONDS       10   /* for a thousand of them; sound code needs under one */
#define FUNCTIONS_MAX 8    /* loaded from one copy */
#define PLAIN_HEADER  64   /* bytes of a header of ELF or ar, worth extra blows */
#define HEADS_MAX     8

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

static const char text_32[] = "        .text\n"
                              "        .globl  copy, fill\n"
                              "        .type   copy, @function\n"
                              "copy:   mov     threshold@GOT(%ebx), %eax\n"
                              "        mov     table@GOT, %ecx\n"
                              "        lea     counter@GOTOFF(%ebx), %edx\n"
                              "        mov     $table + 8, %esi\n"
                              "        call    outside@PLT\n"
                              "        jmp     *%eax\n"
                              "        .size   copy, . - copy\n"
                              "        .type   fill, @function\n"
                              "fill:   mov     %esi, counter\n"
                              "        mov     shared, %eax\n"
                              "        call    helper\n"
                              "        add     $_GLOBAL_OFFSET_TABLE_, %ebx\n"
                              "        ret\n"
                              "        .size   fill, . - fill\n"
                              "        .section .text.helper, \"ax\", @progbits\n"
                              "        .type   helper, @function\n"
                              "helper: mov     %gs:local@ntpoff, %eax\n"
                              "        ret\n"
                              "        .size   helper, . - helper\n"
                              "        .type   other, @function\n"
                              "other:  movntq  %mm0, (%edi)\n"
                              "        ret\n"
                              "        .size   other, . - other\n"
                              "        .section .rodata\n"
                              "        .balign 32\n"
                              "table:  .long   copy, fill - ., other, weak\n"
                              "        .weak   weak\n"
                              "        .data\n"
                              "        .globl  threshold\n"
                              "threshold: .long 4096\n"
                              "        .bss\n"
                              "counter: .skip  100\n"
                              "        .comm   shared, 40, 16\n"
                              "        .section .tbss, \"awT\", @nobits\n"
                              "local:  .skip   4\n";

/* What other members of an archive have for `copy`. */
static const char text_more[] = "        .globl  outside, weak\n"
                                "        .type   outside, @function\n"
                                "outside: mov    shared(%rip), %eax\n"
                                "        call    copy\n"
                                "        lea     word(%rip), %rcx\n"
                                "        ret\n"
                                "        .size   outside, . - outside\n"
                                "        .comm   shared, 80, 32\n"
                                "        .data\n"
                                "weak:   .quad   word\n"
                                "word:   .quad   outside\n";

/* A sound file, and where the headers in it are. */
struct sound {
    const char *name;
    struct fnp_object object;
    size_t heads[HEADS_MAX];
    size_t n_heads;
};

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
static bool try_object(struct fnp_arena *arena, const struct fnp_object *object)
{
    static const char *const names[] = { "copy", "fill", "other", "nowhere" };
    struct fnp_object_symbol *list = NULL;
    struct fnp_err err = { "" };
    size_t count = 0;
    const char *what = fnp_object_unsupported(object);
    bool ok = !what || (what[0] && !strchr(what, '\n'));

    ok &= damage_answer(fnp_object_functions(arena, object, &list, &count, &err), &err);
    for (size_t i = 0; i < count && i < FUNCTIONS_MAX; i++) {
        ok &= load(arena, list[i].object ? list[i].object : object, list[i].name, 0);
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(names); i++) {
        ok &= load(arena, object, names[i], 1);
    }
    if (!object->members) {
        ok &= load(arena, object, NULL, 0);
    }
    return ok;
}

/* Everything one does with an archive. */
static bool try_archive(struct fnp_arena *arena, struct fnp_object *archive)
{
    static const char *const names[] = { "0.o", "same.o", "same.o#2", "9.o" };
    struct fnp_err err = { "" };
    enum fnp_status status = fnp_members_read(arena, archive, &archive->members, &err);
    bool ok = damage_answer(status, &err);

    for (size_t i = 0; status == FNP_OK && i < FNP_ARRAY_LEN(names); i++) {
        struct fnp_object member;

        ok &= damage_answer(fnp_members_named(arena, archive, names[i], &member, &err),
                            &err);
    }
    return ok && (status != FNP_OK || try_object(arena, archive));
}

/* Change one to four places, more often in headers. */
static void strike(struct fnp_rng *rng, const struct sound *sound, unsigned char *bytes)
{
    const size_t len = sound->object.len;
    uint64_t blows = 1 + fnp_rng_below(rng, 4);

    while (blows--) {
        size_t head = sound->heads[fnp_rng_below(rng, sound->n_heads)];
        size_t near = head + fnp_rng_below(rng, PLAIN_HEADER);
        size_t at =
            fnp_rng_below(rng, 4) || near >= len ? fnp_rng_below(rng, len) : near;

        damage_strike(rng, bytes, len, at);
    }
}

/* A copy of exactly len bytes, so that a sanitizer sees a read past the end. */
static bool try_bytes(const struct sound *sound, const unsigned char *bytes, size_t len)
{
    struct fnp_arena arena = { 0 };
    unsigned char *copy = malloc(len ? len : 1);
    struct fnp_object object = { .path = sound->object.path,
                                 .bytes = copy,
                                 .len = len };
    bool ok;

    if (len) {
        memcpy(copy, bytes, len);
    }
    ok = fnp_archive_is(&object) ? try_archive(&arena, &object)
                                 : try_object(&arena, &object);
    free(copy);
    fnp_arena_release(&arena);
    return ok;
}

static void try_edits(const struct sound *sound, unsigned edits)
{
    struct fnp_rng rng = { 1 };
    const size_t len = sound->object.len;
    unsigned char *bytes = malloc(len);

    unsigned n_bad = 0;

    damage_n_ok = damage_n_input = 0;
    for (unsigned i = 0; i < edits; i++) {
        if (i % 1000 == 0) {
            alarm(SECONDS);
        }
        memcpy(bytes, sound->object.bytes, len);
        strike(&rng, sound, bytes);
        if (!try_bytes(sound, bytes, len)) {
            n_bad++;
            printf("# %s: edit %u is answered wrongly\n", sound->name, i);
        }
    }
    alarm(0);
    tap_ok(n_bad == 0, "%s: %u damaged copies: OK or one sentence", sound->name, edits);
    tap_ok(damage_n_ok > edits && damage_n_input > edits,
           "both answers were common: %u OK, %u INPUT", damage_n_ok, damage_n_input);
    free(bytes);
}

static void try_all(const struct sound *sound, unsigned edits)
{
    unsigned n_bad = 0;

    damage_n_ok = damage_n_input = 0;
    n_bad += !try_bytes(sound, sound->object.bytes, sound->object.len);
    tap_ok(n_bad == 0 && damage_n_ok > 6 && damage_n_input > 0 && damage_n_input < 7,
           "%s: sound, it loads but for TLS and what is not there: %u OK, %u INPUT",
           sound->name, damage_n_ok, damage_n_input);

    for (size_t len = 0; len < sound->object.len; len++) {
        alarm(SECONDS);
        n_bad += !try_bytes(sound, sound->object.bytes, len);
    }
    tap_ok(n_bad == 0, "%s: %zu truncations: OK or one sentence", sound->name,
           sound->object.len);
    try_edits(sound, edits);
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

/* ---- the sound files */

static char *read_object(struct fnp_arena *arena, const char *source,
                         const char *const *options, struct fnp_object *out)
{
    struct fnp_err err = { "" };
    char *path = assemble(source, ".S", options);

    if (path && fnp_object_read(arena, path, out, &err) != FNP_OK) {
        free(path);
        path = NULL;
    }
    return path;
}

static void add_member(struct sound *sound, struct ar *ar, const char *name,
                       const struct fnp_object *object, bool is_thin)
{
    sound->heads[sound->n_heads++] = (size_t)ftell(ar->file);
    ar_add(ar, name, is_thin ? NULL : object->bytes, object->len);
}

/* The archive's names are in its table, except one. */
static void try_archives(struct fnp_arena *arena, const struct fnp_object *object,
                         const struct fnp_object *more, unsigned edits)
{
    static const char names[] = "0.o/\nsame.o/\n";
    struct sound sound = { .name = "archive" };
    struct ar ar;

    ar_begin(&ar, "!<arch>\n");
    sound.heads[sound.n_heads++] = 0;
    ar_add(&ar, "/", "\0\0\0\0", 4);
    ar_add(&ar, "//", names, sizeof(names) - 1);
    add_member(&sound, &ar, "/0", object, false);
    add_member(&sound, &ar, "/5", more, false);
    add_member(&sound, &ar, "#1/6",
               &(struct fnp_object){ .bytes = (const void *)"same.o", .len = 6 },
               false);
    sound.object = ar_end(&ar, "damaged.a");
    try_all(&sound, edits);
    free(ar.bytes);

    sound = (struct sound){ .name = "thin archive" };
    ar_begin(&ar, "!<thin>\n");
    sound.heads[sound.n_heads++] = 0;
    ar_add(&ar, "//", object->path, strlen(object->path));
    add_member(&sound, &ar, "/0", object, true);
    add_member(&sound, &ar, strrchr(more->path, '/') + 1, more, true);
    sound.object = ar_end(&ar, fnp_arena_printf(arena, "%s/x.a", assemble_dir));
    try_all(&sound, edits);
    free(ar.bytes);
}

int main(int argc, char **argv)
{
    static const char *const m32[] = { "-m32", NULL };
    const unsigned edits = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : EDITS;
    struct fnp_arena arena = { 0 };
    struct sound wide = { .name = "64-bit object", .n_heads = 1 };
    struct sound narrow = { .name = "32-bit object", .n_heads = 1 };
    struct fnp_object more;
    char *paths[3] = { NULL };

    if (!assemble_begin()) {
        tap_ok(true, "damaged objects # SKIP no C compiler");
        return tap_done();
    }
    paths[0] = read_object(&arena, text, NULL, &wide.object);
    paths[1] = read_object(&arena, text_more, NULL, &more);
    paths[2] = read_object(&arena, text_32, m32, &narrow.object);
    tap_ok(paths[0] && paths[1], "sound objects are made and read");
    if (paths[0] && paths[1]) {
        try_aimed(&wide.object);
        try_all(&wide, edits);
        try_archives(&arena, &wide.object, &more, edits);
    }
    if (paths[2]) {
        try_all(&narrow, edits);
    } else {
        tap_ok(true, "damaged 32-bit objects # SKIP no compiler for -m32");
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(paths); i++) {
        free(paths[i]);
    }
    fnp_arena_release(&arena);
    assemble_done();
    return tap_done();
}
