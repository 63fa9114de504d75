/* barrier_fixes.c: barriers that are missing or out of place, and updates that must be atomic. */
#include "diagnosis/fixes/fix_maker.h"

static const char barrier[] = "__syncthreads();";

/* Two accesses of a race, in one function; the one that did not wait is the later one in time. */
struct race {
    const struct program_file *file;
    const struct source_function *function;
    size_t waited, hurried; /* tokens */
};

static bool find_race(const struct fix_maker *maker, struct race *out_race)
{
    const struct finding *finding = maker->request->diagnostic->finding;

    if (finding == NULL || finding->place_count < 2 || finding->main_place > 1) {
        return false;
    }
    const struct place *hurried = &finding->places[finding->main_place];
    const struct place *waited = &finding->places[1 - finding->main_place];
    const struct program_file *file = fix_file(maker, hurried->file);
    if (file == NULL || file != fix_file(maker, waited->file)) {
        return false;
    }
    *out_race = (struct race){.file = file,
                              .waited = fix_token_at(file, waited->line, waited->column),
                              .hurried = fix_token_at(file, hurried->line, hurried->column)};
    if (out_race->waited >= file->tokens.count || out_race->hurried >= file->tokens.count) {
        return false;
    }
    out_race->function = source_function_at(&file->functions, out_race->waited);
    return out_race->function != NULL &&
           out_race->function == source_function_at(&file->functions, out_race->hurried);
}

/* Puts a barrier between the statements of two accesses, before the one that is further down. */
static void add_between(struct fix_draft *draft, const struct race *race)
{
    const struct program_file *file = race->file;
    size_t first = race->waited < race->hurried ? race->waited : race->hurried;
    size_t last = race->waited < race->hurried ? race->hurried : race->waited;
    size_t block = fix_block_around(file, race->function, first, last);
    const struct token_range statement = fix_statement_in(file, block, last);

    draft->is_lost = draft->is_lost || statement.first <= first || statement.end <= last;
    if (!draft->is_lost) {
        fix_insert_line(draft, file, statement.first - 1, statement.first, barrier);
    }
}

/* Puts a barrier at the end of the innermost loop around both accesses, which has braces. */
static void add_at_loop_end(struct fix_draft *draft, const struct race *race)
{
    const struct program_file *file = race->file;
    size_t first = race->waited < race->hurried ? race->waited : race->hurried;
    size_t last = race->waited < race->hurried ? race->hurried : race->waited;
    size_t open = file->tokens.count;
    struct token_range loop = {0, 0};
    size_t from = race->function->open + 1;

    while (source_next_loop(&file->tokens, from, first, &loop)) {
        bool is_do = fix_name_is(file, loop.first, "do");
        size_t body = is_do ? loop.first + 1 : token_close(&file->tokens, loop.first + 1);
        bool is_around = body <= first && last < loop.end;
        open = is_around && fix_sign_is(file, body, "{") ? body : open;
        from = is_around ? body : loop.end;
    }
    size_t close = token_close(&file->tokens, open) - 1;
    draft->is_lost = draft->is_lost || open >= file->tokens.count || close >= file->tokens.count;
    if (!draft->is_lost) {
        fix_insert_line(draft, file, close - 1, open + 1, barrier);
    }
}

void fix_add_barrier(struct fix_maker *maker)
{
    struct race race;
    struct fix_draft between = {.maker = maker};
    struct fix_draft at_end = {.maker = maker};
    struct fix_draft both = {.maker = maker};

    if (!find_race(maker, &race)) {
        return;
    }
    add_between(&between, &race);
    add_at_loop_end(&at_end, &race);
    add_between(&both, &race);
    add_at_loop_end(&both, &race);
    bool is_backwards = race.hurried < race.waited; /* in the next pass of a loop */
    fix_draft_offer(is_backwards ? &at_end : &between);
    fix_draft_offer(is_backwards ? &between : &at_end);
    fix_draft_offer(&both);
}

/* __syncwarp() where the whole block has to wait. */
void fix_widen_warp_sync(struct fix_maker *maker)
{
    struct race race;
    struct fix_draft draft = {.maker = maker};

    if (!find_race(maker, &race)) {
        return;
    }
    for (size_t i = race.function->open; i < race.function->close; i++) {
        if (fix_name_is(race.file, i, "__syncwarp") && fix_sign_is(race.file, i + 1, "(") &&
            fix_sign_is(race.file, i + 2, ")")) {
            fix_replace(&draft, race.file, i, i + 1, "__syncthreads");
        }
    }
    fix_draft_offer(&draft);
}

