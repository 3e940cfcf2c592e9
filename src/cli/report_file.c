/* SPDX-License-Identifier: MIT */
/*
 * report_file.c - a report under a temporary name until it is whole
 */
#include "cli/report_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void *must(void *made)
{
    if (!made) {
        fnp_die("out of memory");
    }
    return made;
}

/* A path that does not exist yet: its folder resolved, its last part as given. */
static char *resolve_new(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *last = slash ? slash + 1 : path;
    char *folder = slash ? must(strndup(path, (size_t)(last - path))) : NULL;
    char *real = realpath(folder ? folder : ".", NULL);
    char *out = NULL;

    free(folder);
    if (real && !*last) {
        errno = EISDIR;
    } else if (real && asprintf(&out, "%s/%s", real, last) < 0) {
        fnp_die("out of memory");
    }
    free(real);
    return out;
}

static bool is_stdout(const struct stat *st)
{
    struct stat out;

    return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == st->st_dev &&
           out.st_ino == st->st_ino;
}

/* A new file beside `path` with the mode it shall have; -1 and errno. */
static int open_temporary(struct fnp_report_file *f, const struct stat *old)
{
    mode_t mask = umask(0);

    umask(mask);
    if (asprintf(&f->temp, "%s.XXXXXX", f->path) < 0) {
        fnp_die("out of memory");
    }
    int fd = mkostemp(f->temp, O_CLOEXEC);

    if (fd < 0) {
        free(f->temp);
        f->temp = NULL;
    } else {
        fchmod(fd, old ? old->st_mode & 0777 : 0666 & ~mask);
    }
    return fd;
}

/* What stands at a path now. */
struct place {
    bool exists;
    bool plain; /* a regular file, or nothing at all: it may be replaced as a whole */
    struct stat st;
};

static struct place look_at(const char *path)
{
    struct place place = { .exists = false };
    struct stat link;

    place.exists = stat(path, &place.st) == 0;
    place.plain = place.exists ? S_ISREG(place.st.st_mode)
                               : errno == ENOENT && lstat(path, &link) != 0;
    return place;
}

/* The name to write to: links are resolved where the file will be replaced; or NULL. */
static char *final_path(const struct place *place, const char *path)
{
    if (!place->plain) {
        return must(strdup(path));
    }
    return place->exists ? realpath(path, NULL) : resolve_new(path);
}

/*
 * A descriptor, or -1 and errno.  An existing file in a folder where nothing can be made
 * is written in place.
 */
static int open_place(struct fnp_report_file *f, const struct place *place,
                      const char *path)
{
    int fd = -1;

    if (place->exists && access(path, W_OK) != 0) {
        return fd;
    }
    f->path = final_path(place, path);
    if (!f->path) {
        return fd;
    }
    if (place->plain) {
        fd = open_temporary(f, place->exists ? &place->st : NULL);
    }
    if (fd < 0 && (place->exists || !place->plain)) {
        fd = open(f->path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC, 0666);
    }
    return fd;
}

enum fnp_status fnp_report_file_open(struct fnp_report_file *f, const char *path,
                                     struct fnp_err *err)
{
    struct place place = look_at(path);

    if (place.exists && place.plain && is_stdout(&place.st)) {
        return fnp_err_set(err, FNP_INPUT, "cannot write %s: it is standard output",
                           path);
    }
    int fd = open_place(f, &place, path);

    if (fd < 0) {
        int why = errno;

        fnp_report_file_drop(f);
        return fnp_err_set(err, FNP_INPUT, "cannot write %s: %s", path, strerror(why));
    }
    f->out = must(fdopen(fd, "w"));
    return FNP_OK;
}

bool fnp_report_file_same(const struct fnp_report_file *a,
                          const struct fnp_report_file *b)
{
    return strcmp(a->path, b->path) == 0;
}

static void release(struct fnp_report_file *f)
{
    free(f->path);
    free(f->temp);
    *f = (struct fnp_report_file){ .out = NULL };
}

enum fnp_status fnp_report_file_finish(struct fnp_report_file *f, struct fnp_err *err)
{
    enum fnp_status status = FNP_OK;
    bool bad = ferror(f->out) != 0;

    bad = fclose(f->out) != 0 || bad;
    f->out = NULL;
    if (bad || (f->temp && rename(f->temp, f->path) != 0)) {
        status = fnp_err_set(err, FNP_FAILED, "cannot write all of %s: %s", f->path,
                             strerror(errno));
        fnp_report_file_drop(f);
    }
    release(f);
    return status;
}

void fnp_report_file_drop(struct fnp_report_file *f)
{
    if (f->out) {
        fclose(f->out);
    }
    if (f->temp) {
        unlink(f->temp);
    }
    release(f);
}
