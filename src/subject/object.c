/* SPDX-License-Identifier: MIT */
/*
 * object.c - read a file, tell what it is by its first bytes, list its functions
 *
 * Nothing is loaded here; a file that is not ours gets one sentence that names it.
 */
#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "subject/archive.h"
#include "subject/elf.h"
#include "subject/elf_wide.h"
#include "subject/file.h"
#include "subject/image.h"
#include "subject/libtool.h"
#include "subject/members.h"
#include "subject/shared.h"

#define TEXT_PROBE 512 /* bytes looked at to call a file text */

#define ONLY "; only relocatable (.o) and shared (.so) ELF objects are read"

/* The object that a libtool object stands for, in its place. */
static enum fnp_status follow_libtool(struct fnp_arena *arena,
                                      struct fnp_object *object, struct fnp_err *err)
{
    const char *target = fnp_libtool_target(arena, object);
    const char *path = object->path;

    if (!target) {
        return fnp_err_set(err, FNP_INPUT, "%s: a libtool object that names no object",
                           path);
    }
    object->path = fnp_file_beside(arena, path, target);
    if (fnp_file_read(arena, object->path, &object->bytes, &object->len, err)) {
        return FNP_INPUT;
    }
    return fnp_libtool_is(object)
               ? fnp_err_set(err, FNP_INPUT, "%s: a libtool object that names another",
                             path)
               : FNP_OK;
}

enum fnp_status fnp_object_read(struct fnp_arena *arena, const char *path,
                                struct fnp_object *out, struct fnp_err *err)
{
    const char *member = NULL;
    const char *archive = fnp_members_split(arena, path, &member);
    struct fnp_object object = { 0 };
    enum fnp_status status;

    if (archive) {
        status = fnp_object_read(arena, archive, &object, err);
        return status ? status : fnp_members_named(arena, &object, member, out, err);
    }
    object.path = fnp_arena_text(arena, path, strlen(path));
    status = fnp_file_read(arena, path, &object.bytes, &object.len, err);
    if (!status && fnp_libtool_is(&object)) {
        status = follow_libtool(arena, &object, err);
    }
    if (!status && fnp_archive_is(&object)) {
        status = fnp_members_read(arena, &object, &object.members, err);
    }
    object.shared = fnp_shared_cache(arena);
    *out = object;
    return status;
}

/* Files that are not ELF at all, by their first bytes. */
static const struct {
    unsigned char magic[8];
    size_t len;
    const char *what;
} magics[] = {
    { "!<arch>\n",        8, "ar archive in another file"                    },
    { "!<thin>\n",        8, "thin archive in another file"                  },
    { "BC\xc0\xde",       4, "LLVM bitcode; compile without -flto"           },
    { "\xde\xc0\x17\x0b", 4, "LLVM bitcode (wrapped); compile without -flto" },
    { "\xfe\xed\xfa\xce", 4, "Mach-O object" ONLY                            },
    { "\xce\xfa\xed\xfe", 4, "Mach-O object" ONLY                            },
    { "\xfe\xed\xfa\xcf", 4, "Mach-O object" ONLY                            },
    { "\xcf\xfa\xed\xfe", 4, "Mach-O object" ONLY                            },
    { "\xca\xfe\xba\xbe", 4, "Mach-O universal file" ONLY                    },
    { "\xbe\xba\xfe\xca", 4, "Mach-O universal file" ONLY                    },
    { "\xca\xfe\xba\xbf", 4, "Mach-O universal file" ONLY                    },
    { "\xbf\xba\xfe\xca", 4, "Mach-O universal file" ONLY                    },
    { "MZ",               2, "Windows program (PE)" ONLY                     },
    { "\x64\x86",         2, "COFF object" ONLY                              },
    { "\x4c\x01",         2, "COFF object (i386)" ONLY                       },
    { "\x64\xaa",         2, "COFF object (arm64)" ONLY                      },
    { "\0\0\xff\xff",     4, "COFF object" ONLY                              },
    { "\0asm",            4, "WebAssembly object" ONLY                       },
};

/* Only bytes that a text has? */
static bool is_text(const struct fnp_object *object)
{
    size_t n = object->len < TEXT_PROBE ? object->len : TEXT_PROBE;

    for (size_t i = 0; i < n; i++) {
        unsigned char c = object->bytes[i];

        if (c < 0x80 && !isprint(c) && !isspace(c)) {
            return false;
        }
    }
    return true;
}

static const char *foreign(const struct fnp_object *object)
{
    if (object->len == 0) {
        return "empty file";
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(magics); i++) {
        if (object->len >= magics[i].len &&
            memcmp(object->bytes, magics[i].magic, magics[i].len) == 0) {
            return magics[i].what;
        }
    }
    return is_text(object) ? "text, not an object file" : "not an object file";
}

