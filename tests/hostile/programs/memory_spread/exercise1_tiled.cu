/* Twenty-four processes take a twelfth of the limit each: none much, together twice the limit. */
#define ATTACK_AT_PRINT spread
#include "honest_ends.cuh"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const size_t PIECE = ((size_t)@MEMORY@ << 20) / 8;

static void spread(void)
{
    int failed = 0;
    for (int i = 0; i < 24; i++) {
        if (fork() == 0) {
            char *bytes = (char *)malloc(PIECE);
            if (bytes != NULL) {
                memset(bytes, 1, PIECE);
            }
            usleep(300000);
            _exit(bytes == NULL);
        }
    }
    for (int i = 0; i < 24; i++) {
        int status;
        if (wait(&status) > 0 && status != 0) {
            failed++;
        }
    }
    if (failed > 0) {
        abort();
    }
    fputs("twice the limit could be had\n", stderr);
    _exit(94);
}
