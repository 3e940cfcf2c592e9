/* SPDX-License-Identifier: MIT */
/*
 * arena.h - memory that lives as long as one command
 *
 * Everything is released at once; single objects are never freed.  Out of
 * memory ends the program with exit 4.  Nothing is allocated while a kernel runs.
 *
 * Depends on: status.
 */
#ifndef FNP_BASE_ARENA_H
#define FNP_BASE_ARENA_H

#include <stddef.h>

struct fnp_arena_chunk;

/* Zero-initialised is a valid, empty arena. */
struct fnp_arena {
    struct fnp_arena_chunk *chunks; /* owned; freed by fnp_arena_release */
};

/* `size` zeroed bytes, 16-byte aligned; never NULL, size 0 is allowed. */
void *fnp_arena_alloc(struct fnp_arena *arena, size_t size);

/* `count * size` zeroed bytes; overflow of the product dies. */
void *fnp_arena_array(struct fnp_arena *arena, size_t count, size_t size);

/* `list` of `count` items with room for one more; *room is raised when it moves. */
void *fnp_arena_larger(struct fnp_arena *arena, void *list, size_t count, size_t *room,
                       size_t size);

/* A copy of `len` bytes of `text` and a terminating NUL. */
char *fnp_arena_text(struct fnp_arena *arena, const char *text, size_t len);

/* printf into the arena. */
char *fnp_arena_printf(struct fnp_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Release everything; the arena is empty and usable again. */
void fnp_arena_release(struct fnp_arena *arena);

#endif
