/* SPDX-License-Identifier: MIT */
/*
 * replay_gdb.c - a gdb command line for one case
 *
 * The kernel's pages do not exist before the case runs, so gdb stops twice: where they
 * are there (fnp_before_kernel), then at the entry.
 */
#include "cli/replay_gdb.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "subject/elf.h"

enum {
    WORDS_MAX = 192,
    USER_WORDS = 64
};

/* gdb's command line, growing. */
struct words {
    char *word[WORDS_MAX];
    size_t count;
};

static void add(struct words *w, char *word)
{
    if (w->count < WORDS_MAX - 1) {
        w->word[w->count++] = word;
    }
}

static void add_command(struct fnp_arena *arena, struct words *w, const char *command)
{
    add(w, fnp_arena_printf(arena, "-ex"));
    add(w, fnp_arena_printf(arena, "%s", command));
}

bool fnp_split_words(struct fnp_arena *arena, const char *text, char **words,
                     size_t room, size_t *count)
{
    char *to = fnp_arena_alloc(arena, 2 * strlen(text) + 2);

    *count = 0;
    for (text += strspn(text, " \t\n"); *text; text += strspn(text, " \t\n")) {
        char quote = 0;
        if (*count == room) {
            return false;
        }
        words[(*count)++] = to;
        for (; *text && (quote || !strchr(" \t\n", *text)); text++) {
            if (*text == quote) {
                quote = 0;
            } else if (!quote && (*text == '\'' || *text == '"')) {
                quote = *text;
            } else {
                *to++ = *text;
            }
        }
        *to++ = 0;
    }
    return true;
}

/* The path of bytes in memory; gdb inherits the file.  NULL: no memory. */
static char *inherited_file(struct fnp_arena *arena, const char *name,
                            const void *bytes, size_t len)
{
    int fd = memfd_create(name, 0);

    return fd < 0 || write(fd, bytes, len) != (ssize_t)len
               ? NULL
               : fnp_arena_printf(arena, "/proc/self/fd/%d", fd);
}

/* A file with the object of the kernel; a member of an archive has none of its own. */
static const char *object_file(struct fnp_arena *arena, const struct fnp_kernel *k)
{
    return k->object.siblings
               ? inherited_file(arena, "member.o", k->object.bytes, k->object.len)
               : k->image.path;
}

/*
 * The address of the section that the entry lies in, when the kernel came from a file
 * that gdb can read symbols and lines from.  NULL: it did not.
 */
static char *symbol_command(struct fnp_arena *arena, const struct fnp_kernel *k)
{
    struct fnp_object object;
    struct fnp_elf elf;
    const char *path = k->contract.symbol ? object_file(arena, k) : NULL;

    if (!path || fnp_object_read(arena, path, &object, NULL) != FNP_OK ||
        fnp_elf_parse(arena, &object, &elf, NULL) != FNP_OK) {
        return NULL;
    }
    for (uint32_t i = 1; i < elf.n_symbols; i++) {
        const struct fnp_elf_symbol *s = &elf.symbols[i];
        if (s->place == FNP_ELF_SECTION && !strcmp(s->name, k->contract.symbol)) {
            return fnp_arena_printf(arena, "add-symbol-file %s -s %s 0x%" PRIx64, path,
                                    elf.sections[s->section].name,
                                    k->image.entry - s->value);
        }
    }
    return NULL;
}

/*
 * gdb takes the program for 64-bit code, and so the kernel.  A target description of our
 * own makes it i386, once nothing that is loaded contradicts: the program's own symbols
 * and libraries are dropped, and with them (by `set sysroot`, which looks for libraries
 * anew) gdb's breakpoint in the loader, an address that i386 does not have.
 */
static const char *const at_32[] = {
    "file", "nosharedlibrary",
    /* The description goes here. */
    NULL, "set architecture i386", "set sysroot",
    /* Out of place gdb steps as in 64-bit code, whatever the architecture. */
    "set displaced-stepping off"
};