static const char *wrong_kind(unsigned type)
{
    switch (type) {
    case ET_REL:
        return NULL;
    case ET_EXEC:
        return "linked program at a fixed address" ONLY;
    case ET_CORE:
        return "core dump" ONLY;
    default:
        return "damaged: the ELF header names no known kind of file";
    }
}

/* What the machine and the class of an ELF file make of it, or NULL. */
static const char *wrong_machine(unsigned machine, bool is32)
{
    if (machine == EM_X86_64) {
        return is32 ? "x32 object (x86-64 code with 32-bit pointers), which is not read"
                    : NULL;
    }
    if (machine == EM_386) {
        return is32 ? NULL : "damaged: an ELF64 file of i386";
    }
    return "ELF object for another machine; only x86-64 and i386 are read";
}

const char *fnp_object_unsupported(const struct fnp_object *object)
{
    const bool is32 = fnp_object_is32(object);
    const char *wrong;
    Elf64_Ehdr file;

    if (object->members || fnp_shared_is(object)) {
        return NULL;
    }
    if (object->len < SELFMAG || memcmp(object->bytes, ELFMAG, SELFMAG) != 0) {
        return foreign(object);
    }
    if (object->len <= EI_DATA) {
        return "damaged: the ELF header is cut short";
    }
    if (!is32 && object->bytes[EI_CLASS] != ELFCLASS64) {
        return "damaged: an ELF file that is neither 32-bit nor 64-bit";
    }
    if (object->bytes[EI_DATA] == ELFDATA2MSB) {
        return "big-endian ELF object; only x86-64 and i386 are read";
    }
    if (object->bytes[EI_DATA] != ELFDATA2LSB) {
        return "damaged: an ELF file without a byte order";
    }
    if (object->len < fnp_wide_sizes(is32)->ehdr) {
        return "damaged: the ELF header is cut short";
    }
    file = fnp_wide_ehdr(object->bytes, is32);
    wrong = wrong_machine(file.e_machine, is32);
    return wrong ? wrong : wrong_kind(file.e_type);
}

bool fnp_object_is32(const struct fnp_object *object)
{
    return object->len > EI_CLASS && memcmp(object->bytes, ELFMAG, SELFMAG) == 0 &&
           object->bytes[EI_CLASS] == ELFCLASS32;
}

static int by_name(const void *a, const void *b)
{
    const struct fnp_object_symbol *left = a, *right = b;
    int order = strcmp(left->name, right->name);

    return order ? order : (int)right->is_global - (int)left->is_global;
}

/* Functions of a relocatable object, in the file's order. */
static enum fnp_status read_functions(struct fnp_arena *arena,
                                      const struct fnp_object *object,
                                      struct fnp_object_symbol **out, size_t *count,
                                      struct fnp_err *err)
{
    struct fnp_arena scratch = { 0 };
    struct fnp_elf elf;
    enum fnp_status status = fnp_elf_parse(&scratch, object, &elf, err);
    size_t n = 0;

    for (uint32_t i = 0; status == FNP_OK && i < elf.n_symbols; i++) {
        n += fnp_elf_is_function(&elf, &elf.symbols[i]);
    }
    *out = fnp_arena_array(arena, n, sizeof(**out));
    *count = n;
    n = 0;
    for (uint32_t i = 0; status == FNP_OK && i < elf.n_symbols; i++) {
        const struct fnp_elf_symbol *symbol = &elf.symbols[i];

        if (fnp_elf_is_function(&elf, symbol)) {
            (*out)[n++] = (struct fnp_object_symbol){
                .name = symbol->name,
                .size = symbol->size,
                .is_global = symbol->bind != STB_LOCAL,
                .is_ifunc = fnp_elf_is_resolver(&elf, symbol),
            };
        }
    }
    fnp_arena_release(&scratch);
    return status;
}

enum fnp_status fnp_object_functions(struct fnp_arena *arena,
                                     const struct fnp_object *object,
                                     struct fnp_object_symbol **out, size_t *count,
                                     struct fnp_err *err)
{
    struct fnp_object_symbol *list;
    enum fnp_status status;
    size_t kept = 0;

    *out = NULL;
    *count = 0;
    if (object->members) {
        return fnp_members_functions(arena, object, out, count, err);
    }
    status = fnp_shared_is(object)
                 ? fnp_shared_functions(arena, object, out, count, err)
                 : read_functions(arena, object, out, count, err);
    list = *out;

    if (status != FNP_OK) {
        *count = 0;
        return status;
    }
    qsort(list, *count, sizeof(*list), by_name);
    /* Equal names cannot be told apart on a command line; the first one is meant. */
    for (size_t i = 0; i < *count; i++) {
        if (kept == 0 || strcmp(list[kept - 1].name, list[i].name) != 0) {
            list[kept++] = list[i];
        }
    }
    *count = kept;
    return status;
}
