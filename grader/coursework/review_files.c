/* review_files.c: the files of a coursework; see review.h. */
#include "coursework/review.h"

#include "base/file.h"
#include "coursework/fixture.h"

/* Files of one folder that were looked for. */
struct search {
    struct review *review;
    const char *folder;
    const char *what; /* "the reference solution" */
    size_t found;
};

static void look_for(struct search *search, const char *name)
{
    if (file_exists(arena_printf(search->review->arena, "%s/%s", search->folder, name))) {
        search->found++;
    } else {
        review_fail(search->review, "files: %s lacks %s: expected %s/%s", search->what, name,
                    search->folder, name);
    }
}

static void look_for_all(struct search *search, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        look_for(search, names[i]);
    }
}

void review_files(struct review *review, const struct rubric *rubric)
{
    struct search solution = {.review = review, .what = "the reference solution"};
    struct search template = {
        .review = review, .folder = rubric->template_folder, .what = "the template"};
    struct search reference = {
        .review = review, .folder = rubric->reference_folder, .what = "the reference"};
    size_t failed = review->failed;

    solution.folder = arena_printf(review->arena, "%s/solution", rubric->reference_folder);
    if (rubric->launch_count > 0) {
        look_for(&reference, "oracle.c");
    }
    for (size_t i = 0; i < rubric->program_count; i++) {
        const struct rubric_program *program = &rubric->programs[i];
        look_for_all(&reference, program->harness, program->harness_count);
        look_for_all(&solution, program->sources, program->source_count);
        look_for_all(&template, program->sources, program->source_count);
        look_for_all(&template, program->given, program->given_count);
    }
    if (!file_exists(arena_printf(review->arena, "%s/README.md", template.folder))) {
        review_note(review,
                    "files: the template has no README.md that explains the task to students");
    }
    if (review->failed == failed) {
        review_ok(review,
                  "files: %zu in the template, %zu in the reference solution, %zu next to it",
                  template.found, solution.found, reference.found);
    }
}

void review_fixtures(struct review *review, const struct rubric *rubric)
{
    const char *root = coursework_root(review->arena, rubric);
    const char *const *names = NULL;
    size_t count = 0;

    if (fixtures_list(review->arena, rubric, &names, &count, NULL) == ERROR_NONE && count == 0) {
        review_note(review,
                    "fixtures: there are none in %s/tests/submissions/%s/right and wrong, so "
                    "nothing shows that mistakes are found",
                    root, rubric->id);
    }
    if (fixtures_list_strays(review->arena, rubric, &names, &count, NULL) != ERROR_NONE) {
        return; /* which listing them tells */
    }
    for (size_t i = 0; i < count; i++) {
        review_note(
            review,
            "fixtures: %s/tests/submissions/%s/%s is ignored: fixtures must be in right or wrong",
            root, rubric->id, names[i]);
    }
}