/* The command that reads the description; NULL: no memory. */
static char *description_command(struct fnp_arena *arena)
{
    static const char text[] = "<?xml version=\"1.0\"?>"
                               "<!DOCTYPE target SYSTEM \"gdb-target.dtd\">"
                               "<target><architecture>i386</architecture>"
                               "<osabi>GNU/Linux</osabi></target>";
    const char *path = inherited_file(arena, "i386.xml", text, sizeof(text) - 1);

    return path ? fnp_arena_printf(arena, "set tdesc filename %s", path) : NULL;
}

/* Behind the stop at the entry: make gdb see 32-bit code. */
static enum fnp_status turn_to_32(struct fnp_arena *arena, struct words *w,
                                  const char *symbols, struct fnp_err *err)
{
    const char *description = description_command(arena);

    if (!description) {
        return fnp_err_set(err, FNP_FAILED, "no memory for gdb's target description");
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(at_32); i++) {
        add_command(arena, w, at_32[i] ? at_32[i] : description);
    }
    if (symbols) {
        add_command(arena, w, symbols);
    }
    add_command(arena, w, "frame");
    return FNP_OK;
}

static enum fnp_status make_words(struct fnp_arena *arena,
                                  const struct fnp_kernel *kernel, struct words *w,
                                  struct fnp_err *err)
{
    const char *more = getenv("FENCEPOST_GDB_ARGS");
    const bool is32 = kernel->contract.is32;
    enum fnp_status status = FNP_OK;
    char *symbols = symbol_command(arena, kernel);
    char *user[USER_WORDS];
    size_t n_user = 0;

    if (more && !fnp_split_words(arena, more, user, USER_WORDS, &n_user)) {
        return fnp_err_set(err, FNP_INPUT, "FENCEPOST_GDB_ARGS: more than %d words",
                           USER_WORDS);
    }
    add(w, fnp_arena_printf(arena, "gdb"));
    add(w, fnp_arena_printf(arena, "-q"));
    add_command(arena, w, "set confirm off");
    add_command(arena, w, "set breakpoint pending on");
    if (is32) {
        /* The thread library would miss the program it was loaded for. */
        add_command(arena, w, "set libthread-db-search-path /proc/self/fd");
    }
    add_command(arena, w, "tbreak fnp_before_kernel");
    add_command(arena, w, "run");
    if (symbols && !is32) {
        add_command(arena, w, symbols);
    }
    add_command(arena, w,
                fnp_arena_printf(arena, "tbreak *0x%" PRIx64, kernel->image.entry));
    add_command(arena, w, "continue");
    if (is32) {
        status = turn_to_32(arena, w, symbols, err);
    }
    for (size_t i = 0; i < n_user; i++) {
        add(w, user[i]);
    }
    return status;
}

enum fnp_status fnp_replay_gdb(struct fnp_arena *arena, const struct fnp_kernel *kernel,
                               int argc, char **argv, struct fnp_err *err)
{
    static char self[4096];
    struct words w = { .count = 0 };
    ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
    enum fnp_status status = make_words(arena, kernel, &w, err);

    if (status != FNP_OK) {
        return status;
    }
    if (len <= 0) {
        return fnp_err_set(err, FNP_FAILED,
                           "cannot find this program in /proc/self/exe");
    }
    self[len] = 0;
    add(&w, fnp_arena_printf(arena, "--args"));
    add(&w, self);
    add(&w, fnp_arena_printf(arena, "replay"));
    add(&w, fnp_arena_printf(arena, "--in-process"));
    for (int i = 0; i < argc; i++) {
        add(&w, argv[i]);
    }
    if (w.count == WORDS_MAX - 1) {
        return fnp_err_set(err, FNP_INPUT, "the command line is too long for --gdb");
    }
    fflush(stdout);
    execvp("gdb", w.word);
    return fnp_err_set(err, FNP_FAILED, "cannot start gdb: %s", strerror(errno));
}
