/* trial_launches.c: see trial_launches.h. */
#include "session/trial_launches.h"

#include "session/finding_map.h"

#include <string.h>

static bool was_seen(const struct trial_launches *misfits, const struct launch_geometry *geometry)
{
    for (size_t i = 0; i < misfits->seen_count; i++) {
        if (memcmp(&misfits->seen[i], geometry, sizeof *geometry) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds the findings of a reply to PROBE. */
static enum error take_findings(struct trial_launches *misfits, struct connection *connection,
                                const char *launch_id, const struct message *probed,
                                struct diagnostic *diagnostic)
{
    const uint8_t *bytes = probed->payload;
    uint64_t count = probed->words[2];

    if (count > probed->payload_bytes / FINDING_RECORD_BYTES) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the device's findings cannot be read");
        return ERROR_PEER;
    }
    arena_grow(connection->arena, &misfits->findings, &misfits->finding_capacity,
               misfits->finding_count + count, sizeof *misfits->findings);
    for (size_t i = 0; i < count; i++) {
        struct finding_record record;
        if (!finding_record_unpack(bytes + i * FINDING_RECORD_BYTES, &record) ||
            !finding_from_record(connection->arena, &connection->code, launch_id, &record,
                                 &misfits->findings[misfits->finding_count])) {
            diagnostic_set(diagnostic, BLAME_GRADER, "the device's findings cannot be read");
            return ERROR_PEER;
        }
        misfits->finding_count++;
    }
    return ERROR_NONE;
}

static enum error call(struct connection *connection, enum control_message type,
                       struct message *out_reply, struct diagnostic *diagnostic)
{
    const struct message request = {.type = type};

    return connection_call(connection, &request, out_reply, diagnostic);
}

enum error trial_launches_note(struct trial_launches *misfits, struct connection *connection,
                               const char *launch_id, const struct held_launch *held,
                               struct diagnostic *diagnostic)
{
    struct message reply;

    if (connection->link.is_gpu || misfits->seen_count == TRIAL_LAUNCHES_MAX ||
        was_seen(misfits, &held->geometry)) {
        return ERROR_NONE;
    }
    misfits->seen[misfits->seen_count++] = held->geometry;
    enum error error = call(connection, CONTROL_SNAPSHOT, NULL, diagnostic);
    if (error == ERROR_NONE) {
        error = call(connection, CONTROL_PROBE, &reply, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = take_findings(misfits, connection, launch_id, &reply, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = call(connection, CONTROL_RESTORE, NULL, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = call(connection, CONTROL_DISCARD, NULL, diagnostic);
    }
    return connection->link.loss == DEVICE_SERVES ? error : ERROR_NONE;
}

static bool is_forgivable(enum code code)
{
    enum cause_kind cause = code_cause(code);

    return cause == CAUSE_RACE || cause == CAUSE_UNINITIALISED;
}

static bool is_forgiven(const struct trial_launches *misfits, const struct finding *finding)
{
    bool is_known = is_forgivable(finding->code) && !finding->is_rest;

    for (size_t i = 0; i < misfits->finding_count && is_known; i++) {
        if (finding_is_same(&misfits->findings[i], finding)) {
            return true;
        }
    }
    return false;
}

void trial_launches_forgive(const struct trial_launches *misfits, struct arena *arena,
                            struct program_activity *activity)
{
    struct finding *kept = arena_array(arena, activity->finding_count, sizeof *kept);
    size_t count = 0;

    for (size_t i = 0; i < activity->finding_count; i++) {
        if (!is_forgiven(misfits, &activity->findings[i])) {
            kept[count++] = activity->findings[i];
        }
    }
    activity->findings = kept;
    activity->finding_count = count;
}
