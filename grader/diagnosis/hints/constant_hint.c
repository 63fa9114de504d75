/* constant_hint.c: see constant_hint.h. */
#include "diagnosis/hints/constant_hint.h"

#include "criteria/program_source.h"

#include <inttypes.h>

static const char COPY_CALL[] = "cudaMemcpyToSymbol";

/* The function that prints the block width, so that it is computed there; NULL if that is not
 * certain. */
static const char *function_of_block_width(const struct criteria_input *input, struct arena *arena,
                                           size_t launch, const struct program_source *source)
{
    const struct rubric *rubric = input->rubric;

    for (size_t i = 0; i < rubric->criterion_count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        struct file_token file_token;
        if (criterion->kind != CRITERION_BLOCK_SIZE || !criterion->has_printout ||
            criterion->launch != launch ||
            find_labels(source, rubric->printouts[criterion->printout].label, false, &file_token) !=
                1) {
            continue;
        }
        const struct source_functions *functions = &file_token.file->functions;
        const struct source_function *function = source_function_at(functions, file_token.token);
        if (functions->is_certain && function != NULL) {
            const struct source_token *token = &file_token.file->tokens.tokens[function->name];
            return arena_strndup(arena, token->text, token->length);
        }
    }
    return NULL;
}

/* Something copies to it, but not the block width. */
static const char *other_value_hint(struct arena *arena, const char *name, int64_t value,
                                    int64_t block_width)
{
    if (value == 0) {
        return arena_printf(arena,
                            "the copy to %s is never reached, fails, comes after the launch, or "
                            "copies a variable that is still 0: copy the block width after it has "
                            "its final value and before the launch",
                            name);
    }
    if (value == block_width * block_width) {
        return arena_printf(
            arena,
            "%" PRId64 " is the number of threads in a block: copy the block width to %s instead",
            value, name);
    }
    return arena_printf(arena,
                        "the copy to %s happens before the block width has its final value, or "
                        "copies another variable",
                        name);
}

/* What to do about the copy to a constant that holds another value. */
static const char *copy_hint(const struct criteria_input *input, struct arena *arena, size_t launch,
                             const char *name, int64_t value, int64_t block_width)
{
    struct program_source source;
    struct file_token file_token;
    const char *call = arena_printf(arena, "copy the block width with %s(%s, &width, sizeof width)",
                                    COPY_CALL, name);

    if (input->source_count == 0) {
        return call;
    }
    program_source_read(input, arena, input->rubric->launches[launch].program, &source);
    if (find_calls(&source, COPY_CALL, name, &file_token) > 0) {
        return other_value_hint(arena, name, value, block_width);
    }
    const char *function = function_of_block_width(input, arena, launch, &source);
    if (value != 0 || function == NULL || program_has_macro(&source, name) ||
        program_has_macro(&source, COPY_CALL)) {
        return call;
    }
    return arena_printf(arena, "%s, in `%s` after the line that sets its final value", call,
                        function);
}

void constant_explain(const struct criteria_input *input, struct arena *arena, size_t launch,
                      struct cause *cause)
{
    const struct subject *subject = &cause->subject;

    if (cause->hint[0] == '\0') {
        cause->hint =
            copy_hint(input, arena, launch, subject->name, subject->value, subject->block_width);
    }
}
