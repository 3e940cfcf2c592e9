/* SPDX-License-Identifier: MIT */
/*
 * assemble.h - make an object from text while a test runs, with the system's compiler
 *
 * Everything goes into one temporary folder that assemble_done removes.
 *
 * Depends on: tap.h.
 */
#ifndef FNP_VERIFY_SELF_ASSEMBLE_H
#define FNP_VERIFY_SELF_ASSEMBLE_H

#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ASSEMBLE_ARGS 12

extern char **environ;

static char assemble_dir[] = "/tmp/fencepost-test-XXXXXX";
static unsigned assemble_count;

/* Run "cc args...", wait; did it succeed?  `args` ends with NULL. */
static inline bool assemble_run(const char *const *args)
{
    posix_spawn_file_actions_t quiet; /* stdout is for TAP */
    char *argv[ASSEMBLE_ARGS + 2];
    size_t n = 0;
    pid_t pid;
    int status;
    bool ok;

    argv[n++] = strdup("cc");
    for (size_t i = 0; args[i] && n < ASSEMBLE_ARGS + 1; i++) {
        argv[n++] = strdup(args[i]);
    }
    argv[n] = NULL;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ok = posix_spawnp(&pid, "cc", &quiet, NULL, argv, environ) == 0 &&
         waitpid(pid, &status, 0) == pid && status == 0;
    posix_spawn_file_actions_destroy(&quiet);
    while (n > 0) {
        free(argv[--n]);
    }
    return ok;
}

/* Make the folder; false when there is no compiler. */
static inline bool assemble_begin(void)
{
    const char *const version[] = { "-dumpversion", "-o", "/dev/null", NULL };

    fflush(stdout);
    return mkdtemp(assemble_dir) && assemble_run(version);
}

/*
 * Compile `text` as a file with this suffix (".S", ".c"), `mode` ("-c", "-shared") and
 * up to seven more options, NULL at the end; the path of what came out, or NULL.  Owned
 * by the caller, free().
 */
static inline char *assemble_as(const char *mode, const char *text, const char *suffix,
                                const char *const *options)
{
    const char *args[ASSEMBLE_ARGS] = { mode };
    char source[128], *object = NULL;
    size_t n = 1;
    FILE *file;

    assemble_count++;
    snprintf(source, sizeof(source), "%s/%u%s", assemble_dir, assemble_count, suffix);
    if (asprintf(&object, "%s/%u.o", assemble_dir, assemble_count) < 0) {
        return NULL;
    }
    file = fopen(source, "w");
    if (!file) {
        free(object);
        return NULL;
    }
    fputs(text, file);
    fclose(file);
    for (size_t i = 0; options && options[i] && n < ASSEMBLE_ARGS - 4; i++) {
        args[n++] = options[i];
    }
    args[n++] = source;
    args[n++] = "-o";
    args[n] = object;
    if (!assemble_run(args)) {
        free(object);
        return NULL;
    }
    unlink(source);
    return object;
}

/* A relocatable object. */
static inline char *assemble(const char *text, const char *suffix,
                             const char *const *options)
{
    return assemble_as("-c", text, suffix, options);
}

/* Remove all that was made. */
static inline void assemble_done(void)
{
    for (unsigned i = 1; i <= assemble_count; i++) {
        static const char *const suffixes[] = { ".o", ".S", ".c" };
        char path[128];

        for (size_t k = 0; k < 3; k++) {
            snprintf(path, sizeof(path), "%s/%u%s", assemble_dir, i, suffixes[k]);
            unlink(path);
        }
    }
    rmdir(assemble_dir);
}

#endif
