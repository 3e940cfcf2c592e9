/* SPDX-License-Identifier: MIT */
/*
 * loaded.h - load an object made on the spot, and look at the image
 *
 * Depends on: assemble.h, image.
 */
#ifndef FNP_VERIFY_SELF_LOADED_H
#define FNP_VERIFY_SELF_LOADED_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "subject/image.h"
#include "verify/self/assemble.h"

static struct fnp_arena arena;

/* Load `symbol` of the object at path; the sentence goes to err. */
static inline enum fnp_status load_file(const char *path, const char *symbol,
                                        const struct fnp_contract *contract,
                                        unsigned slot, struct fnp_image *image,
                                        struct fnp_err *err)
{
    struct fnp_object object;
    enum fnp_status status;

    err->text[0] = 0;
    if (!path) {
        return fnp_err_set(err, FNP_FAILED, "not assembled");
    }
    status = fnp_object_read(&arena, path, &object, err);
    return status == FNP_OK
               ? fnp_image_load(&arena, &object, symbol, contract, slot, image, err)
               : status;
}

/* The same for assembly text with the compiler's `options`. */
static inline enum fnp_status load_with(const char *const *options, const char *text,
                                        const char *symbol,
                                        const struct fnp_contract *contract,
                                        struct fnp_image *image, struct fnp_err *err)
{
    char *path = assemble(text, ".S", options);
    enum fnp_status status = load_file(path, symbol, contract, 0, image, err);

    free(path);
    return status;
}

static inline enum fnp_status load(const char *text, const char *symbol,
                                   const struct fnp_contract *contract,
                                   struct fnp_image *image, struct fnp_err *err)
{
    return load_with(NULL, text, symbol, contract, image, err);
}

static inline const struct fnp_symbol *find(const struct fnp_image *image,
                                            const char *name)
{
    for (size_t i = 0; i < image->n_symbols; i++) {
        if (strcmp(image->symbols[i].name, name) == 0) {
            return &image->symbols[i];
        }
    }
    return NULL;
}

static inline uint64_t addr_of(const struct fnp_image *image, const char *name)
{
    const struct fnp_symbol *symbol = find(image, name);

    return symbol ? symbol->addr : 0;
}

/* `width` bytes at addr, zero-extended; all ones when there are none. */
static inline uint64_t read_at(const struct fnp_image *image, uint64_t addr,
                               size_t width)
{
    size_t avail = 0;
    const unsigned char *bytes = fnp_image_bytes(image, addr, &avail);
    uint64_t value = 0;

    if (!bytes || avail < width) {
        return UINT64_MAX;
    }
    memcpy(&value, bytes, width);
    return value;
}

/* Protection of the segment that holds addr, or 99. */
static inline unsigned prot_at(const struct fnp_image *image, uint64_t addr)
{
    for (size_t i = 0; i < image->n_segments; i++) {
        const struct fnp_segment *s = &image->segments[i];

        if (addr >= s->addr && addr - s->addr < s->len) {
            return s->prot;
        }
    }
    return 99;
}

enum {
    RX = FNP_PROT_R | FNP_PROT_X,
    RW = FNP_PROT_R | FNP_PROT_W,
    RO = FNP_PROT_R
};

/* Map the segments where they belong; false when one cannot be. */
static inline bool loaded_map(const struct fnp_image *image)
{
    bool ok = true;

    for (size_t i = 0; ok && i < image->n_segments; i++) {
        const struct fnp_segment *s = &image->segments[i];
        void *at = (void *)(uintptr_t)s->addr;
        int prot = (s->prot & FNP_PROT_R ? PROT_READ : 0) |
                   (s->prot & FNP_PROT_W ? PROT_WRITE : 0) |
                   (s->prot & FNP_PROT_X ? PROT_EXEC : 0);

        ok = mmap(at, s->len, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == at;
        if (ok) {
            memcpy(at, s->bytes, s->len);
            ok = mprotect(at, s->len, prot) == 0;
        }
    }
    return ok;
}

static inline void loaded_unmap(const struct fnp_image *image)
{
    for (size_t i = 0; i < image->n_segments; i++) {
        munmap((void *)(uintptr_t)image->segments[i].addr, image->segments[i].len);
    }
}

#endif
