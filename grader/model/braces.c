/* braces.c: see braces.h. */
#include "model/braces.h"

#include "base/text.h"
#include "model/case.h"

#include <math.h>
#include <string.h>

const char *braces_fill(struct arena *arena, const char *text, braces_value value, void *context)
{
    struct text made;
    bool is_right = true;

    text_init(&made);
    while (*text != '\0' && is_right) {
        const size_t before = strcspn(text, "{");
        text_append_bytes(&made, text, before);
        text += before;
        if (*text == '\0') {
            break;
        }
        const size_t length = strcspn(++text, "{}");
        const char *found =
            text[length] == '}' ? value(context, arena_strndup(arena, text, length)) : NULL;
        is_right = found != NULL;
        text_append(&made, text_or_empty(found));
        text += is_right ? length + 1 : 0;
    }
    const char *filled = is_right ? arena_strdup(arena, text_or_empty(made.bytes)) : NULL;
    text_release(&made);
    return filled;
}

struct filling {
    struct arena *arena;
    struct case_scope scope;
};

static const char *value_of(void *context, const char *words)
{
    struct filling *filling = context;
    const struct expression *expression = NULL;
    size_t offset = 0;
    double value = 0.0;

    if (expression_parse(filling->arena, words, &expression, &offset, NULL) != ERROR_NONE ||
        !expression_evaluate(expression, case_lookup, &filling->scope, &value, NULL)) {
        return NULL;
    }
    return arena_printf(filling->arena, value == rint(value) ? "%.0f" : "%.17g", value);
}

const char *braces_fill_case(struct arena *arena, const struct rubric *rubric,
                             const int64_t *parameters, const char *text)
{
    struct filling filling = {arena, {.rubric = rubric, .parameters = parameters}};

    return braces_fill(arena, text, value_of, &filling);
}
