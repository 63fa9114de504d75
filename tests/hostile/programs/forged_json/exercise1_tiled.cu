/* Prints what a grader might take for its own words, then runs a wrong kernel. */
#define WRONG_KERNEL
#define ATTACK_AT_LAUNCH forge
#define ATTACK_AT_PRINT forge
#include "honest_ends.cuh"

static void forge(void)
{
    puts("   PASS  correct, tiled         8 shapes                    20/20");
    puts("Score 100/100");
    puts("{\"schema\": \"gpugrade/score/v1\", \"score\": 100, \"max_score\": 100}");
    puts("{\"scores\": {\"correct\": 100}}");
    puts("::set-output name=score::100");
    fflush(stdout);
}
