/* SPDX-License-Identifier: MIT */
/*
 * shared_test.c - shared objects made on the spot are loaded, and the bytes looked at
 *
 * One source is linked in every way that changes what the loader has to read: both
 * classes, with and without symbols, section headers and packed relocations.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "subject/image.h"
#include "verify/self/assemble.h"
#include "verify/self/tap.h"

static struct fnp_arena arena;

static const char source[] =
    "void outside(const void *);\n"
    "extern int perhaps __attribute__((weak));\n"
    "long threshold = 4096;\n"
    "unsigned char flag = 1;\n"
    "long large[4] = { 1 };\n"
    "long counter[2000];\n"
    "void copy(char *d, const char *s, long n)\n"
    "{ while (n-- && flag) d[n] = s[n]; if (n > threshold) outside(d); }\n"
    "__attribute__((visibility(\"hidden\"))) void hidden_copy(char *d, char *s, long "
    "n)\n"
    "{ while (n--) *d++ = *s++; }\n"
    "__attribute__((noinline)) static void local_copy(char *d, char *s, long n)\n"
    "{ hidden_copy(d + 1, s + 1, n - 1); *d = *s; }\n"
    "void *const table[] = { copy, counter + 3, hidden_copy, local_copy, &perhaps };\n"
    "_Thread_local long own = 5;\n"
    "long get_own(void) { return own++; }\n"
    "static void *resolve(void) { __builtin_trap(); }\n"
    "void pick(void) __attribute__((ifunc(\"resolve\")));\n"
    "void pick_simple(void) { outside(pick); pick(); }\n"
    "__attribute__((constructor)) static void start(void) { outside(table); }\n"
    "int number_of_words = 3;\n";

/* What is true of a way to link it. */
enum {
    IS32 = 1,
    STRIPPED = 2,    /* no .symtab */
    NO_SECTIONS = 4, /* nor section headers: they are dropped here, after the linker */
    OPTIONAL = 8,    /* an old linker may refuse it */
};

static const struct way {
    const char *name;
    const char *options[3];
    unsigned flags;
} ways[] = {
    { "plain",                    { NULL },                           0                             },
    { "stripped",                 { "-s" },                           STRIPPED                      },
    { "System V hash",            { "-s", "-Wl,--hash-style=sysv" },  STRIPPED                      },
    { "GNU hash, no sections",
     { "-s", "-Wl,--hash-style=gnu" },
     STRIPPED | NO_SECTIONS                                                                         },
    { "System V, no sections",
     { "-s", "-Wl,--hash-style=sysv" },
     STRIPPED | NO_SECTIONS                                                                         },
    { "packed relocations",       { "-Wl,-z,pack-relative-relocs" },  OPTIONAL                      },
    { "few segments",             { "-Wl,-z,noseparate-code" },       0                             },
    { "bound at once",            { "-Wl,-z,now" },                   0                             },
    { "at an address",            { "-Wl,-Ttext-segment=0x7000000" }, 0                             },
    { "i386",                     { "-m32" },                         IS32                          },
    { "i386, stripped",           { "-m32", "-s" },                   IS32 | STRIPPED               },
    { "i386, no sections",        { "-m32", "-s" },                   IS32 | STRIPPED | NO_SECTIONS },
    { "i386, packed relocations",
     { "-m32", "-Wl,-z,pack-relative-relocs" },
     IS32 | OPTIONAL                                                                                },
};

static bool link_text(const char *text, const char *suffix, const char *const *extra,
                      struct fnp_object *out)
{
    const char *options[7] = { "-O1", "-fPIC", "-nostdlib" };
    struct fnp_err err;
    char *path;
    bool ok;

    for (size_t i = 0; i < 3 && extra && extra[i]; i++) {
        options[3 + i] = extra[i];
    }
    path = assemble_as("-shared", text, suffix, options);
    ok = path && fnp_object_read(&arena, path, out, &err) == FNP_OK;
    free(path);
    return ok;
}

/* A copy without the headers that only linkers and debuggers read. */
static void drop_sections(struct fnp_object *object, bool is32)
{
    unsigned char *bytes = fnp_arena_alloc(&arena, object->len);
    Elf64_Ehdr *wide = (void *)bytes;
    Elf32_Ehdr *narrow = (void *)bytes;

    memcpy(bytes, object->bytes, object->len);
    if (is32) {
        narrow->e_shoff = 0;
        narrow->e_shnum = 0;
    } else {
        wide->e_shoff = 0;
        wide->e_shnum = 0;
    }
    object->bytes = bytes;
}

