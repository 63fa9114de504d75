/* finding_map.h: what a device saw, in the terms of a student's sources. */
#ifndef GPUGRADE_SESSION_FINDING_MAP_H
#define GPUGRADE_SESSION_FINDING_MAP_H

#include "base/arena.h"
#include "model/finding.h"
#include "toolchain/code_index.h"
#include "wire/finding_record.h"

#include <stdbool.h>

/* Turns a record into a finding in the arena: code, message, kernel, places with files relative to
 * the submission. A place inside of a header climbs to where it was inlined. False if the record
 * names a module or kernel that does not exist (a device that cannot be trusted). */
bool finding_from_record(struct arena *arena, const struct code_index *code, const char *launch_id,
                         const struct finding_record *record, struct finding *out_finding);

#endif
