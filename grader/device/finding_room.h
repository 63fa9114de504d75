/* finding_room.h: which findings are kept when a program has more of them than anyone would read.
 *
 * Every kind of finding has its own room of FINDING_ROOM places. So no kind displaces another one,
 * and errors are never lost to warnings. In a kind that is full, the first finding of a line goes
 * before the second one of any line, and so on; among those of one rank the lower key goes first.
 * The owner of the findings counts what is dropped.
 *
 * What is kept depends on the set of keys alone, not on their order: an entry that is among the
 * first of all is among the first of every part. So parts can be filled by several threads and
 * merged, and the counts of what is kept are exact.
 *
 * This is the one cap on findings from the device to the score; each message has bytes for all that
 * fits here. Other limits that leave something out:
 *
 *   cap                            what is beyond it
 *   RACE_ENTRIES_MAX, RACE_VALUES_MAX, RACE_EVENTS_MAX, RACE_SHAPES_MAX, race_memo
 *                                  nothing is lost: the log goes into the cells, verdicts are made
 *                                  again
 *   RACE_ITEMS_MAX                 the launch ends as if its time were over
 *   cells of global_races          accesses of blocks and instructions that do not fit count as
 *                                  findings left out; epochs and releases have no cap
 *   ERRORS_MAX of server_log       a room for launches, for unknown calls and for other calls each;
 *                                  what is beyond is counted
 *   CUDA_FINDINGS_MAX              overruns are counted in a record of what is left out
 *   count records of PROBE         all or none; without them no criterion that counts can pass
 *   TRACE_RECORDS_MAX              a flag; traces only explain what failed already
 *   TRIAL_LAUNCHES_MAX            what is not looked at is not forgiven
 *   MESSAGES_MAX of the messages  a room for errors and one for warnings
 *   print buffers                  the latest text stays, as CUDA has it
 *   screens and pages              errors come first, what is not shown is counted; the JSON has
 *                                  all, and every other format says what it lacks (left_out.h)
 *   MORE_MAX of front_end_messages "..." ends the text of a message
 *   COMPILER_OUTPUT_BYTES          what a compiler prints; more is a failure of the submission
 *   MODULE_KERNELS_MAX of toolchain likewise: a kernel without known registers is never launched
 *   CLIENT_NAME_BYTES              a kernel of a longer name cannot be registered, hence not
 *                                  launched
 *   REFERENCES_MAX of plain_name   a name that grows is reported unchanged
 *   ALLOCATIONS_MAX                cudaMalloc is refused
 *   LATE_EVENTS_MAX                a failure of the submission; a socket holds fewer
 *   REPORTED_BYTES_MAX                 a failure of the submission
 *   LOOKS_MAX, HELD_MAX            later launches of a whole program are not judged in place of
 *                                  one that is wrong
 *   TRACE_PLACES_MAX               LOWERED_OPS_MAX is less: each op has one place
 *   TASK_TIMES_MAX, KIN_MAX        threads and processes whose time is not looked at: it counts
 *                                  as the program's own
 *   PROGRAM_OUTPUT_BYTES_MAX       what the report quotes; it counts the rest, criteria read all
 *   SCORE_LIST_MAX                 a score has fewer findings, FINDING_ROOM for a kind and launch
 *
 * What was left out goes on as a record of its kind without a place (wire/finding_record.h), hence
 * as a finding (model/finding.h: is_rest), which criteria judge like any other of its kind.
 */
#ifndef GPUGRADE_DEVICE_FINDING_ROOM_H
#define GPUGRADE_DEVICE_FINDING_ROOM_H

#include "wire/finding_record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FINDING_ROOM = 128, FINDING_KEY_PARTS = 6 };

/* The most records that there can be: those of all kinds, and one for the rest of each. */
enum { FINDING_RECORDS_MAX = (FINDING_RECORD_KIND_END - 1) * (FINDING_ROOM + 1) };

/* What distinguishes a finding from others of its kind. */
struct finding_key {
    uint64_t line;                     /* the same for findings of one line of the source */
    uint64_t parts[FINDING_KEY_PARTS]; /* equal only if the findings are one; lower goes first */
};

struct finding_entry {
    struct finding_key key;
    size_t rank; /* how many entries of its line go before it */
};

/* Zeroed: empty. The slots of a kind are 0 to count - 1; what is kept there is the caller's. */
struct finding_room {
    struct finding_entry *entries[FINDING_RECORD_KIND_END]; /* [FINDING_ROOM], NULL: none; owned */
    size_t counts[FINDING_RECORD_KIND_END];
};

/* Finds the slot of a key, whose line need not be set; FINDING_ROOM if it is not there. */
size_t finding_room_find(const struct finding_room *room, uint32_t kind,
                         const struct finding_key *key);

/* Gives a key that is not there a slot: the next one, or in a full kind (*out_is_taken) that of the
 * entry that gives way; FINDING_ROOM if the key itself does. Aborts without memory. */
size_t finding_room_take(struct finding_room *room, uint32_t kind, const struct finding_key *key,
                         bool *out_is_taken);

void finding_room_release(struct finding_room *room);

#endif
