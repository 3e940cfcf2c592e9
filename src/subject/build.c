/* SPDX-License-Identifier: MIT */
/*
 * build.c - run a compiler without a shell, in a folder of its own
 *
 * Nothing the compiler made outlives the call; nothing it made is ever executed here.
 */
#include "subject/build.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "subject/shell_words.h"

extern char **environ;

enum {
    COMPLAINT_MAX = 300
};

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), end_len = strlen(end);

    return len > end_len && !strcmp(text + len - end_len, end);
}

bool fnp_build_is_c(const char *path)
{
    return ends_with(path, ".c") || ends_with(path, ".h");
}

bool fnp_build_is_nasm(const char *path)
{
    return ends_with(path, ".asm");
}

bool fnp_build_is_source(const char *path)
{
    return fnp_build_is_c(path) || fnp_build_is_nasm(path) || ends_with(path, ".S") ||
           ends_with(path, ".s");
}

/* ---- the command line */

static enum fnp_status add_all(struct fnp_shell_words *out, const char *const *words,
                               size_t count, struct fnp_err *err)
{
    enum fnp_status status = FNP_OK;

    for (size_t i = 0; !status && i < count; i++) {
        status = fnp_shell_add(out, words[i], err);
    }
    return status;
}

/* The compiler, its flags and ours: of a database entry, or of cc and cflags. */
static enum fnp_status add_compiler(struct fnp_arena *arena,
                                    const struct fnp_build *build,
                                    struct fnp_shell_words *out, struct fnp_err *err)
{
    /* With sections of their own, only the code and data that a kernel uses is loaded. */
    const char *const first[] = { "-g", "-ffunction-sections", "-fdata-sections" };
    enum fnp_status status = FNP_OK;

    for (size_t i = 0; build->command && !status && build->command[i]; i++) {
        status = fnp_shell_add(out, build->command[i], err);
    }
    if (!build->command) {
        status = fnp_shell_split(arena, build->cc, out, err);
    }
    if (!status && !out->count) {
        return fnp_err_set(err, FNP_INPUT, "no compiler is named");
    }
    status = status ? status : add_all(out, first, FNP_ARRAY_LEN(first), err);
    status = status ? status : fnp_shell_split(arena, build->cflags, out, err);
    if (build->more) {
        status = status ? status : fnp_shell_split(arena, build->more, out, err);
    }
    return status ? status : fnp_shell_add(out, "-w", err);
}

/* nasm knows no -m32, but an output format, and looks for includes elsewhere. */
static enum fnp_status add_nasm(struct fnp_arena *arena, const struct fnp_build *build,
                                const char *source, struct fnp_shell_words *out,
                                struct fnp_err *err)
{
    const char *slash = strrchr(source, '/');
    const char *usual[] = { "nasm", "-g", "-F", "dwarf", "-I", "./", "-f", "elf64" };
    struct fnp_shell_words *flags = fnp_arena_alloc(arena, sizeof(*flags));
    enum fnp_status status = fnp_shell_split(arena, build->cflags, flags, err);
    size_t kept = 0;

    if (slash) {
        usual[5] = fnp_arena_text(arena, source, (size_t)(slash - source) + 1);
    }
    for (size_t i = 0; i < flags->count; i++) {
        if (!strcmp(flags->word[i], "-m32")) {
            usual[7] = "elf32";
        } else if (strncmp(flags->word[i], "-m", 2) != 0) {
            flags->word[kept++] = flags->word[i];
        }
    }
    status = status ? status : add_all(out, usual, FNP_ARRAY_LEN(usual), err);
    return status ? status : add_all(out, flags->word, kept, err);
}

static enum fnp_status make_command(struct fnp_arena *arena,
                                    const struct fnp_build *build, const char *source,
                                    const char *object, struct fnp_shell_words *out,
                                    struct fnp_err *err)
{
    /* A path that begins with '-' would be an option. */
    const char *path =
        *source == '-' ? fnp_arena_printf(arena, "./%s", source) : source;
    const char *const tail[] = { "-c", "-o", object, path };
    bool nasm = fnp_build_is_nasm(source) && !build->command;
    enum fnp_status status = nasm ? add_nasm(arena, build, path, out, err)
                                  : add_compiler(arena, build, out, err);

    return status ? status : add_all(out, tail + nasm, FNP_ARRAY_LEN(tail) - nasm, err);
}

/* ---- running it */

/* The line that says what is wrong: the first with "error:" in it, else the first. */
static void complaint(const char *log, char *out, size_t room)
{
    FILE *file = fopen(log, "re");
    char *line = NULL;
    size_t size = 0;
    bool found = false;

    snprintf(out, room, "no message");
    for (bool first = true; file && !found && getline(&line, &size, file) > 0;) {
        line[strcspn(line, "\n")] = 0;
        found = strcasestr(line, "error:") != NULL;
        if (found || (first && *line)) {
            snprintf(out, room, "%s", line);
            first = false;
        }
    }
    free(line);
    if (file) {
        fclose(file);
    }
}

/* Stdin is empty, both outputs go to `log`, which is absolute; an errno. */
static int prepare_spawn(posix_spawn_file_actions_t *actions, const char *folder,
                         const char *log)
{
    int error = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);

    error = error ? error
                  : posix_spawn_file_actions_addopen(
                        actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    error = error ? error : posix_spawn_file_actions_adddup2(actions, 1, 2);
    if (!error && folder) {
        error = posix_spawn_file_actions_addchdir_np(actions, folder);
    }
    return error;
}

