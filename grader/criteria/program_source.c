/* program_source.c: see program_source.h. */
#include "criteria/program_source.h"

struct source_index *program_source_index(const struct criteria_input *input, struct arena *arena)
{
    return input->index != NULL ? input->index
                                : source_index_new(arena, input->sources, input->source_count);
}

void program_source_read(const struct criteria_input *input, struct arena *arena, size_t program,
                         struct program_source *out_source)
{
    *out_source = *source_index_program(program_source_index(input, arena),
                                        &input->rubric->programs[program]);
}
