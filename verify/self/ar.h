/* SPDX-License-Identifier: MIT */
/*
 * ar.h - put an archive together in memory, as ar would, or as no ar would
 *
 * Depends on: image.h (struct fnp_object).
 */
#ifndef FNP_VERIFY_SELF_AR_H
#define FNP_VERIFY_SELF_AR_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "subject/image.h"

struct ar {
    FILE *file;
    char *bytes; /* valid after ar_end; owned, free() */
    size_t len;
};

static inline void ar_begin(struct ar *ar, const char *magic)
{
    *ar = (struct ar){ 0 };
    ar->file = open_memstream(&ar->bytes, &ar->len);
    fputs(magic, ar->file);
}

/* A member or table; `name` as it stands in the header, `bytes` NULL: header only. */
static inline void ar_add(struct ar *ar, const char *name, const void *bytes,
                          size_t len)
{
    fprintf(ar->file, "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", name, 0, 0, 0, 0644u, len);
    if (bytes) {
        fwrite(bytes, 1, len, ar->file);
        if (len & 1) {
            fputc('\n', ar->file);
        }
    }
}

/* The archive as a file's content. */
static inline struct fnp_object ar_end(struct ar *ar, const char *path)
{
    fclose(ar->file);
    return (struct fnp_object){ .path = path,
                                .bytes = (const unsigned char *)ar->bytes,
                                .len = ar->len };
}

#endif
