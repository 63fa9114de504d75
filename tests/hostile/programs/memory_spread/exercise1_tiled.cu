/* Twenty-four processes take a twelfth of the limit each: none much, together twice the limit. */
#define ATTACK_AT_PRINT spread
#include "honest_ends.cuh"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const size_t PIECE = ((size_t)@MEMORY@ << 20) / 8;

/* Each keeps its memory until all the others have theirs, or have been killed. */
static void spread(void)
{
    int failed = 0;
    int filled[2];
    int release[2];
    char word = 0;
    if (pipe(filled) != 0 || pipe(release) != 0) {
        return;
    }
    for (int i = 0; i < 24; i++) {
        if (fork() == 0) {
            close(release[1]);
            char *bytes = (char *)malloc(PIECE);
            if (bytes != NULL) {
                memset(bytes, 1, PIECE);
            }
            close(filled[0]);
            close(filled[1]);
            (void)!read(release[0], &word, 1);
            _exit(bytes == NULL);
        }
    }
    close(filled[1]);
    (void)!read(filled[0], &word, 1);
    close(release[1]);
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
