/* finding_map.h: translates what a device reports into findings about a student's sources. */
#ifndef GPUGRADE_SESSION_FINDING_MAP_H
#define GPUGRADE_SESSION_FINDING_MAP_H

#include "base/arena.h"
#include "model/counts.h"
#include "model/finding.h"
#include "toolchain/code_index.h"
#include "wire/finding_record.h"

#include <stdbool.h>

/* Turns a place into one in the student's sources. A place inside a header becomes the place where
 * it was inlined; if that is outside the sources too, the file is "" and the line 0. */
void place_from_record(const struct code_module *module, const struct finding_record_place *record,
                       struct place *out_place);

/* What an access does: "reads", "writes", "updates"; of enum finding_record_access. */
const char *finding_verb(uint32_t access);

/* "shared array `Bs` is overwritten while other threads still read it": of what, and the roles of
 * the accesses: the one that was not over yet, and the one that did not wait for it. */
const char *finding_race_message(struct arena *arena, enum code code, const char *what,
                                 const char *first, const char *second);

/* Turns a record into a finding in the arena: code, message, kernel, places with files relative to
 * the submission. A place inside a header becomes the place where it was inlined. False if the
 * record names a module or kernel that does not exist (a device that cannot be trusted). */
bool finding_from_record(struct arena *arena, const struct code_index *code, const char *launch_id,
                         const struct finding_record *record, struct finding *out_finding);

/* What a finding says that stands for the rest of its code. */
const char *finding_rest_message(struct arena *arena, enum code code);

/* Decides which access of a race in shared memory did not wait for the other. A race itself has no
 * order, but the source has one: the upper line comes first. If there is a barrier between the two
 * lines, they collide around a loop, and the upper line of the next round comes too early. Sets
 * message and main_place. */
void finding_report_order(struct arena *arena, const struct launch_counts *counts,
                          struct finding *finding);

#endif
