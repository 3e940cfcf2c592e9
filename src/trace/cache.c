/* SPDX-License-Identifier: MIT */
#include "trace/cache.h"

#include <sys/mman.h>

enum {
    PAGE = 4096
};

static size_t pages(size_t len)
{
    return (len + PAGE - 1) & ~(size_t)(PAGE - 1);
}

size_t fnp_cache_table_len(void)
{
    return pages(sizeof(struct fnp_cache_table));
}

/* Data, table, code and log with pages between them that nobody may touch. */
static enum fnp_status map_at(uint64_t base, struct fnp_cache *out, struct fnp_err *err)
{
    const size_t lens[] = { pages(sizeof(struct fnp_cache_data)), fnp_cache_table_len(),
                            FNP_CACHE_CODE, FNP_CACHE_LOG };
    unsigned char *parts[FNP_ARRAY_LEN(lens)];
    unsigned char *want = (unsigned char *)(uintptr_t)base, *got;
    size_t len = 0;
    bool ok;

    for (size_t i = 0; i < FNP_ARRAY_LEN(lens); i++) {
        parts[i] = want + len;
        len += lens[i] + FNP_CACHE_GUARD;
    }
    got = mmap(want, len, PROT_NONE,
               MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    ok = got == want;
    for (size_t i = 0; ok && i < FNP_ARRAY_LEN(lens); i++)
        ok = mprotect(parts[i], lens[i], PROT_READ | PROT_WRITE) == 0;
    if (!ok)
        return fnp_err_set(err, FNP_FAILED,
                           "cannot map the recorder's memory at 0x%llx",
                           (unsigned long long)base);
    out->data = (struct fnp_cache_data *)(void *)parts[0];
    out->table = (struct fnp_cache_table *)(void *)parts[1];
    out->code = parts[2];
    out->log = parts[3];
    out->end = base + len;
    return FNP_OK;
}

enum fnp_status fnp_cache_map(struct fnp_cache *high, struct fnp_cache *low,
                              struct fnp_err *err)
{
    static struct fnp_cache mapped[2];
    enum fnp_status status = FNP_OK;

    if (!mapped[0].data)
        status = map_at(FNP_CACHE_HIGH, &mapped[0], err);
    if (!status && !mapped[1].data)
        status = map_at(FNP_CACHE_LOW, &mapped[1], err);
    *high = mapped[0];
    *low = mapped[1];
    return status;
}
