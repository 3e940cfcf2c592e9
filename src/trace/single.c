/* SPDX-License-Identifier: MIT */
#include "trace/single.h"

/* There are no slices, and nobody asks what is worth a report. */
static bool no_case(void *arg, size_t kernel, uint64_t i, struct fnp_case *out)
{
    (void)arg;
    (void)kernel;
    (void)i;
    (void)out;
    return false;
}

static bool no_report(void *arg, size_t kernel, uint64_t ignore,
                      const struct fnp_outcome *outcome)
{
    (void)arg;
    (void)kernel;
    (void)ignore;
    (void)outcome;
    return false;
}

enum fnp_status fnp_record_case(struct fnp_arena *arena,
                                const struct fnp_kernel *kernel,
                                const struct fnp_case *c, struct fnp_outcome *outcome,
                                struct fnp_log *log, struct fnp_err *err)
{
    struct fnp_pool_config config = {
        .jobs = 1,
        .kernels = kernel,
        .n_kernels = 1,
        .generate = no_case,
        .screen = no_report,
    };
    struct fnp_recorder *recorder = NULL;
    struct fnp_pool *pool = NULL;
    enum fnp_status status = fnp_recorder_open(arena, &recorder, err);

    if (status == FNP_OK) {
        fnp_recorder_join(recorder, &config);
        status = fnp_pool_open(&config, &pool, err);
    }
    if (status != FNP_OK)
        return status;
    fnp_recorder_aim(recorder, kernel, 0, FNP_TRANSLATE_FULL);
    fnp_recorder_run(recorder, pool, c, 0, outcome, log);
    fnp_pool_close(pool);
    fnp_recorder_close(recorder);
    return FNP_OK;
}
