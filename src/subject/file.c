/* SPDX-License-Identifier: MIT */
/*
 * file.c - the bytes of a regular file
 *
 * It waits for nothing: what is no regular file is refused.
 */
#include "subject/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX                                                                       \
    ((off_t)1 << 30) /* bytes; larger than any object with a kernel in it */

/* Read exactly len bytes, or as many as there are. */
static size_t read_all(int fd, unsigned char *bytes, size_t len)
{
    size_t done = 0;

    while (done < len) {
        ssize_t got = read(fd, bytes + done, len - done);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        done += (size_t)got;
    }
    return done;
}

enum fnp_status fnp_file_read(struct fnp_arena *arena, const char *path,
                              const unsigned char **bytes, size_t *len,
                              struct fnp_err *err)
{
    enum fnp_status status = FNP_OK;
    struct stat info;
    /* A FIFO must not hold us up before fstat can refuse it. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0) {
        return fnp_err_set(err, FNP_INPUT, "%s: %s", path, strerror(errno));
    }
    if (fstat(fd, &info) != 0) {
        status = fnp_err_set(err, FNP_INPUT, "%s: %s", path, strerror(errno));
        goto out;
    }
    if (!S_ISREG(info.st_mode)) {
        status = fnp_err_set(err, FNP_INPUT, "%s: %s, not an object file", path,
                             S_ISDIR(info.st_mode) ? "a folder" : "a special file");
        goto out;
    }
    if (info.st_size > FILE_MAX) {
        status = fnp_err_set(err, FNP_INPUT, "%s: larger than 1 GiB", path);
        goto out;
    }

    unsigned char *content = fnp_arena_alloc(arena, (size_t)info.st_size);

    *len = read_all(fd, content, (size_t)info.st_size);
    *bytes = content;
out:
    (void)close(fd);
    return status;
}

const char *fnp_file_beside(struct fnp_arena *arena, const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');

    return !slash || *name == '/'
               ? name
               : fnp_arena_printf(arena, "%.*s/%s", (int)(slash - path), path, name);
}
