/* SPDX-License-Identifier: MIT */
/*
 * libtool.c - which object a libtool object (.lo) names
 *
 * The text is read, never run.
 */
#include "subject/libtool.h"

#include <string.h>

#include "base/status.h"

/* In the order of preference. */
static const char *const keys[] = { "pic_object='", "non_pic_object='" };

/* The line's rest behind `key` at the start of a line; NULL: there is none. */
static const char *find_key(const struct fnp_object *object, const char *key)
{
    const char *at = (const char *)object->bytes, *end = at + object->len;
    size_t len = strlen(key);

    while (at && (size_t)(end - at) >= len) {
        if (memcmp(at, key, len) == 0) {
            return at + len;
        }
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    return NULL;
}

bool fnp_libtool_is(const struct fnp_object *object)
{
    return object->len > 0 && object->bytes[0] == '#' &&
           memmem(object->bytes, object->len, "libtool", strlen("libtool")) &&
           (find_key(object, keys[0]) || find_key(object, keys[1]));
}

const char *fnp_libtool_target(struct fnp_arena *arena, const struct fnp_object *object)
{
    const char *end = (const char *)object->bytes + object->len;

    for (size_t i = 0; i < FNP_ARRAY_LEN(keys); i++) {
        const char *name = find_key(object, keys[i]);
        const char *quote = name ? memchr(name, '\'', (size_t)(end - name)) : NULL;
        size_t len = quote ? (size_t)(quote - name) : 0;

        if (len && !(len == 4 && memcmp(name, "none", 4) == 0)) {
            return fnp_arena_text(arena, name, len);
        }
    }
    return NULL;
}
