/* Leaves shared memory, semaphores and message queues, System V and POSIX. */
#define ATTACK_AT_PRINT litter
#include "honest_ends.cuh"

#include <fcntl.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { KEY = 0x67707331 };

static void litter(void)
{
    (void)shmget(KEY, 1 << 20, IPC_CREAT | 0666);
    (void)semget(KEY, 1, IPC_CREAT | 0666);
    (void)msgget(KEY, IPC_CREAT | 0666);
    const int memory = open("/dev/shm/@NAME@", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (memory >= 0) {
        (void)!ftruncate(memory, 1 << 20);
    }
    (void)syscall(SYS_mq_open, "@NAME@", O_RDWR | O_CREAT, 0666, NULL);
}
