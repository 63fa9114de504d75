/* denial_facts.c: see denial_facts.h. */
#include "doctor/denial_facts.h"

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { PROGRAM_BYTES_MAX = 64 << 20, SEGMENT_BYTES = 4096, KILL_WAIT_US = 1000, KILL_ROUNDS = 500 };

/* The folders of the system that a program may try to write to, one inside it for the control. */
static const char system_folders[] = "/:/usr:/etc:/opt:/var/tmp:/dev/shm:/run:/usr/local";

static void add_fact(struct denial_facts *facts, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_fact(struct denial_facts *facts, const char *format, ...)
{
    char text[4352];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (facts->count < FACTS_MAX) {
        facts->words[facts->count++] = arena_strdup(facts->arena, text);
    }
}

static enum error refuse(const char *what, struct diagnostic *diagnostic)
{
    diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s: %s", what, strerror(errno));
    return ERROR_ENVIRONMENT;
}

/* Writes the secret to a new file, whatever the umask. */
static bool write_file(const struct denial_facts *facts, const char *path, mode_t mode)
{
    size_t length = strlen(facts->secret);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool written =
        fd >= 0 && write(fd, facts->secret, length) == (ssize_t)length && fchmod(fd, mode) == 0;

    descriptor_close(&fd);
    return written;
}

static enum error make_files(struct denial_facts *facts, const char *folder,
                             struct diagnostic *diagnostic)
{
    const char *private_file = arena_printf(facts->arena, "%s/private", folder);
    const char *shared_file = arena_printf(facts->arena, "%s/shared", folder);

    facts->overwrite = arena_printf(facts->arena, "%s/overwrite", folder);
    if (mkdir(folder, 0755) != 0 || chmod(folder, 0755) != 0 ||
        !write_file(facts, private_file, 0600) || !write_file(facts, shared_file, 0644) ||
        !write_file(facts, facts->overwrite, 0666)) {
        return refuse("cannot make files for the sandbox probe", diagnostic);
    }
    add_fact(facts, "private=%s", private_file);
    add_fact(facts, "shared=%s", shared_file);
    add_fact(facts, "overwrite=%s", facts->overwrite);
    return ERROR_NONE;
}

/* The sandbox probe as a student's program lies there, and for root a copy that would make it root.
 * */
static enum error copy_sandbox_probe(struct denial_facts *facts, const char *folder,
                                     const char *helper_folder, struct diagnostic *diagnostic)
{
    const char *from = arena_printf(facts->arena, "%s/gpugrade-sandbox-probe", helper_folder);

    facts->sandbox_probe = arena_printf(facts->arena, "%s/witness", folder);
    enum error error = file_copy(from, facts->sandbox_probe, 0755, PROGRAM_BYTES_MAX, diagnostic);
    if (error != ERROR_NONE || geteuid() != 0) {
        return error;
    }
    facts->set_user_id = arena_printf(facts->arena, "%s/witness-as-root", folder);
    error = file_copy(from, facts->set_user_id, 0755, PROGRAM_BYTES_MAX, diagnostic);
    if (error == ERROR_NONE && chmod(facts->set_user_id, 04755) != 0) {
        return refuse(facts->set_user_id, diagnostic);
    }
    add_fact(facts, "setuid=%s", facts->set_user_id);
    return error;
}

/* Binds a socket to a port of its own on the loopback; returns the port, 0 if that fails. */
static unsigned bind_port(int fd)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || bind(fd, (const struct sockaddr *)&address, length) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &length) != 0) {
        return 0;
    }
    return ntohs(address.sin_port);
}

