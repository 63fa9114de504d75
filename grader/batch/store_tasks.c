/* store_tasks.c: which submissions a run still has to grade; see store.h. */
#include "batch/store_query.h"

/* What the grader or the machine is to blame for. */
static const char has_failed[] =
    "(state = 'trouble' OR EXISTS (SELECT 1 FROM criteria WHERE run = submissions.run"
    " AND status = 'error'))";

/* The codes of what the device does not know, as a list of SQL. */
static const char *unknown_codes(struct arena *arena)
{
    const char *unknown = "";

    for (int code = CODE_NONE + 1; code < CODE_COUNT; code++) {
        if (code_cause(code) == CAUSE_UNSUPPORTED) {
            unknown = arena_printf(arena, "%s%s'%s'", unknown, unknown[0] == '\0' ? "" : ", ",
                                   code_id(code));
        }
    }
    return unknown;
}

/* What failed without what the device does not know: trying again shows nothing else. */
static const char *may_succeed(struct arena *arena)
{
    return arena_printf(arena,
                        "(state = 'trouble' OR EXISTS (SELECT 1 FROM criteria WHERE run ="
                        " submissions.run AND status = 'error' AND code NOT IN (%s)))",
                        unknown_codes(arena));
}

/* status_review() in SQL. */
static const char *wants_review(struct arena *arena)
{
    return arena_printf(arena,
                        "EXISTS (SELECT 1 FROM criteria WHERE run = submissions.run"
                        " AND status = 'failed' AND code IN (%s))",
                        unknown_codes(arena));
}

static const char *condition_of(struct arena *arena, enum store_choice choice)
{
    switch (choice) {
    case STORE_PENDING:
        return arena_printf(arena, "(state = 'pending' OR (tries < %d AND %s))", STORE_TRIES,
                            may_succeed(arena));
    case STORE_FAILED:
        return has_failed;
    case STORE_OLD_TIME:
        return HAS_OLD_TIME("submissions");
    case STORE_REVIEW:
        return wants_review(arena);
    default:
        return "TRUE";
    }
}

enum error store_tasks(struct store *store, struct arena *arena, enum store_choice choice,
                       const struct store_task **out_tasks, size_t *out_count,
                       struct diagnostic *diagnostic)
{
    struct store_task *tasks = NULL;
    size_t count = 0, capacity = 0;
    struct query query;

    query_begin(&query, store,
                arena_printf(arena,
                             "SELECT id, submission, path, is_folder, tries, stamp FROM submissions"
                             " WHERE NOT is_gone AND %s ORDER BY id",
                             condition_of(arena, choice)),
                diagnostic);
    while (query_row(&query)) {
        arena_grow(arena, &tasks, &capacity, count + 1, sizeof *tasks);
        tasks[count++] = (struct store_task){
            .id = query_get_integer(&query, 0),
            .submission = query_get_text(&query, 1, arena),
            .path = query_get_text(&query, 2, arena),
            .is_folder = query_get_integer(&query, 3) != 0,
            .tries = (uint32_t)query_get_integer(&query, 4),
            .stamp = query_get_text(&query, 5, arena),
        };
    }
    enum error error = query_end(&query);
    if (error == ERROR_NONE) {
        *out_tasks = tasks;
        *out_count = count;
    }
    return error;
}
