/* listener.c: a server on this machine that hostile programs try to reach.
 *
 *   listener NAME PORT_FILE SECONDS
 *
 * It listens on a free TCP port of the loopback interface, whose number it writes to PORT_FILE, and
 * on the abstract local address NAME, accepts nothing and ends after SECONDS.
 */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int fail(const char *what)
{
    perror(what);
    return 3;
}

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    socklen_t length = sizeof address;

    if (argc != 4 || strlen(argv[1]) + 2 > sizeof name.sun_path) {
        fputs("usage: listener NAME PORT_FILE SECONDS\n", stderr);
        return 2;
    }
    int tcp = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int local = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(tcp, (struct sockaddr *)&address, sizeof address) != 0 || listen(tcp, 64) != 0 ||
        getsockname(tcp, (struct sockaddr *)&address, &length) != 0) {
        return fail("a port");
    }
    memcpy(name.sun_path + 1, argv[1], strlen(argv[1]));
    length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(argv[1]));
    if (bind(local, (struct sockaddr *)&name, length) != 0 || listen(local, 64) != 0) {
        return fail("a local address");
    }
    FILE *file = fopen(argv[2], "we");
    if (file == NULL || fprintf(file, "%u\n", ntohs(address.sin_port)) < 0 || fclose(file) != 0) {
        return fail(argv[2]);
    }
    sleep((unsigned)strtoul(argv[3], NULL, 10));
    return 0;
}
