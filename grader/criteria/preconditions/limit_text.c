/* limit_text.c: see limit_text.h. */
#include "criteria/preconditions/limit_text.h"

#include <inttypes.h>

/* The largest unit that a size has once at least. */
struct unit {
    uint64_t bytes;
    const char *name;
};

static struct unit unit_of(uint64_t bytes)
{
    static const struct unit units[] = {
        {UINT64_C(1) << 30, "GiB"},
        {UINT64_C(1) << 20, "MiB"},
        {UINT64_C(1) << 10, "KiB"},
        {1, "bytes"},
    };
    size_t i = 0;

    while (bytes < units[i].bytes && units[i].bytes > 1) {
        i++;
    }
    return units[i];
}

/* Digits after the point for an amount that was measured: no more than it is known to. */
static int digits_of(double amount)
{
    if (amount < 1) {
        return 2;
    }
    return amount < 20 ? 1 : 0;
}

const char *limit_seconds(struct arena *arena, uint64_t limit_ns)
{
    return arena_printf(arena, "%.6g s", (double)limit_ns / 1e9);
}

const char *limit_bytes(struct arena *arena, uint64_t bytes)
{
    struct unit unit = unit_of(bytes);

    return arena_printf(arena, "%.6g %s", (double)bytes / (double)unit.bytes, unit.name);
}

const char *reached_bytes(struct arena *arena, uint64_t reached_bytes, uint64_t limit_bytes)
{
    struct unit unit = unit_of(limit_bytes);
    double amount = (double)reached_bytes / (double)unit.bytes;

    return arena_printf(arena, "%.*f %s", unit.bytes == 1 ? 0 : digits_of(amount), amount,
                        unit.name);
}

/* Nothing is known of how far it came, or what is known says less than the limit: memory is refused
 * before it is in use. */
static bool says_nothing(const struct program_end *end)
{
    return end->reached == 0 ||
           (end->ending == ENDING_MEMORY_LIMIT && end->reached < end->limit / 8 * 7);
}

static const char *memory_text(struct arena *arena, const char *who, const struct program_end *end)
{
    const char *limit = limit_bytes(arena, end->limit);

    if (says_nothing(end)) {
        return arena_printf(arena, "%s asked for more memory than it may have; the limit is %s",
                            who, limit);
    }
    if (end->reached <= end->limit) { /* what was refused is not in use */
        return arena_printf(arena, "%s reached the limit of %s of memory", who, limit);
    }
    return arena_printf(arena, "%s used %s of memory; the limit is %s", who,
                        reached_bytes(arena, end->reached, end->limit), limit);
}

static const char *file_text(struct arena *arena, const char *who, const struct program_end *end)
{
    const char *limit = limit_bytes(arena, end->limit);

    /* Folders that are nested too deeply to be counted have no size. */
    if (says_nothing(end) || end->reached == UINT64_MAX) {
        return arena_printf(arena, "%s wrote more than it may to files; the limit is %s", who,
                            limit);
    }
    return arena_printf(arena, "%s wrote %s of files; the limit is %s", who,
                        reached_bytes(arena, end->reached, end->limit), limit);
}

/* How far past its limit it was seen depends on how busy the machine is: that is not said. */
static const char *time_text(struct arena *arena, const char *who, const struct program_end *end)
{
    const char *of = end->ending == ENDING_CPU_LIMIT ? " of processor time" : "";

    return arena_printf(arena, "%s was stopped at its limit of %s%s", who,
                        limit_seconds(arena, end->limit), of);
}

const char *limit_text(struct arena *arena, const char *who, const struct program_end *end)
{
    switch (end->ending) {
    case ENDING_WALL_LIMIT:
    case ENDING_CPU_LIMIT:
        return time_text(arena, who, end);
    case ENDING_MEMORY_LIMIT:
        return memory_text(arena, who, end);
    case ENDING_PROCESS_LIMIT:
        return arena_printf(arena,
                            "%s tried to run more than %" PRIu64
                            " processes and threads at once, which is the limit",
                            who, end->limit);
    case ENDING_FILE_LIMIT:
        return file_text(arena, who, end);
    case ENDING_OUTPUT_LIMIT:
        return arena_printf(arena, "%s printed more than %s, which is the limit", who,
                            limit_bytes(arena, end->limit));
    case ENDING_EXITED:
    case ENDING_SIGNALLED:
    case ENDING_STOPPED:
        break;
    }
    return "";
}