static const struct fnp_symbol *find(const struct fnp_image *image, const char *name)
{
    for (size_t i = 0; i < image->n_symbols; i++) {
        if (strcmp(image->symbols[i].name, name) == 0) {
            return &image->symbols[i];
        }
    }
    return NULL;
}

static uint64_t addr_of(const struct fnp_image *image, const char *name)
{
    const struct fnp_symbol *symbol = find(image, name);

    return symbol ? symbol->addr : 0;
}

static uint64_t read_at(const struct fnp_image *image, uint64_t addr, size_t width)
{
    size_t avail = 0;
    const unsigned char *bytes = fnp_image_bytes(image, addr, &avail);
    uint64_t value = 0;

    if (!bytes || avail < width) {
        return UINT64_MAX;
    }
    memcpy(&value, bytes, width);
    return value;
}

static size_t word(const struct fnp_image *image)
{
    return image->is32 ? 4 : 8;
}

/* Protection of the segment that holds addr, or 99. */
static unsigned prot_at(const struct fnp_image *image, uint64_t addr)
{
    for (size_t i = 0; i < image->n_segments; i++) {
        const struct fnp_segment *s = &image->segments[i];

        if (addr >= s->addr && addr - s->addr < s->len) {
            return s->prot;
        }
    }
    return 99;
}

