/* SPDX-License-Identifier: MIT */
/*
 * build.c - run a compiler without a shell, in a folder of its own
 *
 * Nothing the compiler made outlives the call; nothing it made is ever executed here.
 */
#include "subject/build.h"

#include <assert.h>
#include <ctype.h>
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

extern char **environ;

enum {
    WORDS_MAX = 256,
    COMPLAINT_MAX = 300
};

/* A compiler's command line; ends with NULL. */
struct command {
    char *words[WORDS_MAX + 1];
    size_t count;
};

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), end_len = strlen(end);

    return len > end_len && !strcmp(text + len - end_len, end);
}

bool fnp_build_is_c(const char *path)
{
    return ends_with(path, ".c");
}

bool fnp_build_is_source(const char *path)
{
    return fnp_build_is_c(path) || ends_with(path, ".S") || ends_with(path, ".s");
}

/* ---- the command line */

static enum fnp_status add_word(struct command *command, char *word,
                                struct fnp_err *err)
{
    if (command->count == WORDS_MAX) {
        return fnp_err_set(err, FNP_INPUT, "more than %d words for the compiler",
                           WORDS_MAX);
    }
    command->words[command->count++] = word;
    return FNP_OK;
}

/*
 * Copy one shell word from *at to out, which has room for all of it.  Single quotes
 * keep everything, double quotes and bare words know the backslash.  False when a
 * quote is not closed.
 */
static bool copy_word(const char **at, char *out)
{
    char quote = 0;

    for (; **at && (quote || !isspace((unsigned char)**at)); ++*at) {
        char c = **at;

        if (c == quote) {
            quote = 0;
        } else if (!quote && (c == '\'' || c == '"')) {
            quote = c;
        } else {
            if (c == '\\' && quote != '\'' && (*at)[1]) {
                ++*at;
            }
            *out++ = **at;
        }
    }
    *out = 0;
    return !quote;
}

/* Split as a shell does, but expand nothing. */
static enum fnp_status add_words(struct fnp_arena *arena, struct command *command,
                                 const char *text, struct fnp_err *err)
{
    const char *at = text;

    for (;;) {
        while (isspace((unsigned char)*at)) {
            at++;
        }
        if (!*at) {
            return FNP_OK;
        }
        char *word = fnp_arena_alloc(arena, strlen(at) + 1);
        if (!copy_word(&at, word)) {
            return fnp_err_set(err, FNP_INPUT, "a quote is not closed in: %s", text);
        }
        enum fnp_status status = add_word(command, word, err);
        if (status) {
            return status;
        }
    }
}

static enum fnp_status make_command(struct fnp_arena *arena,
                                    const struct fnp_build *build, const char *source,
                                    const char *object, struct command *out,
                                    struct fnp_err *err)
{
    /* A path that begins with '-' would be an option. */
    const char *path =
        *source == '-' ? fnp_arena_printf(arena, "./%s", source) : source;
    enum fnp_status status = add_words(arena, out, build->cc, err);
    char *tail[] = { fnp_arena_printf(arena, "-c"), fnp_arena_printf(arena, "-o"),
                     fnp_arena_printf(arena, "%s", object),
                     fnp_arena_printf(arena, "%s", path) };

    if (!status && !out->count) {
        return fnp_err_set(err, FNP_INPUT, "no compiler is named");
    }
    status = status ? status : add_word(out, fnp_arena_printf(arena, "-g"), err);
    status = status ? status : add_words(arena, out, build->cflags, err);
    for (size_t i = 0; !status && i < FNP_ARRAY_LEN(tail); i++) {
        status = add_word(out, tail[i], err);
    }
    return status;
}

/* ---- running it */

/* The line that says what is wrong: the first with "error" in it, else the first. */
static void complaint(const char *log, char *out, size_t room)
{
    FILE *file = fopen(log, "re");
    char *line = NULL;
    size_t size = 0;
    bool found = false;

    snprintf(out, room, "no message");
    for (bool first = true; file && !found && getline(&line, &size, file) > 0;) {
        line[strcspn(line, "\n")] = 0;
        found = strcasestr(line, "error") != NULL;
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

/* Spawn with stdin empty and both outputs in `log`; the exit status, or -1 and errno. */
static int run(struct command *command, const char *log)
{
    posix_spawn_file_actions_t actions;
    int status = -1, error;
    pid_t pid;

    assert(command->words[0]);
    error = posix_spawn_file_actions_init(&actions);
    if (error) {
        errno = error;
        return -1;
    }
    error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    error = error ? error
                  : posix_spawn_file_actions_addopen(
                        &actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    error = error ? error : posix_spawn_file_actions_adddup2(&actions, 1, 2);
    error = error ? error
                  : posix_spawnp(&pid, command->words[0], &actions, NULL,
                                 command->words, environ);
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

static char *make_folder(struct fnp_arena *arena)
{
    const char *tmp = getenv("TMPDIR");
    char *path =
        fnp_arena_printf(arena, "%s/fencepost-XXXXXX", tmp && *tmp ? tmp : "/tmp");

    return mkdtemp(path);
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

/* A unit that includes the source and takes the address of its static function. */
static enum fnp_status write_unit(const struct fnp_build *build, const char *unit,
                                  struct fnp_err *err)
{
    char source[PATH_MAX];
    FILE *file;

    if (!realpath(build->source, source)) {
        return fnp_err_set(err, FNP_INPUT, "%s: %s", build->source, strerror(errno));
    }
    if (strpbrk(source, "\"\n\\")) {
        return fnp_err_set(err, FNP_INPUT, "%s: quotes in a path cannot be included",
                           build->source);
    }
    file = fopen(unit, "we");
    if (!file) {
        return fnp_err_set(err, FNP_FAILED, "%s: %s", unit, strerror(errno));
    }
    fprintf(file,
            "#include \"%s\"\n"
            "static __attribute__((used)) __typeof__(%s) *const fencepost_keep = %s;\n",
            source, build->keep, build->keep);
    if (fclose(file) != 0) {
        return fnp_err_set(err, FNP_FAILED, "%s: %s", unit, strerror(errno));
    }
    return FNP_OK;
}

static enum fnp_status compile(struct fnp_arena *arena, const struct fnp_build *build,
                               const char *folder, struct fnp_object *out,
                               struct fnp_err *err)
{
    const char *object = fnp_arena_printf(arena, "%s/out.o", folder);
    const char *log = fnp_arena_printf(arena, "%s/log", folder);
    const char *unit = fnp_arena_printf(arena, "%s/unit.c", folder);
    struct command command = { .count = 0 };
    enum fnp_status status = build->keep ? write_unit(build, unit, err) : FNP_OK;
    int code;

    status = status ? status
                    : make_command(arena, build, build->keep ? unit : build->source,
                                   object, &command, err);
    if (status) {
        return status;
    }
    code = run(&command, log);
    if (code < 0 || (code == 127 && access(log, F_OK) != 0)) {
        return fnp_err_set(err, FNP_INPUT, "%s: cannot run %s: %s", build->source,
                           command.words[0], code < 0 ? strerror(errno) : "not found");
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
                           command.words[0]);
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
