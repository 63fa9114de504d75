/* Connects to a server on this machine that the test started, by TCP and by an abstract name. */
#define ATTACK_AT_PRINT try_loopback
#include "attempts.cuh"
#include "honest_ends.cuh"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

static void try_loopback(void)
{
    const int tcp = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in to;
    memset(&to, 0, sizeof to);
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(@PORT@);
    attempt(tcp >= 0 && connect(tcp, (struct sockaddr *)&to, sizeof to) == 0, "loopback");

    const int local = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_un name = {AF_UNIX, ""};
    snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "%s", "@SOCKET@");
    attempt(local >= 0 && connect(local, (struct sockaddr *)&name,
                                  offsetof(struct sockaddr_un, sun_path) + 1 +
                                      strlen(name.sun_path + 1)) == 0,
            "an abstract socket");
    attempts_end();
}
