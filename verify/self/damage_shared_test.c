/* SPDX-License-Identifier: MIT */
/*
 * damage_shared_test.c - a damaged shared object costs one sentence, never a crash
 *
 * Objects of both classes, with and without symbols and packed relocations, are cut and
 * changed.  An argument is the number of changed copies of each.
 */
#include <elf.h>
#include <string.h>

#include "base/arena.h"
#include "subject/image.h"
#include "subject/shared.h"
#include "verify/self/assemble.h"
#include "verify/self/damage.h"

#define EDITS         3000 /* damaged copies of each object */
#define CUT_STEP      29   /* bytes; the files are mostly padding */
#define FUNCTIONS_MAX 8    /* loaded from one copy */

static const char source[] =
    "void outside(const void *);\n"
    "extern int perhaps __attribute__((weak));\n"
    "long threshold = 4096; long counter[100];\n"
    "void copy(char *d, const char *s, long n)\n"
    "{ while (n--) d[n] = s[n]; if (n > threshold) outside(d); }\n"
    "__attribute__((visibility(\"hidden\"))) void fill(char *d, char *s, long n)\n"
    "{ while (n--) *d++ = *s++; }\n"
    "void *const table[] = { copy, counter + 3, fill, &perhaps, &threshold };\n"
    "_Thread_local long own = 5; long get_own(void) { return own++; }\n"
    "static void *resolve(void) { return fill; }\n"
    "void pick(void) __attribute__((ifunc(\"resolve\")));\n"
    "void pick_simple(void) { outside(pick); pick(); }\n"
    "void old(void) { outside(table); }\n";

static const struct {
    const char *name;
    const char *options[2];
} ways[] = {
    { "x86-64",           { NULL }                                  },
    { "x86-64, stripped", { "-s", "-Wl,-z,pack-relative-relocs" }   },
    { "i386",             { "-m32", "-Wl,-z,pack-relative-relocs" } },
    { "i386, stripped",   { "-m32", "-Wl,-s,--hash-style=sysv" }    },
};

static bool load(struct fnp_arena *arena, const struct fnp_object *object,
                 const char *symbol, unsigned slot)
{
    struct fnp_contract contract = { .has_address = true, .address = 0x2ff };
    struct fnp_image image;
    struct fnp_err err = { "" };
    enum fnp_status status;

    if (slot == 1) {
        contract.n_defines = 2;
        contract.defines[0] = (struct fnp_define){ "threshold", 1, .has_value = true };
        contract.defines[1] = (struct fnp_define){ "outside", 0, .is_stub = true };
    }
    status = fnp_image_load(arena, object, symbol, &contract, slot, &image, &err);
    return damage_answer(status, &err) &&
           (status != FNP_OK || damage_use_image(&image));
}

/* Everything one does with an object; false on an answer that must not be. */
static bool try_object(const struct fnp_object *damaged)
{
    static const char *const names[] = { "copy", "pick", "old@1.o", "nowhere" };
    struct fnp_arena arena = { 0 };
    struct fnp_object object = *damaged;
    struct fnp_object_symbol *list = NULL;
    struct fnp_err err = { "" };
    size_t count = 0;
    const char *what;
    bool ok;

    object.shared = fnp_shared_cache(&arena);
    what = fnp_object_unsupported(&object);
    ok = !what || (what[0] && !strchr(what, '\n'));
    ok &=
        damage_answer(fnp_object_functions(&arena, &object, &list, &count, &err), &err);
    for (size_t i = 0; i < count && i < FUNCTIONS_MAX; i++) {
        ok &= load(&arena, &object, list[i].name, 0);
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(names); i++) {
        ok &= load(&arena, &object, names[i], 1);
    }
    ok &= load(&arena, &object, NULL, 0);
    fnp_arena_release(&arena);
    return ok;
}

static bool link_sound(const char *const *extra, struct fnp_arena *arena,
                       struct fnp_object *out)
{
    const char *options[8] = { "-O1", "-fPIC", "-nostdlib", "-Wl,-z,noseparate-code",
                               "-Wl,--default-symver" };
    struct fnp_err err;
    char *path;
    bool ok;

    for (size_t i = 0; i < 2 && extra[i]; i++) {
        options[5 + i] = extra[i];
    }
    path = assemble_as("-shared", source, ".c", options);
    ok = path && fnp_object_read(arena, path, out, &err) == FNP_OK;
    free(path);
    return ok;
}

int main(int argc, char **argv)
{
    unsigned edits = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : EDITS;
    struct fnp_arena arena = { 0 };

    if (!assemble_begin()) {
        tap_ok(true, "damaged shared objects # SKIP no C compiler");
        return tap_done();
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(ways); i++) {
        struct fnp_object sound;
        bool ok = link_sound(ways[i].options, &arena, &sound) &&
                  damage_try_bytes(try_object, sound.bytes, sound.len);

        tap_ok(ok && damage_n_ok > 4, "%s: the sound object loads", ways[i].name);
        if (ok) {
            damage_cut(try_object, &sound, CUT_STEP);
            damage_change(try_object, &sound, edits);
        }
        damage_n_ok = damage_n_input = 0;
    }
    fnp_arena_release(&arena);
    assemble_done();
    return tap_done();
}
