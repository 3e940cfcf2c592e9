/* SPDX-License-Identifier: MIT */
/*
 * cursor_file.c - lock, read and replace the file of a cursor
 *
 * A replaced file is another one to the system, so its lock is taken before it gets the
 * name; whoever opened the old one notices that the name has moved on.
 */
#include "verify/cursor_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MOST_BYTES = 16 << 20,
    MOST_MOVES = 100
};

static enum fnp_status fail(const struct fnp_cursor_file *f, const char *verb,
                            struct fnp_err *err)
{
    return fnp_err_set(err, FNP_INPUT, "cannot %s %s: %s", verb, f->path,
                       strerror(errno));
}

/* Does the name still stand for the file that is open? */
static bool is_current(const struct fnp_cursor_file *f)
{
    struct stat open_one, named;

    return fstat(f->fd, &open_one) == 0 && stat(f->path, &named) == 0 &&
           open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino;
}

/* Open and lock; *made: there was no such file before. */
static enum fnp_status lock(struct fnp_cursor_file *f, bool *made, struct fnp_err *err)
{
    for (unsigned i = 0; i < MOST_MOVES; i++) {
        const bool is_new = access(f->path, F_OK) != 0;
        struct stat st;

        f->fd =
            open(f->path, O_RDWR | O_CREAT | O_NOCTTY | O_NONBLOCK | O_CLOEXEC, 0666);
        if (f->fd < 0)
            return fail(f, "write", err);
        if (fstat(f->fd, &st) != 0 || !S_ISREG(st.st_mode))
            return fnp_err_set(err, FNP_INPUT, "%s is no regular file", f->path);
        if (flock(f->fd, LOCK_EX | LOCK_NB) != 0) {
            if (errno == EWOULDBLOCK)
                break;
            return fail(f, "lock", err);
        }
        *made = is_new;
        if (is_current(f))
            return FNP_OK;
        close(f->fd);
    }
    return fnp_err_set(err, FNP_INPUT, "another run is using %s", f->path);
}

static enum fnp_status read_all(struct fnp_cursor_file *f, struct fnp_arena *arena,
                                struct fnp_err *err)
{
    struct stat st;
    char *text = NULL;
    size_t len = 0;
    ssize_t got = 1;

    if (fstat(f->fd, &st) != 0)
        return fail(f, "read", err);
    if (st.st_size > MOST_BYTES)
        return fnp_err_set(err, FNP_INPUT, "%s is too long for a cursor file", f->path);
    text = fnp_arena_alloc(arena, (size_t)st.st_size + 1);
    for (; len < (size_t)st.st_size && got > 0; len += (size_t)got) {
        got = read(f->fd, text + len, (size_t)st.st_size - len);
        if (got < 0)
            return fail(f, "read", err);
    }
    return fnp_cursor_parse(arena, f->path, text, len, &f->cursor, err);
}

/* Write everything and get it onto the disk; false and errno. */
static bool write_all(int fd, const char *text, size_t len)
{
    for (ssize_t put = 0; len > 0; text += put, len -= (size_t)put) {
        put = write(fd, text, len);
        if (put < 0)
            return false;
    }
    return fsync(fd) == 0;
}

/* The name is on the disk as well; a file system that cannot say so is left alone. */
static void sync_folder(const char *path)
{
    char *copy = strdup(path);
    int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(copy);
}

/* A new file beside the old one that takes its place, locked; false and errno. */
static bool replace(struct fnp_cursor_file *f, const char *text, size_t len)
{
    struct stat st;
    char *temp = NULL;
    int fd = -1, why = 0;

    if (asprintf(&temp, "%s.XXXXXX", f->real) < 0)
        fnp_die("out of memory");
    fd = mkostemp(temp, O_CLOEXEC);
    if (fd >= 0 && fstat(f->fd, &st) == 0 && fchmod(fd, st.st_mode & 0777) == 0 &&
        flock(fd, LOCK_EX | LOCK_NB) == 0 && write_all(fd, text, len) &&
        rename(temp, f->real) == 0) {
        close(f->fd);
        f->fd = fd;
        free(temp);
        sync_folder(f->real);
        return true;
    }
    why = errno;
    if (fd >= 0) {
        unlink(temp);
        close(fd);
    }
    free(temp);
    errno = why;
    return false;
}

void fnp_cursor_file_save(struct fnp_cursor_file *f)
{
    size_t len = 0;
    char *text = fnp_cursor_text(&f->cursor, &len);

    f->unsaved = !replace(f, text, len);
    if (f->unsaved)
        fail(f, "write", &f->err);
    free(text);
}

enum fnp_status fnp_cursor_file_open(struct fnp_cursor_file *f, struct fnp_arena *arena,
                                     struct fnp_err *err)
{
    bool made = false;
    enum fnp_status status = lock(f, &made, err);

    if (status == FNP_OK)
        status = read_all(f, arena, err);
    if (status == FNP_OK) {
        f->real = realpath(f->path, NULL);
        if (!f->real)
            status = fail(f, "find", err);
    }
    if (status == FNP_OK) {
        fnp_cursor_file_save(f);
        if (f->unsaved)
            status = fnp_err_set(err, FNP_INPUT, "%s", f->err.text);
    }
    if (status == FNP_OK)
        return status;
    if (made)
        unlink(f->path);
    f->unsaved = false;
    fnp_cursor_file_close(f, NULL);
    return status;
}

void fnp_cursor_file_leave(struct fnp_cursor_file *f)
{
    close(f->fd);
    f->fd = -1;
}

enum fnp_status fnp_cursor_file_close(struct fnp_cursor_file *f, struct fnp_err *err)
{
    if (f->fd >= 0)
        close(f->fd);
    free(f->real);
    f->real = NULL;
    f->fd = -1;
    return f->unsaved ? fnp_err_set(err, FNP_FAILED, "%s", f->err.text) : FNP_OK;
}
