/* SPDX-License-Identifier: MIT */
#include "verify/coverage.h"

#include <stdio.h>

#include "verify/tracing.h"

void fnp_coverage_put(const struct fnp_cover_counts *counts,
                      struct fnp_kernel_report *report, char *text)
{
    report->coverage = (struct fnp_coverage_report){ .blocks = counts->blocks_run,
                                                     .of = counts->blocks,
                                                     .more = counts->more };
    if (counts->blocks == 0)
        snprintf(text, FNP_CHECK_TEXT, "not checked");
    else if (counts->blocks_run < counts->blocks)
        snprintf(text, FNP_CHECK_TEXT, "%zu of %zu blocks", counts->blocks_run,
                 counts->blocks);
    else if (counts->more)
        snprintf(text, FNP_CHECK_TEXT, "%zu blocks, more behind indirect jumps",
                 counts->blocks);
    else
        snprintf(text, FNP_CHECK_TEXT, "ok: %zu blocks", counts->blocks);
    report->checks[FNP_CHECK_COVERAGE] = text;
}

static void ignore(void *arg, struct fnp_finding *f)
{
    (void)arg;
    (void)f;
}

static void cover(struct fnp_lane *lane, size_t kernel,
                  void (*tell)(void *arg, const struct fnp_coverage *c), void *arg)
{
    struct fnp_tracing_report report;

    fnp_tracing_kernel(lane, kernel, UINT64_MAX, ignore, NULL, &report);
    tell(arg, &(struct fnp_coverage){
                  .kernel = &lane->kernels->list[kernel],
                  .cover = fnp_tracing_cover(lane->tracing),
                  .cases = report.cases,
                  .unfinished = report.unfinished,
                  .why = report.why,
              });
}

enum fnp_status fnp_coverage(const struct fnp_kernels *kernels,
                             const struct fnp_verify_options *options,
                             void (*tell)(void *arg, const struct fnp_coverage *c),
                             void *arg, struct fnp_err *err)
{
    struct fnp_arena arena = { NULL };
    struct fnp_plan *plans = fnp_arena_array(&arena, kernels->count, sizeof(*plans));
    struct fnp_lane lane = {
        .kernels = kernels,
        .plans = plans,
        .options = options,
        .workers = 1,
        .stop = options->stop,
    };
    struct fnp_pool_config config = {
        .jobs = 1,
        .kernels = kernels->list,
        .n_kernels = kernels->count,
        .generate = fnp_lane_generate,
        .screen = fnp_lane_screen,
        .arg = &lane,
    };
    enum fnp_status status = fnp_tracing_open(&arena, &config, &lane.tracing, err);

    if (status == FNP_OK)
        status = fnp_pool_open(&config, &lane.pool, err);
    for (size_t i = 0; status == FNP_OK && i < kernels->count && !*lane.stop; i++) {
        const struct fnp_kernel *k = &kernels->list[i];

        if (k->missing)
            continue;
        fnp_plan_make(&arena, k, options->seed, options->budget, &plans[i]);
        cover(&lane, i, tell, arg);
    }
    if (lane.pool)
        fnp_pool_close(lane.pool);
    fnp_tracing_close(lane.tracing);
    fnp_arena_release(&arena);
    return status;
}