/* The barrier at or near a token: the one of its line. */
static size_t barrier_of_line(const struct program_file *file, int line)
{
    for (size_t i = source_line_start(&file->tokens, line);
         i < file->tokens.count && file->tokens.tokens[i].line == line; i++) {
        if (fix_name_is(file, i, "__syncthreads")) {
            return i;
        }
    }
    return file->tokens.count;
}

/* if (...) { ... __syncthreads(); } becomes if (...) { ... } __syncthreads(); and the barrier in
 * if (...) __syncthreads(); loses its condition. */
static void move_out(struct fix_maker *maker, const struct program_file *file, size_t at)
{
    const struct source_function *function = source_function_at(&file->functions, at);
    struct fix_draft draft = {.maker = maker};
    const size_t end = at + 4; /* __syncthreads ( ) ; */

    if (function == NULL || !fix_sign_is(file, end - 1, ";")) {
        return;
    }
    size_t block = fix_block_around(file, function, at, at);
    const struct token_range statement = fix_statement_in(file, block, at);
    if (statement.first < at && fix_name_is(file, statement.first, "if") && statement.end == end &&
        token_close(&file->tokens, statement.first + 1) == at) {
        if (file->tokens.tokens[statement.first].line == file->tokens.tokens[at].line) {
            fix_replace(&draft, file, statement.first, at + 1, "__syncthreads");
        } else {
            fix_remove_line(&draft, file, statement.first, at);
        }
        fix_draft_offer(&draft);
        return;
    }
    size_t close = token_close(&file->tokens, block);
    if (block == function->open || close >= file->tokens.count ||
        !fix_sign_is(file, block - 1, ")")) {
        return;
    }
    fix_remove_line(&draft, file, at, end);
    fix_insert_line(&draft, file, close - 1, close - 1, barrier);
    fix_draft_offer(&draft);
}

void fix_move_barrier(struct fix_maker *maker)
{
    const struct report_diagnostic *diagnostic = maker->request->diagnostic;

    for (size_t i = 0; i < diagnostic->mark_count; i++) {
        const struct program_file *file = fix_file(maker, diagnostic->marks[i].file);
        size_t at = file == NULL ? 0 : barrier_of_line(file, diagnostic->marks[i].line);
        if (file != NULL && at < file->tokens.count) {
            move_out(maker, file, at);
        }
    }
}

/* Replaces a statement X += V; X++; or ++X; by an atomicAdd of the same. */
static void make_atomic(struct fix_maker *maker, const struct program_file *file,
                        struct token_range statement)
{
    struct fix_draft draft = {.maker = maker};
    const char *call = NULL;
    size_t last = statement.end - 1;

    for (size_t i = statement.first; i < last && call == NULL; i++) {
        if (fix_sign_is(file, i, "+=")) {
            call = arena_printf(maker->arena, "atomicAdd(&%s, %s)",
                                fix_text(maker, file, statement.first, i),
                                fix_text(maker, file, i + 1, last));
        } else if (fix_sign_is(file, i, "++") && (i == statement.first || i + 1 == last)) {
            size_t first = i == statement.first ? i + 1 : statement.first;
            size_t end = i == statement.first ? last : i;
            call =
                arena_printf(maker->arena, "atomicAdd(&%s, 1)", fix_text(maker, file, first, end));
        }
    }
    if (call != NULL && fix_sign_is(file, last, ";")) {
        fix_replace(&draft, file, statement.first, last, call);
        fix_draft_offer(&draft);
    }
}

void fix_make_atomic(struct fix_maker *maker)
{
    struct race race;

    if (!find_race(maker, &race) ||
        race.file->tokens.tokens[race.waited].line != race.file->tokens.tokens[race.hurried].line) {
        return;
    }
    size_t start =
        source_line_start(&race.file->tokens, race.file->tokens.tokens[race.hurried].line);
    size_t block = fix_block_around(race.file, race.function, race.hurried, race.hurried);
    struct token_range statement = fix_statement_in(race.file, block, race.hurried);
    /* behind if (...) and the like in the same line */
    while (fix_name_is(race.file, statement.first, "if") ||
           fix_name_is(race.file, statement.first, "for")) {
        statement.first = token_close(&race.file->tokens, statement.first + 1);
    }
    if (statement.first >= start && statement.end > statement.first + 2) {
        make_atomic(maker, race.file, statement);
    }
}