/* Run the command in `folder`; its exit status, or -1 and errno. */
static int run(struct fnp_arena *arena, const struct fnp_shell_words *command,
               const char *folder, const char *log)
{
    char **words = fnp_arena_array(arena, command->count + 1, sizeof(*words));
    posix_spawn_file_actions_t actions;
    int status = -1, error;
    pid_t pid;

    assert(command->count);
    for (size_t i = 0; i < command->count; i++) {
        words[i] = fnp_arena_text(arena, command->word[i], strlen(command->word[i]));
    }
    error = posix_spawn_file_actions_init(&actions);
    if (error) {
        errno = error;
        return -1;
    }
    error = prepare_spawn(&actions, folder, log);
    error =
        error ? error : posix_spawnp(&pid, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error) {
        errno = error;
        return -1;
    }
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) {
            return -1;
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- the folder */

/* Absolute, for a compiler that runs elsewhere; NULL and errno. */
static char *make_folder(struct fnp_arena *arena)
{
    const char *tmp = getenv("TMPDIR");
    char *path =
        fnp_arena_printf(arena, "%s/fencepost-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    char absolute[PATH_MAX];

    return mkdtemp(path) && realpath(path, absolute)
               ? fnp_arena_text(arena, absolute, strlen(absolute))
               : NULL;
}

/* With whatever else the user's flags made the compiler leave there. */
static void remove_folder(struct fnp_arena *arena, const char *path)
{
    DIR *dir = opendir(path);

    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        (void)unlink(fnp_arena_printf(arena, "%s/%s", path, entry->d_name));
    }
    if (dir) {
        closedir(dir);
    }
    (void)rmdir(path);
}

static enum fnp_status not_run(const struct fnp_build *build, const char *program,
                               const char *why, struct fnp_err *err)
{
    if (fnp_build_is_nasm(build->source) && !build->command) {
        return fnp_err_set(err, FNP_INPUT,
                           "%s: cannot run nasm, which assembles .asm files; install "
                           "the package nasm",
                           build->source);
    }
    return fnp_err_set(err, FNP_INPUT, "%s: cannot run %s: %s", build->source, program,
                       why);
}

/* The file the compiler reads: the source, or a unit that includes it. */
static enum fnp_status choose_input(struct fnp_arena *arena,
                                    const struct fnp_build *build, const char *folder,
                                    const char **input, struct fnp_err *err)
{
    const struct fnp_unit unit = { .source = build->source,
                                   .wrap = build->wrap,
                                   .function = build->function,
                                   .keep = build->keep };
    char path[PATH_MAX];

    if (build->wrap || build->function) {
        *input = fnp_arena_printf(arena, "%s/unit.c", folder);
        return fnp_unit_write(&unit, *input, err);
    }
    if (ends_with(build->source, ".h")) {
        return fnp_err_set(err, FNP_INPUT,
                           "%s: a header alone holds no kernel; --wrap 'void f(void "
                           "*d) { ... }' makes one of what it defines",
                           build->source);
    }
    *input = build->source;
    if (build->folder && realpath(build->source, path)) {
        *input = fnp_arena_text(arena, path, strlen(path));
    }
    return FNP_OK;
}

static enum fnp_status compile(struct fnp_arena *arena, const struct fnp_build *build,
                               const char *folder, struct fnp_object *out,
                               struct fnp_err *err)
{
    const char *object = fnp_arena_printf(arena, "%s/out.o", folder);
    const char *log = fnp_arena_printf(arena, "%s/log", folder);
    struct fnp_shell_words *command = fnp_arena_alloc(arena, sizeof(*command));
    const char *input = NULL;
    enum fnp_status status = choose_input(arena, build, folder, &input, err);
    int code;

    if (status) {
        return status;
    }
    assert(input);
    status = make_command(arena, build, input, object, command, err);
    if (status) {
        return status;
    }
    code = run(arena, command, build->folder, log);
    if (code < 0 || (code == 127 && access(log, F_OK) != 0)) {
        return not_run(build, command->word[0],
                       code < 0 ? strerror(errno) : "not found", err);
    }
    if (code) {
        char text[COMPLAINT_MAX];

        complaint(log, text, sizeof(text));
        return fnp_err_set(err, FNP_INPUT, "%s cannot be built: %s", build->source,
                           text);
    }
    status = fnp_object_read(arena, object, out, err);
    if (status) {
        return fnp_err_set(err, FNP_INPUT, "%s: %s made no object", build->source,
                           command->word[0]);
    }
    out->path = fnp_arena_text(arena, build->source, strlen(build->source));
    return FNP_OK;
}

enum fnp_status fnp_build(struct fnp_arena *arena, const struct fnp_build *build,
                          struct fnp_object *out, struct fnp_err *err)
{
    struct fnp_arena scratch = { 0 };
    enum fnp_status status;
    char *folder;

    if (access(build->source, R_OK) != 0) {
        return fnp_err_set(err, FNP_INPUT, "%s: %s", build->source, strerror(errno));
    }
    folder = make_folder(&scratch);
    if (!folder) {
        status =
            fnp_err_set(err, FNP_FAILED, "no temporary folder: %s", strerror(errno));
        goto out;
    }
    status = compile(arena, build, folder, out, err);
    remove_folder(&scratch, folder);
out:
    fnp_arena_release(&scratch);
    return status;
}
