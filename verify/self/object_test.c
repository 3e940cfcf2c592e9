/* SPDX-License-Identifier: MIT */
/*
 * object_test.c - files are told apart by their first bytes, functions are listed
 *
 * What is inside an object is image_test.c's business.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "subject/image.h"
#include "verify/self/assemble.h"
#include "verify/self/tap.h"

static struct fnp_arena arena;

static void test_functions(void)
{
    static const char text[] =
        ".globl zz, notype; .type zz, @function; zz: nop; .size zz, 1\n"
        ".type aa, @function; aa: label: ret\n"
        "notype: ret; .type aa.cold, @function; aa.cold: ret\n"
        ".data; .globl d; .type d, @object; d: .quad 0";
    static const char *const want[] = { "aa", "notype", "zz" };
    char *path = assemble(text, ".S", NULL);
    struct fnp_object object;
    struct fnp_object_symbol *list = NULL;
    struct fnp_err err;
    size_t count = 0;
    bool ok = path && fnp_object_read(&arena, path, &object, &err) == FNP_OK &&
              fnp_object_functions(&arena, &object, &list, &count, &err) == FNP_OK &&
              count == FNP_ARRAY_LEN(want);

    for (size_t i = 0; ok && i < count; i++) {
        ok = strcmp(list[i].name, want[i]) == 0;
    }
    tap_ok(ok, "functions are listed by name; labels, data and cold parts are not");
    free(path);
}

#define ELF_HEAD "\177ELF"

/* Files that are something else. */
static const struct {
    const char *bytes;
    size_t len;
    const char *what; /* how the sentence begins */
} foreign[] = {
    { "",                     0,  "empty file"                           },
    { "int main;\n",          10, "text"                                 },
    { "!<arch>\nxx",          10, "ar archive"                           },
    { "!<thin>\nxx",          10, "thin archive"                         },
    { "BC\xc0\xde....",       8,  "LLVM bitcode"                         },
    { "\xde\xc0\x17\x0b....", 8,  "LLVM bitcode"                         },
    { "\xfe\xed\xfa\xce....", 8,  "Mach-O"                               },
    { "\xcf\xfa\xed\xfe....", 8,  "Mach-O"                               },
    { "\xca\xfe\xba\xbe....", 8,  "Mach-O"                               },
    { "\x64\x86\2\0\0\0\0\0", 8,  "COFF"                                 },
    { "MZ\x90\0\3\0\0\0",     8,  "Windows program"                      },
    { "\x80\x81\0\1",         4,  "not an object file"                   },
    { ELF_HEAD,               4,  "damaged"                              },
    { ELF_HEAD "\1\1\1",      7,  "damaged: the ELF header is cut short" },
    { ELF_HEAD "\2\2\1",      7,  "big-endian"                           },
    { ELF_HEAD "\3\1\1",      7,  "damaged"                              },
    { ELF_HEAD "\2\1\1",      7,  "damaged: the ELF header is cut short" },
};

static void test_foreign(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(foreign); i++) {
        struct fnp_object object = {
            .path = "x",
            .bytes = (const unsigned char *)foreign[i].bytes,
            .len = foreign[i].len,
        };
        const char *what = fnp_object_unsupported(&object);

        tap_ok(what && strncmp(what, foreign[i].what, strlen(foreign[i].what)) == 0,
               "file kind: %s", what ? what : "(taken for an object)");
    }
}

/* Header fields of a sound object changed one at a time. */
static void test_headers(void)
{
    static const struct {
        size_t at;
        unsigned char value;
        const char *what;
    } rows[] = {
        { 16, 2,   "linked program"                 },
        { 16, 4,   "core dump"                      },
        { 18, 183, "ELF object for another machine" },
        { 4,  1,   "x32 object"                     },
        { 18, 3,   "damaged: an ELF64 file of i386" },
        { 5,  2,   "big-endian"                     },
    };
    char *path = assemble("f: ret", ".S", NULL);
    struct fnp_object object = { 0 };
    struct fnp_err err;

    tap_ok(path && fnp_object_read(&arena, path, &object, &err) == FNP_OK &&
               !fnp_object_unsupported(&object),
           "an object is an object");
    for (size_t i = 0; object.bytes && i < FNP_ARRAY_LEN(rows); i++) {
        unsigned char *bytes = fnp_arena_alloc(&arena, object.len);
        struct fnp_object changed = { .path = "x", .bytes = bytes, .len = object.len };
        const char *what;

        memcpy(bytes, object.bytes, object.len);
        bytes[rows[i].at] = rows[i].value;
        what = fnp_object_unsupported(&changed);
        tap_ok(what && strncmp(what, rows[i].what, strlen(rows[i].what)) == 0,
               "header: %s", what ? what : "(taken for an object)");
    }
    tap_ok(fnp_object_read(&arena, "/nowhere/x.o", &object, &err) == FNP_INPUT,
           "no file: %s", err.text);
    tap_ok(fnp_object_read(&arena, "/", &object, &err) == FNP_INPUT, "folder: %s",
           err.text);
    free(path);
}

int main(void)
{
    test_foreign();
    if (assemble_begin()) {
        test_headers();
        test_functions();
    } else {
        tap_ok(true, "objects # SKIP no C compiler");
    }
    assemble_done();
    fnp_arena_release(&arena);
    return tap_done();
}