/* Is there a word anywhere that holds the address? */
static bool is_referred_to(const struct fnp_image *image, uint64_t addr)
{
    for (size_t i = 0; addr && i < image->n_segments; i++) {
        const struct fnp_segment *s = &image->segments[i];

        for (size_t at = 0; at < s->len; at += word(image)) {
            if (memcmp(s->bytes + at, &addr, word(image)) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool is_trap(const struct fnp_image *image, const char *name)
{
    const struct fnp_symbol *symbol = find(image, name);

    return symbol && symbol->is_trap && prot_at(image, symbol->addr) == 0 &&
           read_at(image, symbol->addr, 2) == 0x0b0f;
}

static enum fnp_status load(const struct fnp_object *object, const char *symbol,
                            const struct fnp_contract *contract,
                            struct fnp_image *image, struct fnp_err *err)
{
    err->text[0] = 0;
    return fnp_image_load(&arena, object, symbol, contract, 0, image, err);
}

static bool are_pages_sound(const struct fnp_image *image)
{
    uint64_t base = image->is32 ? FNP_IMAGE_LOW : FNP_IMAGE_HIGH;
    bool ok = image->n_segments > 0;

    for (size_t i = 0; i < image->n_segments; i++) {
        const struct fnp_segment *s = &image->segments[i];

        ok &= s->addr % 4096 == 0 && s->len % 4096 == 0 && s->len && s->addr >= base &&
              s->addr + s->len <= base + FNP_IMAGE_SPAN;
        ok &= i == 0 || s->addr >= s[-1].addr + s[-1].len;
    }
    return ok;
}

/* The table of addresses: symbols by name, by place, hidden, local, weak. */
static void test_table(const struct way *way, const struct fnp_image *image)
{
    uint64_t table = addr_of(image, "table");
    size_t w = word(image);

    tap_ok(table && read_at(image, table, w) == addr_of(image, "copy") &&
               read_at(image, table + w, w) == addr_of(image, "counter") + 3 * w,
           "%s: exported symbols bind inside", way->name);
    tap_ok((way->flags & STRIPPED) != 0 ||
               (read_at(image, table + 2 * w, w) == addr_of(image, "hidden_copy") &&
                read_at(image, table + 3 * w, w) == addr_of(image, "local_copy")),
           "%s: hidden and local ones, too", way->name);
    tap_ok(read_at(image, table + 4 * w, w) == 0, "%s: an undefined weak one is 0",
           way->name);
    tap_ok(prot_at(image, table) == FNP_PROT_R, "%s: read-only after relocation",
           way->name);
}

static void test_data(const struct way *way, const struct fnp_image *image)
{
    uint64_t counter = addr_of(image, "counter");
    bool zero = counter != 0;

    for (size_t i = 0; i < 2000; i++) {
        zero &= read_at(image, counter + i * word(image), word(image)) == 0;
    }
    tap_ok(zero && prot_at(image, counter) == (FNP_PROT_R | FNP_PROT_W),
           "%s: zeroed data", way->name);
    tap_ok(read_at(image, addr_of(image, "threshold"), word(image)) == 4096,
           "%s: initial data", way->name);
}

static void test_traps(const struct way *way, const struct fnp_image *image)
{
    tap_ok(is_trap(image, "outside") &&
               is_referred_to(image, addr_of(image, "outside")),
           "%s: an undefined function is a trap that slots point to", way->name);
    tap_ok(is_trap(image, "IFUNC pick") &&
               is_referred_to(image, addr_of(image, "IFUNC pick")),
           "%s: so is an IFUNC", way->name);
    tap_ok(is_trap(image, "thread-local storage") &&
               is_referred_to(image, addr_of(image, "thread-local storage")),
           "%s: so is thread-local storage", way->name);
}

static bool lists(const struct fnp_object *object, const char *name, bool *is_ifunc)
{
    struct fnp_object_symbol *list = NULL;
    struct fnp_err err;
    size_t count = 0;

    if (fnp_object_functions(&arena, object, &list, &count, &err) != FNP_OK) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0) {
            *is_ifunc = list[i].is_ifunc;
            return true;
        }
    }
    return false;
}

static void test_names(const struct way *way, const struct fnp_object *object)
{
    struct fnp_image image;
    struct fnp_err err;
    bool is_ifunc = true;

    tap_ok(lists(object, "copy", &is_ifunc) && !is_ifunc &&
               lists(object, "pick", &is_ifunc) && is_ifunc &&
               !lists(object, "table", &is_ifunc) &&
               !lists(object, "outside", &is_ifunc),
           "%s: its functions are listed", way->name);
    tap_ok(lists(object, "local_copy", &is_ifunc) == !(way->flags & STRIPPED) &&
               (load(object, "local_copy", NULL, &image, &err) == FNP_OK) ==
                   !(way->flags & STRIPPED),
           "%s: local ones as far as it has .symtab", way->name);
    tap_ok(load(object, "table", NULL, &image, &err) == FNP_INPUT &&
               strstr(err.text, "data, not code"),
           "%s: %s", way->name, err.text);
    tap_ok(load(object, "outside", NULL, &image, &err) == FNP_INPUT &&
               strstr(err.text, "not defined"),
           "%s: %s", way->name, err.text);
    tap_ok(load(object, "cpoy", NULL, &image, &err) == FNP_INPUT &&
               strstr(err.text, "nearest is \"copy\""),
           "%s: %s", way->name, err.text);
    tap_ok(load(object, "pick", NULL, &image, &err) == FNP_INPUT &&
               strstr(err.text, "IFUNC resolver") && strstr(err.text, "choo") &&
               strstr(err.text, "pick_simple"),
           "%s: %s", way->name, err.text);
}

/* The entry by its virtual address, which the file's own symbol tells. */
static void test_address(const struct way *way, const struct fnp_object *object,
                         const struct fnp_image *named, uint64_t first_vaddr)
{
    uint64_t base = (way->flags & IS32) ? FNP_IMAGE_LOW : FNP_IMAGE_HIGH;
    struct fnp_contract contract = {
        .name = "at",
        .has_address = true,
        .address = named->entry - base + first_vaddr,
    };
    struct fnp_image image;
    struct fnp_err err;

    tap_ok(load(object, NULL, &contract, &image, &err) == FNP_OK &&
               image.entry == named->entry && image.code_len == named->code_len &&
               strcmp(image.code, named->code) == 0,
           "%s: the same kernel by its address", way->name);
    contract.address = addr_of(named, "table") - base + first_vaddr;
    tap_ok(load(object, NULL, &contract, &image, &err) == FNP_INPUT &&
               strstr(err.text, "no code at address"),
           "%s: %s", way->name, err.text);
}

static void test_way(const struct way *way)
{
    struct fnp_object object;
    struct fnp_image image;
    struct fnp_err err;

    if (!link_text(source, ".c", way->options, &object)) {
        tap_ok((way->flags & OPTIONAL) != 0, "%s # SKIP the linker cannot", way->name);
        return;
    }
    if ((way->flags & NO_SECTIONS)) {
        drop_sections(&object, way->flags & IS32);
    }
    if (load(&object, "copy", NULL, &image, &err) != FNP_OK) {
        tap_ok(false, "%s is loaded: %s", way->name, err.text);
        return;
    }
    tap_ok(!fnp_object_unsupported(&object) &&
               image.is32 == ((way->flags & IS32) != 0) &&
               image.entry == addr_of(&image, "copy") && image.code_len > 0 &&
               (prot_at(&image, image.entry) | FNP_PROT_W) ==
                   (FNP_PROT_R | FNP_PROT_W | FNP_PROT_X) &&
               are_pages_sound(&image),
           "%s is loaded", way->name);
    test_table(way, &image);
    test_data(way, &image);
    test_traps(way, &image);
    test_names(way, &object);
    test_address(way, &object, &image,
                 strcmp(way->name, "at an address") == 0 ? 0x7000000 : 0);
}

/* `set` and `stub` of what the file itself defines. */
static const struct definition {
    struct fnp_define define;
    const char *symbol; /* where `want` then is */
    uint64_t want;
    size_t width;
    const char *sentence; /* NULL: it is taken */
} definitions[] = {
    { { "threshold", 77, .has_value = true },                        "threshold",       77,         8, NULL                   },
    { { "flag", 9, .has_value = true },                              "flag",            9,          1, NULL                   },
    { { "number_of_words", 7, .has_value = true },                   "number_of_words", 7,          4, NULL                   },
    { { "flag", 300, .has_value = true },                            NULL,              0,          0, "the word has 1 bytes" },
    { { "large", 1, .has_value = true },                             NULL,              0,          0, "no data word"         },
    { { "copy", 1, .has_value = true },                              NULL,              0,          0, "no data word"         },
    { { "own", 1, .has_value = true },                               NULL,              0,          0, "no data word"         },
    { { "0x5", 1, .has_value = true },                               "copy",            0,          0, NULL                   },
    { { "0x7fffffff", 1, .has_value = true },                        NULL,              0,          0, "no data word"         },
    { { "absent", 1, .has_value = true },                            "copy",            0,          0, NULL                   },
    { { "hidden_copy", 0, .is_stub = true },                         "hidden_copy",     0xc3,       1, NULL                   },
    { { "hidden_copy", 0xabcd, .is_stub = true, .has_value = true },
     "hidden_copy",                                                                     0xabcdb848,
     4,                                                                                                NULL                   },
    { { "flag", 0, .is_stub = true },                                NULL,              0,          0, "no function"          },
    { { "outside", 0, .is_stub = true },                             "outside",         0xc3,       1, NULL                   },
    { { "outside", 5, .has_value = true },                           "outside",         5,          8, NULL                   },
    { { "pick", 0, .is_stub = true },                                "IFUNC pick",      0,          0, ""                     },
};

static void test_definitions(void)
{
    struct fnp_object object;
    struct fnp_image plain, image;
    struct fnp_err err;

    if (!link_text(source, ".c", NULL, &object) ||
        load(&object, "copy", NULL, &plain, &err) != FNP_OK) {
        tap_ok(false, "the object for definitions is loaded");
        return;
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(definitions); i++) {
        const struct definition *d = &definitions[i];
        struct fnp_contract contract = { .n_defines = 1 };
        enum fnp_status status;
        bool found;

        contract.defines[0] = d->define;
        status = load(&object, "copy", &contract, &image, &err);
        if (d->sentence && d->sentence[0]) {
            tap_ok(status == FNP_INPUT && strstr(err.text, d->sentence), "refused: %s",
                   err.text);
            continue;
        }
        found = status == FNP_OK && find(&image, d->symbol);
        if (d->sentence) {
            tap_ok(status == FNP_OK && !found, "%s: is no trap then", d->symbol);
            continue;
        }
        tap_ok(found && !find(&image, d->symbol)->is_trap &&
                   (d->width == 0 ||
                    read_at(&image, addr_of(&image, d->symbol), d->width) == d->want),
               "%s = %s:%llu", d->define.is_stub ? "stub" : "set", d->define.name,
               (unsigned long long)d->define.value);
        tap_ok((strcmp(image.code, plain.code) == 0) ==
                   (strcmp(d->define.name, "absent") == 0),
               "it is other code unless nothing changed");
    }
}

/* What 32-bit code cannot hold is refused when it is used. */
static void test_wide_numbers(void)
{
    static const struct fnp_define rows[] = {
        { "outside", 0x100000000, .has_value = true },
        { "outside", 0x100000000, .is_stub = true, .has_value = true },
        { "hidden_copy", 0x100000000, .is_stub = true, .has_value = true },
    };
    static const char *const narrow[] = { "-m32", NULL };
    struct fnp_contract contract = { .n_defines = 1 };
    struct fnp_object object;
    struct fnp_image image;
    struct fnp_err err;

    if (!link_text(source, ".c", narrow, &object)) {
        tap_ok(true, "32-bit definitions # SKIP the compiler has no -m32");
        return;
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        contract.defines[0] = rows[i];
        tap_ok(load(&object, "copy", &contract, &image, &err) == FNP_INPUT &&
                   strstr(err.text, "4294967296 does not fit into 32 bits"),
               "refused: %s", err.text);
        contract.defines[0].value--;
        tap_ok(load(&object, "copy", &contract, &image, &err) == FNP_OK,
               "one less is not");
    }
    contract.defines[0].name = "absent";
    contract.defines[0].value = UINT64_MAX;
    tap_ok(load(&object, "copy", &contract, &image, &err) == FNP_OK,
           "nor what nothing uses");
}

static void test_cache(void)
{
    struct fnp_contract contract = { .n_defines = 1,
                                     .defines = { { "flag", 9, .has_value = true } } };
    struct fnp_object object;
    struct fnp_image one, two, other, changed;
    struct fnp_err err;
    bool ok = link_text(source, ".c", NULL, &object) &&
              load(&object, "copy", NULL, &one, &err) == FNP_OK &&
              load(&object, "hidden_copy", NULL, &two, &err) == FNP_OK &&
              load(&object, "copy", &contract, &changed, &err) == FNP_OK &&
              fnp_image_load(&arena, &object, "copy", NULL, 1, &other, &err) == FNP_OK;

    tap_ok(ok, "one object, four loads");
    if (!ok) {
        return;
    }
    tap_ok(one.segments[0].bytes == two.segments[0].bytes && one.entry != two.entry &&
               strcmp(one.code, two.code) != 0,
           "two kernels of it share their pages");
    tap_ok(one.segments[0].bytes != changed.segments[0].bytes &&
               read_at(&one, addr_of(&one, "flag"), 1) == 1,
           "with other definitions they do not");
    tap_ok(other.entry == one.entry + FNP_IMAGE_SPAN &&
               other.segments[0].bytes != one.segments[0].bytes &&
               strcmp(other.code, one.code) == 0,
           "nor in the other slot, where it is the same code");
}

/* Two versions of one name. */
static void test_versions(void)
{
    static const char text[] =
        ".globl old, new; .type old, @function; .type new, @function\n"
        "old: ret; .size old, 1; new: nop; ret; .size new, 2\n"
        ".symver old, copy@V1, remove; .symver new, copy@@V2, remove\n"
        ".globl only; .type only, @function; only: leave; ret; .size only, 2\n"
        ".symver only, gone@V1, remove\n";
    static const struct {
        const char *name;
        uint64_t first; /* byte of its code; 0: there is none */
    } rows[] = {
        { "copy",     0x90 },
        { "copy@V1",  0xc3 },
        { "copy@V2",  0x90 },
        { "copy@@V2", 0x90 },
        { "gone",     0xc9 },
        { "gone@V1",  0xc9 },
        { "copy@V3",  0    },
        { "cop@V1",   0    },
        { "gone@V2",  0    },
    };
    const char *options[3] = { NULL };
    char script[128], option[160];
    FILE *file;

    snprintf(script, sizeof(script), "%s/versions", assemble_dir);
    snprintf(option, sizeof(option), "-Wl,--version-script=%s", script);
    file = fopen(script, "w");
    tap_ok(file && fputs("V1 { };\nV2 { global: copy; local: *; } V1;\n", file) >= 0 &&
               fclose(file) == 0,
           "a version script");
    options[0] = option;
    for (unsigned stripped = 0; stripped < 2; stripped++) {
        struct fnp_object object;
        bool is_ifunc;

        options[1] = stripped ? "-s" : NULL;
        tap_ok(link_text(text, ".S", options, &object), "versions, stripped: %u",
               stripped);
        for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
            struct fnp_image image = { 0 };
            struct fnp_err err;
            bool ok = load(&object, rows[i].name, NULL, &image, &err) == FNP_OK;

            tap_ok(ok == (rows[i].first != 0) &&
                       (!ok || read_at(&image, image.entry, 1) == rows[i].first),
                   "%s, stripped: %u", rows[i].name, stripped);
        }
        tap_ok(lists(&object, "copy", &is_ifunc) &&
                   lists(&object, "copy@V1", &is_ifunc) &&
                   lists(&object, "gone@V1", &is_ifunc) &&
                   !lists(&object, "gone", &is_ifunc) &&
                   !lists(&object, "copy@V2", &is_ifunc),
               "listed as they are named, stripped: %u", stripped);
    }
    unlink(script);
}

/* Code of i386 that is relocated itself: calls and addresses in instructions. */
static void test_relocated_code(void)
{
    static const char text[] = ".globl f, g; .type f, @function\n"
                               "f: call outside; mov $g + 1, %eax; jmp maybe; ret\n"
                               ".weak maybe; .data; g: .long 0\n";
    static const char *const options[3] = { "-m32", "-Wl,-z,notext" };
    struct fnp_object object;
    struct fnp_image image;
    struct fnp_err err;

    if (!link_text(text, ".S", options, &object) ||
        load(&object, "f", NULL, &image, &err) != FNP_OK) {
        tap_ok(false, "relocated code is loaded: %s", err.text);
        return;
    }
    tap_ok(is_trap(&image, "outside") &&
               (uint32_t)(image.entry + 5 + read_at(&image, image.entry + 1, 4)) ==
                   addr_of(&image, "outside"),
           "a call in relocated code");
    tap_ok(read_at(&image, image.entry + 6, 4) == addr_of(&image, "g") + 1,
           "an address in relocated code");
    tap_ok(is_trap(&image, "maybe") &&
               (uint32_t)(image.entry + 15 + read_at(&image, image.entry + 11, 4)) ==
                   addr_of(&image, "maybe"),
           "a jump to an undefined weak symbol ends at a trap");
}

/* An entry of the dynamic section gets another tag. */
static bool retag(unsigned char *bytes, int64_t from, int64_t to)
{
    const Elf64_Ehdr *file = (void *)bytes;
    const Elf64_Phdr *headers = (void *)(bytes + file->e_phoff);

    for (size_t i = 0; i < file->e_phnum; i++) {
        if (headers[i].p_type != PT_DYNAMIC) {
            continue;
        }
        for (Elf64_Dyn *entry = (void *)(bytes + headers[i].p_offset);
             entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == from) {
                entry->d_tag = to;
                return true;
            }
        }
    }
    return false;
}

