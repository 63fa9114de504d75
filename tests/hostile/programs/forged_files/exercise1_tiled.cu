/* Writes score files wherever a grader might look for them. */
#define WRONG_KERNEL
#define ATTACK_AT_LAUNCH forge
#include "honest_ends.cuh"

static void forge(void)
{
    static const char *const paths[] = {"@SCORE@",
                                        "score.json",
                                        "results.json",
                                        "../score.json",
                                        "/autograder/results/results.json",
                                        "@OTHER@/score.json",
                                        "@HOME@/score.json"};
    for (const char *path : paths) {
        FILE *file = fopen(path, "we");
        if (file != NULL) {
            fputs("{\"schema\": \"gpugrade/score/v1\", \"score\": 100}", file);
            fclose(file);
        }
    }
}
