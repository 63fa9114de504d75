/* step_map.h: asks a device for the steps of one block, and translates them into lines of a
 * student's sources and names of arrays. */
#ifndef GPUGRADE_SESSION_STEP_MAP_H
#define GPUGRADE_SESSION_STEP_MAP_H

#include "model/block_steps.h"
#include "session/device_link.h"

/* Has the steps logged of the launches from now on of all kernels that the pattern matches; of all
 * that are no library's where it is NULL. Errors: those of device_link_call. */
enum error steps_watch(struct device_link *link, const struct code_index *code, const char *pattern,
                       const struct step_request *request, struct diagnostic *diagnostic);

/* Takes what was logged, into the arena; *out_steps is NULL if there is nothing. `operands` names
 * arrays; NULL: none are known. Errors: those of device_link_call, ERROR_PEER (the device sends
 * what no device does). */
enum error steps_take(struct device_link *link, struct arena *arena, const struct code_index *code,
                      const struct operand_memories *operands, const struct block_steps **out_steps,
                      struct diagnostic *diagnostic);

/* Reads a reply to STEPS that has steps (wire/control_messages.def) into the arena; names as for
 * steps_take. False if the bytes are not the steps of a block. */
bool steps_from_reply(struct arena *arena, const struct code_index *code,
                      const struct operand_memories *operands, const struct message *reply,
                      struct block_steps *out_steps);

#endif
