/* SPDX-License-Identifier: MIT */
/*
 * arena.c - a list of zeroed chunks, filled front to back
 *
 * Never gives a single object back.
 */
#include "base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

#define ALIGN       16
#define CHUNK_BYTES ((size_t)64 * 1024)

struct fnp_arena_chunk {
    struct fnp_arena_chunk *next; /* older */
    size_t used, cap;             /* bytes of data */
    _Alignas(ALIGN) unsigned char data[];
};

static struct fnp_arena_chunk *chunk_new(size_t cap)
{
    struct fnp_arena_chunk *chunk;

    if (cap > SIZE_MAX - sizeof(*chunk)) {
        fnp_die("out of memory");
    }
    chunk = calloc(1, sizeof(*chunk) + cap);
    if (!chunk) {
        fnp_die("out of memory");
    }
    chunk->cap = cap;
    return chunk;
}

/* The newest chunk, if `size` bytes fit into it, else a new one. */
static struct fnp_arena_chunk *chunk_for(struct fnp_arena *arena, size_t size)
{
    struct fnp_arena_chunk *first = arena->chunks;
    struct fnp_arena_chunk *chunk;

    if (first && first->cap - first->used >= size) {
        return first;
    }
    chunk = chunk_new(size > CHUNK_BYTES ? size : CHUNK_BYTES);
    /* A big object gets a chunk of its own; keep filling the one in use. */
    if (first && size > CHUNK_BYTES) {
        chunk->next = first->next;
        first->next = chunk;
    } else {
        chunk->next = first;
        arena->chunks = chunk;
    }
    return chunk;
}

void *fnp_arena_alloc(struct fnp_arena *arena, size_t size)
{
    struct fnp_arena_chunk *chunk;
    void *object;

    if (size > SIZE_MAX - ALIGN) {
        fnp_die("out of memory");
    }
    /* Empty objects get an address of their own. */
    size = size ? (size + ALIGN - 1) / ALIGN * ALIGN : ALIGN;
    chunk = chunk_for(arena, size);
    object = chunk->data + chunk->used;
    chunk->used += size;
    assert(chunk->used <= chunk->cap);
    return object;
}

void *fnp_arena_array(struct fnp_arena *arena, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes)) {
        fnp_die("out of memory");
    }
    return fnp_arena_alloc(arena, bytes);
}

void *fnp_arena_larger(struct fnp_arena *arena, void *list, size_t count, size_t *room,
                       size_t size)
{
    void *larger;

    if (count < *room) {
        return list;
    }
    *room = *room ? 2 * *room : 64;
    larger = fnp_arena_array(arena, *room, size);
    if (count) {
        memcpy(larger, list, count * size);
    }
    return larger;
}

char *fnp_arena_text(struct fnp_arena *arena, const char *text, size_t len)
{
    char *copy;

    if (len == SIZE_MAX) {
        fnp_die("out of memory");
    }
    copy = fnp_arena_alloc(arena, len + 1);
    if (len) {
        memcpy(copy, text, len);
    }
    return copy;
}

char *fnp_arena_printf(struct fnp_arena *arena, const char *format, ...)
{
    char brief[256]; /* most texts are short: formatted once */
    va_list args;
    char *text;
    int len;

    va_start(args, format);
    len = vsnprintf(brief, sizeof(brief), format, args);
    va_end(args);
    if (len < 0) {
        fnp_die("cannot format a text");
    }
    if ((size_t)len < sizeof(brief)) {
        return fnp_arena_text(arena, brief, (size_t)len);
    }
    text = fnp_arena_alloc(arena, (size_t)len + 1);
    va_start(args, format);
    (void)vsnprintf(text, (size_t)len + 1, format, args);
    va_end(args);
    return text;
}

void fnp_arena_release(struct fnp_arena *arena)
{
    while (arena->chunks) {
        struct fnp_arena_chunk *chunk = arena->chunks;

        arena->chunks = chunk->next;
        free(chunk);
    }
}
