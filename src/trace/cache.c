/* SPDX-License-Identifier: MIT */
#include "trace/cache.h"

#include <sys/mman.h>

enum {
    PAGE = 4096
};

static size_t data_len(void)
{
    return (sizeof(struct fnp_cache_data) + PAGE - 1) & ~(size_t)(PAGE - 1);
}

/* Data, code and log with pages between them that nobody may touch. */
static enum fnp_status map_at(uint64_t base, struct fnp_cache *out, struct fnp_err *err)
{
    const size_t code = data_len() + FNP_CACHE_GUARD;
    const size_t log = code + FNP_CACHE_CODE + FNP_CACHE_GUARD;
    const size_t len = log + FNP_CACHE_LOG + FNP_CACHE_GUARD;
    unsigned char *want = (unsigned char *)(uintptr_t)base;
    unsigned char *got =
        mmap(want, len, PROT_NONE,
             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

    if (got != want || mprotect(got, data_len(), PROT_READ | PROT_WRITE) ||
        mprotect(got + code, FNP_CACHE_CODE, PROT_READ | PROT_WRITE) ||
        mprotect(got + log, FNP_CACHE_LOG, PROT_READ | PROT_WRITE))
        return fnp_err_set(err, FNP_FAILED,
                           "cannot map the recorder's memory at 0x%llx",
                           (unsigned long long)base);
    out->data = (struct fnp_cache_data *)(void *)got;
    out->code = got + code;
    out->log = got + log;
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
