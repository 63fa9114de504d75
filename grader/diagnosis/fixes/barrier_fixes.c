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

/* The first statement of a block, after the one that a token lies in and before another one, with
 * which threads may leave; that other one if there is none. */
static struct token_range first_exit(const struct program_file *file, size_t block, size_t token,
                                     struct token_range last)
{
    struct token_range statement = fix_statement_in(file, block, token);

    while (statement.end < last.first) {
        statement = fix_next_statement(file, statement.end);
        for (size_t i = statement.first; i < statement.end && statement.end <= last.first; i++) {
            if (fix_name_is(file, i, "return")) {
                return statement;
            }
        }
    }
    return last;
}

/* Puts a barrier between the statements of two accesses, before the one that is further down, and
 * before threads leave. */
static void add_between(struct fix_draft *draft, const struct race *race)
{
    const struct program_file *file = race->file;
    size_t first = race->waited < race->hurried ? race->waited : race->hurried;
    size_t last = race->waited < race->hurried ? race->hurried : race->waited;
    size_t block = fix_block_around(file, race->function, first, last);
    const struct token_range statement = fix_statement_in(file, block, last);

    draft->is_lost = draft->is_lost || statement.first <= first || statement.end <= last;
    if (!draft->is_lost) {
        const struct token_range before = first_exit(file, block, first, statement);
        fix_insert_line(draft, file, before.first - 1, before.first, barrier);
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

/* Removes the lines of the tokens [first, end). */
static void remove_lines(struct fix_draft *draft, const struct program_file *file, size_t first,
                         size_t end)
{
    for (size_t next; first < end; first = next) {
        next = first + 1;
        while (next < end && file->tokens.tokens[next].line == file->tokens.tokens[first].line) {
            next++;
        }
        fix_remove_line(draft, file, first, next);
    }
}

/* if (...) __syncthreads(); loses its condition. False if the barrier is not such a statement. */
static bool drop_condition(struct fix_draft *draft, const struct program_file *file,
                           struct token_range statement, size_t at)
{
    if (statement.first == at || !fix_name_is(file, statement.first, "if") ||
        token_close(&file->tokens, statement.first + 1) != at) {
        return false;
    }
    if (file->tokens.tokens[statement.first].line == file->tokens.tokens[at].line) {
        fix_replace(draft, file, statement.first, at + 1, "__syncthreads");
    } else {
        fix_remove_line(draft, file, statement.first, at);
    }
    return true;
}

/* Removes the barriers of an if and its else, and puts one after them. */
static void join_barriers(struct fix_draft *draft, const struct program_file *file,
                          struct token_range statement)
{
    for (size_t i = statement.first; i < statement.end; i++) {
        if (fix_name_is(file, i, "__syncthreads")) {
            fix_remove_line(draft, file, i, i + 4);
        }
    }
    fix_insert_line(draft, file, statement.end - 1, statement.first, barrier);
}

/* if (C) { ...; __syncthreads(); ...; }: the barrier goes after the block; or before it, if it is
 * the first there; or out of it, by a second if (C). */
static void move_out(struct fix_maker *maker, const struct program_file *file, size_t at)
{
    const struct source_function *function = source_function_at(&file->functions, at);
    struct fix_draft after = {.maker = maker};
    struct fix_draft around = {.maker = maker};
    const size_t end = at + 4; /* __syncthreads ( ) ; */

    if (function == NULL || !fix_sign_is(file, end - 1, ";")) {
        return;
    }
    size_t block = fix_block_around(file, function, at, at);
    struct token_range statement = fix_statement_in(file, block, at);
    if (statement.end == end && drop_condition(&after, file, statement, at)) {
        fix_draft_offer(&after);
        return;
    }
    if (block == function->open || !fix_sign_is(file, block - 1, ")")) {
        return;
    }
    statement = fix_statement_in(file, fix_block_around(file, function, block, block), at);
    if (fix_name_is(file, token_close(&file->tokens, block), "else")) {
        join_barriers(&after, file, statement);
        fix_draft_offer(&after);
        return;
    }
    fix_remove_line(&after, file, at, end);
    if (!fix_name_is(file, statement.end, "__syncthreads")) { /* one is enough */
        fix_insert_line(&after, file, statement.end - 1, statement.end - 1, barrier);
    }
    fix_draft_offer(&after);
    if (!fix_name_is(file, statement.first, "if") ||
        token_close(&file->tokens, statement.first + 1) != block) {
        return;
    }
    if (at == block + 1) {
        fix_remove_line(&around, file, at, end);
        fix_insert_line(&around, file, statement.first - 1, statement.first, barrier);
    } else {
        fix_insert_line(&around, file, at - 1, statement.first, "}");
        fix_insert_line(&around, file, end - 1, statement.first,
                        fix_text(maker, file, statement.first, block + 1));
    }
    fix_draft_offer(&around);
}

/* The barriers in the lines that the diagnostic marks; if there are none, all of its function. */
void fix_move_barrier(struct fix_maker *maker)
{
    const struct report_diagnostic *diagnostic = maker->request->diagnostic;
    const struct source_function *function = maker->function;
    bool is_marked = false;

    for (size_t i = 0; i < diagnostic->mark_count; i++) {
        const struct program_file *file = fix_file(maker, diagnostic->marks[i].file);
        size_t at = file == NULL ? 0 : barrier_of_line(file, diagnostic->marks[i].line);
        if (file != NULL && at < file->tokens.count) {
            move_out(maker, file, at);
            is_marked = true;
        }
    }
    for (size_t i = is_marked || function == NULL ? 0 : function->open;
         i > 0 && i < function->close; i++) {
        if (fix_name_is(maker->file, i, "__syncthreads")) {
            move_out(maker, maker->file, i);
        }
    }
}

/* True if a statement is if (...) return; perhaps with braces. */
static bool is_early_return(const struct program_file *file, struct token_range statement)
{
    size_t body = token_close(&file->tokens, statement.first + 1);
    size_t braces = fix_sign_is(file, body, "{") ? 1 : 0;

    return fix_name_is(file, statement.first, "if") && fix_name_is(file, body + braces, "return") &&
           fix_sign_is(file, body + braces + 1, ";") && statement.end == body + 2 + 2 * braces;
}

/* if (...) return; before the last barrier of a kernel: threads leave after it, or not at all. */
void fix_delay_return(struct fix_maker *maker)
{
    const struct program_file *file = maker->file;
    const struct source_function *function = maker->function;
    size_t last = 0;

    for (size_t i = function == NULL ? 0 : function->open; i > 0 && i < function->close; i++) {
        last = fix_name_is(file, i, "__syncthreads") ? i : last;
    }
    if (last == 0) {
        return;
    }
    const struct token_range waits = fix_statement_in(file, function->open, last);
    struct token_range statement = {0, function->open + 1};
    while (statement.end < waits.first) {
        statement = fix_statement_in(file, function->open, statement.end);
        if (!is_early_return(file, statement)) {
            continue;
        }
        struct fix_draft later = {.maker = maker};
        struct fix_draft never = {.maker = maker};
        size_t body = token_close(&file->tokens, statement.first + 1);
        const char *condition = fix_text(maker, file, statement.first, body);
        remove_lines(&later, file, statement.first, statement.end);
        fix_insert_line(&later, file, waits.end - 1, waits.first,
                        arena_printf(maker->arena, "%s return;", condition));
        remove_lines(&never, file, statement.first, statement.end);
        fix_draft_offer(&later);
        fix_draft_offer(&never);
    }
}

/* Replaces a statement X += V; X++; or ++X; by an atomicAdd of the same. */
static void make_atomic(struct fix_maker *maker, const struct program_file *file,
                        struct token_range statement)
{
    struct fix_draft draft = {.maker = maker};
    const char *call = NULL;
    size_t last = statement.end - 1;
    bool is_pointed = fix_sign_is(file, statement.first, "*"); /* atomicAdd(p, v), not &*p */
    size_t target = statement.first + (is_pointed ? 1 : 0);

    for (size_t i = statement.first; i < last && call == NULL; i++) {
        if (fix_sign_is(file, i, "+=")) {
            call =
                arena_printf(maker->arena, "atomicAdd(%s%s, %s)", is_pointed ? "" : "&",
                             fix_text(maker, file, target, i), fix_text(maker, file, i + 1, last));
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
