/* SPDX-License-Identifier: MIT */
/*
 * image_stub.c - pieces that stand for symbols a relocatable object does not define
 *
 * It makes pieces; where they go and who refers to them is image_link.c's business.
 */
#include "subject/image_link.h"
#include "subject/stub.h"

uint32_t fnp_link_define(struct fnp_link *link, const char *name, bool built_in)
{
    struct fnp_stub *stub = fnp_arena_alloc(link->scratch, sizeof(*stub));

    if (!fnp_stub_by_contract(link->contract, name, link->is32, stub) &&
        !(built_in && fnp_stub_built_in(name, link->is32, stub))) {
        return built_in && fnp_stub_is_trap(name) ? fnp_link_trap(link, name)
                                                  : FNP_PIECE_NONE;
    }
    link->known |= stub->known;
    return fnp_link_add(link,
                        &(struct fnp_piece){
                            .name = name,
                            .bytes = stub->bytes,
                            .size = stub->is_code ? FNP_STUB_MAX : stub->len,
                            .align = stub->is_code ? FNP_STUB_MAX : stub->len,
                            .group = stub->is_code ? FNP_GROUP_CODE : FNP_GROUP_DATA,
                            .is_code = stub->is_code,
                        });
}

uint32_t fnp_link_trap(struct fnp_link *link, const char *name)
{
    return fnp_link_add(link, &(struct fnp_piece){
                                  .name = name[0] ? name : "(unnamed)",
                                  .bytes = fnp_stub_trap,
                                  .size = FNP_STUB_MAX,
                                  .align = FNP_STUB_MAX,
                                  .group = FNP_GROUP_TRAP,
                                  .is_code = true,
                              });
}
