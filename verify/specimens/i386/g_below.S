/* SPDX-License-Identifier: MIT */
/*
 * g_below - the copies of ../g_below.S in 32-bit code
 */
#include "verify/specimens/g_below.S"
