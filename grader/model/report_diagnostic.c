/* report_diagnostic.c: see report_diagnostic.h. */
#include "model/report_diagnostic.h"

#include <assert.h>

const char note_blocked_end[] = "cannot be graded until this is fixed";

const char *note_kind_name(enum note_kind kind)
{
    static const char *const names[] = {
        [NOTE_EXPECTED] = "result", [NOTE_SEEN] = "seen",       [NOTE_SO] = "so",
        [NOTE_ALSO] = "also",       [NOTE_NOTE] = "note",       [NOTE_HINT] = "hint",
        [NOTE_AGAIN] = "again",     [NOTE_EXPLAIN] = "explain",
    };

    assert((unsigned)kind < NOTE_KINDS);
    return names[kind];
}