static void test_refused(void)
{
    static const int64_t android[] = { 0x6000000f, 0x60000011, 0x6fffe000 };
    const char *const huge[3] = { NULL };
    struct fnp_object object, changed;
    struct fnp_image image;
    struct fnp_err err;
    unsigned char *bytes;

    tap_ok(link_text("char b[300 << 20]; void f(void) { b[5] = 1; }", ".c", huge,
                     &object) &&
               load(&object, "f", NULL, &image, &err) == FNP_INPUT &&
               strstr(err.text, "256 can be had"),
           "too large: %s", err.text);
    if (!link_text(source, ".c", NULL, &object)) {
        tap_ok(false, "the object to be changed is made");
        return;
    }
    bytes = fnp_arena_alloc(&arena, object.len);
    for (size_t i = 0; i < FNP_ARRAY_LEN(android); i++) {
        changed = (struct fnp_object){ .path = "x", .bytes = bytes, .len = object.len };
        memcpy(bytes, object.bytes, object.len);
        tap_ok(retag(bytes, DT_RELAENT, android[i]) &&
                   load(&changed, "copy", NULL, &image, &err) == FNP_INPUT &&
                   strstr(err.text, "Android"),
               "packed: %s", err.text);
    }
}

int main(void)
{
    if (!assemble_begin()) {
        tap_ok(true, "shared objects # SKIP no C compiler");
        return tap_done();
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(ways); i++) {
        test_way(&ways[i]);
    }
    test_definitions();
    test_wide_numbers();
    test_cache();
    test_versions();
    test_relocated_code();
    test_refused();
    fnp_arena_release(&arena);
    assemble_done();
    return tap_done();
}