static enum error make_sockets(struct denial_facts *facts, struct diagnostic *diagnostic)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char *name = address.sun_path + 1;

    facts->tcp_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    facts->udp_fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    facts->abstract_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    unsigned tcp = bind_port(facts->tcp_fd);
    unsigned udp = bind_port(facts->udp_fd);
    snprintf(name, sizeof address.sun_path - 1, "gpugrade-sandbox-probe-%.16s", facts->secret);
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
    if (tcp == 0 || udp == 0 || listen(facts->tcp_fd, 4) != 0 || facts->abstract_fd < 0 ||
        bind(facts->abstract_fd, (const struct sockaddr *)&address, length) != 0 ||
        listen(facts->abstract_fd, 4) != 0) {
        return refuse("cannot open sockets for the sandbox probe", diagnostic);
    }
    add_fact(facts, "tcp=%u", tcp);
    add_fact(facts, "udp=%u", udp);
    add_fact(facts, "abstract=%s", name);
    return ERROR_NONE;
}

/* A socket in the file system. Its path must be short; where it is not, the sandbox probe has no
 * fact. */
static enum error make_local_socket(struct denial_facts *facts, const char *folder,
                                    struct diagnostic *diagnostic)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);

    facts->local_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (length >= (int)sizeof address.sun_path) {
        return ERROR_NONE;
    }
    if (facts->local_fd < 0 ||
        bind(facts->local_fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
        chmod(address.sun_path, 0666) != 0 || listen(facts->local_fd, 4) != 0) {
        return refuse("cannot make a local socket for the sandbox probe", diagnostic);
    }
    add_fact(facts, "local=%s", address.sun_path);
    return ERROR_NONE;
}

/* Objects that need not exist everywhere; where they cannot be made, the control tells. */
static void make_objects(struct denial_facts *facts, uint32_t random)
{
    key_t key = (key_t)(random & 0x3FFFFFFF) + 1;
    const char *name = arena_printf(facts->arena, "gpugrade-sandbox-probe-%.16s", facts->secret);

    facts->segment = shmget(key, SEGMENT_BYTES, IPC_CREAT | IPC_EXCL | 0666);
    char *bytes = facts->segment < 0 ? NULL : shmat(facts->segment, NULL, 0);
    if (bytes != NULL && bytes != (char *)-1) {
        snprintf(bytes, SEGMENT_BYTES, "%s", facts->secret);
        shmdt(bytes);
    }
    facts->left_key = key + 1;
    facts->queue = arena_printf(facts->arena, "/%s", name);
    facts->object = arena_printf(facts->arena, "/dev/shm/%s", name);
    if (!write_file(facts, facts->object, 0644)) {
        facts->object = arena_printf(facts->arena, "%s is not there", facts->object);
    }
    add_fact(facts, "segment=%ld", (long)key);
    add_fact(facts, "left=%ld", (long)facts->left_key);
    add_fact(facts, "queue=%s", facts->queue);
    add_fact(facts, "object=%s", facts->object);
}

/* This process as the sandbox probe knows it: its number, its name, and where it keeps the secret.
 * */
static void describe_process(struct denial_facts *facts)
{
    char name[64] = "";
    sigset_t blocked;
    int fd = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? 0 : read(fd, name, sizeof name - 1);

    descriptor_close(&fd);
    name[got > 0 ? strcspn(name, "\n") : 0] = '\0';
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR2);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    setenv("GPUGRADE_WITNESS", facts->secret, 1);
    add_fact(facts, "process=%ld", (long)getpid());
    add_fact(facts, "command=%s", name);
    add_fact(facts, "address=%" PRIxPTR, (uintptr_t)facts->secret);
}

