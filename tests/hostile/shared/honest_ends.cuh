/* honest_ends.cuh: the launch function, the printing function or both, for programs whose attack
 * lies elsewhere: ATTACK_AT_LAUNCH or ATTACK_AT_PRINT name a function that is called once, first.
 */
#include "honest_tiled.cuh"

#ifdef ATTACK_AT_LAUNCH
static void ATTACK_AT_LAUNCH(void);
#endif
#ifdef ATTACK_AT_PRINT
static void ATTACK_AT_PRINT(void);
#endif

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
#ifdef ATTACK_AT_LAUNCH
    static bool done;
    if (!done) {
        done = true;
        ATTACK_AT_LAUNCH();
    }
#endif
    honest_launch(d_A, d_B, d_C, shape);
}

void printOccupancy(void)
{
#ifdef ATTACK_AT_PRINT
    ATTACK_AT_PRINT();
#endif
    honest_print();
}
