/* advice_text.c: see advice_text.h. */
#include "diagnosis/hints/advice_text.h"

#include "base/ensure.h"
#include "base/text.h"

#include <string.h>

/* The sentences of advice.def, with {1} and {2} for names. */
static const char *const sentences[ADVICE_COUNT] = {
    [ADVICE_NONE] = "",
#define ADVICE(name, text) [ADVICE_##name] = (text),
#include "model/advice.def"
#undef ADVICE
};

/* The name that "{1}" stands for, at `braces`. */
static const char *name_at(const struct advice *advice, const char *braces)
{
    for (size_t i = 0; i < ADVICE_NAMES; i++) {
        if (braces[1] == (char)('1' + i) && braces[2] == '}' && advice->names[i] != NULL) {
            return advice->names[i];
        }
    }
    ENSURE(!"a name that the advice lacks");
    return "";
}

static void append(struct text *out, enum code code, const struct advice *advice)
{
    const char *rest = advice->id == ADVICE_OF_CODE ? code_hint(code) : sentences[advice->id];

    for (; *rest != '\0'; rest++) {
        if (*rest == '{') {
            text_append(out, name_at(advice, rest));
            rest += strlen("{1}") - 1;
        } else {
            text_append_char(out, *rest);
        }
    }
}

const char *advice_text(struct arena *arena, const struct cause *cause)
{
    struct text text;

    text_init(&text);
    append(&text, cause->code, &cause->advice);
    if (text.length > 0 && cause->more_advice.id != ADVICE_NONE) {
        text_append(&text, "; ");
    }
    append(&text, cause->code, &cause->more_advice);
    const char *copy = arena_strndup(arena, text.bytes, text.length);
    text_release(&text);
    return copy;
}

void advice_explain(struct arena *arena, struct cause *cause)
{
    if (cause->advice.id != ADVICE_NONE) {
        cause->hint = advice_text(arena, cause);
    }
}