enum error denial_facts_init(struct denial_facts *facts, struct arena *arena, const char *folder,
                             const char *helper_folder, struct diagnostic *diagnostic)
{
    const char *others = arena_printf(arena, "%s/others", folder);
    uint64_t random[3];

    *facts = (struct denial_facts){.arena = arena,
                                   .tcp_fd = -1,
                                   .udp_fd = -1,
                                   .abstract_fd = -1,
                                   .local_fd = -1,
                                   .open_fd = -1,
                                   .segment = -1,
                                   .queue = "",
                                   .object = ""};
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) {
        return refuse("cannot get random numbers", diagnostic);
    }
    facts->secret = arena_printf(arena, "%016" PRIx64 "%016" PRIx64, random[0], random[1]);
    enum error error = make_files(facts, others, diagnostic);
    if (error == ERROR_NONE) {
        error = copy_sandbox_probe(facts, folder, helper_folder, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = make_sockets(facts, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = make_local_socket(facts, others, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    make_objects(facts, (uint32_t)random[2]);
    describe_process(facts);
    facts->open_fd = open(facts->overwrite, O_RDONLY | O_CLOEXEC);
    if (facts->open_fd < 0 || fcntl(facts->open_fd, F_SETFD, 0) != 0) {
        return refuse(facts->overwrite, diagnostic);
    }
    add_fact(facts, "folders=%s:%s", system_folders, others);
    return ERROR_NONE;
}

void denial_facts_release(struct denial_facts *facts)
{
    descriptor_close(&facts->tcp_fd);
    descriptor_close(&facts->udp_fd);
    descriptor_close(&facts->abstract_fd);
    descriptor_close(&facts->local_fd);
    descriptor_close(&facts->open_fd);
    if (facts->segment >= 0) {
        shmctl(facts->segment, IPC_RMID, NULL);
    }
    if (facts->object[0] != '\0') {
        unlink(facts->object);
    }
    denial_facts_objects(facts);
}

bool denial_facts_overwritten(struct denial_facts *facts)
{
    char bytes[64] = "";
    size_t length = strlen(facts->secret);
    int fd = open(facts->overwrite, O_RDWR | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, bytes, sizeof bytes);
    bool changed = got != (ssize_t)length || memcmp(bytes, facts->secret, length) != 0;

    if (fd >= 0 && changed && ftruncate(fd, 0) == 0) {
        changed = pwrite(fd, facts->secret, length, 0) == (ssize_t)length || changed;
    }
    descriptor_close(&fd);
    return changed;
}

bool denial_facts_datagram(struct denial_facts *facts)
{
    char byte;
    bool came = false;

    while (recv(facts->udp_fd, &byte, 1, MSG_DONTWAIT) >= 0) {
        came = true;
    }
    return came;
}

bool denial_facts_signal(struct denial_facts *facts)
{
    const struct timespec now = {0, 0};
    sigset_t waited;

    (void)facts;
    sigemptyset(&waited);
    sigaddset(&waited, SIGUSR2);
    return sigtimedwait(&waited, NULL, &now) == SIGUSR2;
}

bool denial_facts_objects(struct denial_facts *facts)
{
    int segment = shmget(facts->left_key, 0, 0);
    int semaphore = semget(facts->left_key, 0, 0);
    int queue = msgget(facts->left_key, 0);
    bool left = facts->queue[0] != '\0' && mq_unlink(facts->queue) == 0;

    if (facts->left_key == IPC_PRIVATE) {
        return left;
    }
    left = (segment >= 0 && shmctl(segment, IPC_RMID, NULL) == 0) || left;
    left = (semaphore >= 0 && semctl(semaphore, 0, IPC_RMID) == 0) || left;
    left = (queue >= 0 && msgctl(queue, IPC_RMID, NULL) == 0) || left;
    return left;
}

bool denial_facts_alive(struct denial_facts *facts, const char *folder)
{
    char text[32] = "";
    long long process = 0;
    int fd = open(arena_printf(facts->arena, "%s/alive", folder), O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        return false;
    }
    bool is_alive = flock(fd, LOCK_EX | LOCK_NB) != 0;
    if (is_alive && read(fd, text, sizeof text - 1) > 0) {
        text[strcspn(text, "\n")] = '\0';
        if (text_to_integer(text, 2, INT32_MAX, &process)) {
            kill((pid_t)process, SIGKILL);
        }
        for (int i = 0; i < KILL_ROUNDS && flock(fd, LOCK_EX | LOCK_NB) != 0; i++) {
            usleep(KILL_WAIT_US);
        }
    }
    descriptor_close(&fd);
    return is_alive;
}
