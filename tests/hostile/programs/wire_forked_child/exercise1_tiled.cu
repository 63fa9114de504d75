/* A child process uses the parent's channel while the parent waits. */
#define ATTACK_AT_LAUNCH let_child_speak
#include "client_wire.cuh"
#include "honest_ends.cuh"

#include <sys/wait.h>

static void let_child_speak(void)
{
    struct wire_header reply;
    const pid_t child = fork();
    if (child == 0) {
        wire_header_send(WIRE_MEMORY, 0, 0, 0, 0);
        (void)wire_header_receive(&reply);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}
