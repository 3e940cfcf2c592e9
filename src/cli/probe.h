/* SPDX-License-Identifier: MIT */
/*
 * probe.h - yes-or-no questions to the system, asked so that this process stays as it is
 *
 * Depends on: nothing.
 */
#ifndef FNP_CLI_PROBE_H
#define FNP_CLI_PROBE_H

#include <stdbool.h>
#include <stdint.h>

/* Does the system call fence of that kind work? */
bool fnp_probe_dispatch(void);
bool fnp_probe_seccomp(void);

/* Are RDFSBASE and its kin usable (HWCAP2 bit 1)? */
bool fnp_probe_fsgsbase(void);

/* Can a page be mapped at `addr`, and with `exec` be made executable after writing? */
bool fnp_probe_map(uint64_t addr, bool exec);

/* May a core file be written? */
bool fnp_probe_core_limit(void);

/* Is there a program of this name in PATH? */
bool fnp_probe_tool(const char *name);

#endif
