/* attempt_sockets.c: reaching who listens outside the sandbox; see sandbox_probe.h. */
#include "sandbox/probe/sandbox_probe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/ethernet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int make_socket(int family, int type)
{
    int fd = socket(family, type | SOCK_CLOEXEC, 0);

    if (fd < 0) {
        say_held("no socket: %s", strerror(errno));
    }
    return fd;
}

static struct sockaddr_in port_of_this_machine(char *const *facts, const char *key)
{
    struct sockaddr_in address = {.sin_family = AF_INET};

    address.sin_port = htons((uint16_t)fact_number(facts, key));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

void attempt_tcp(char *const *facts)
{
    struct sockaddr_in address = port_of_this_machine(facts, "tcp");
    int fd = make_socket(AF_INET, SOCK_STREAM);

    if (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        say_held("%s", strerror(errno));
    }
    close(fd);
    say_open("connected to 127.0.0.1:%ld", fact_number(facts, "tcp"));
}

void attempt_udp(char *const *facts)
{
    struct sockaddr_in address = port_of_this_machine(facts, "udp");
    int fd = make_socket(AF_INET, SOCK_DGRAM);

    if (sendto(fd, "u", 1, 0, (const struct sockaddr *)&address, sizeof address) != 1) {
        say_held("%s", strerror(errno));
    }
    close(fd);
    say_open("sent to 127.0.0.1:%ld", fact_number(facts, "udp"));
}

void attempt_abstract_socket(char *const *facts)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *name = fact_text(facts, "abstract");
    int fd = make_socket(AF_UNIX, SOCK_STREAM);

    snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s", name);
    socklen_t length =
        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(address.sun_path + 1));
    if (connect(fd, (const struct sockaddr *)&address, length) != 0) {
        say_held("%s", strerror(errno));
    }
    close(fd);
    say_open("connected to @%s", name);
}

void attempt_local_socket(char *const *facts)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (!fact_is_given(facts, "local")) {
        say_held("the path of the temporary folder is too long for a socket");
    }
    int fd = make_socket(AF_UNIX, SOCK_STREAM);

    snprintf(address.sun_path, sizeof address.sun_path, "%s", fact_text(facts, "local"));
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        say_held("%s", strerror(errno));
    }
    close(fd);
    say_open("connected to it");
}

void attempt_raw_socket(char *const *facts)
{
    const struct {
        const char *name;
        int family, type, protocol;
    } rows[] = {
        {"raw", AF_INET, SOCK_RAW, IPPROTO_ICMP},
        {"packet", AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)},
    };
    struct attempts attempts = {.last_error = 0};

    (void)facts;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int fd = socket(rows[i].family, rows[i].type | SOCK_CLOEXEC, rows[i].protocol);
        attempts_add(&attempts, rows[i].name, fd < 0 ? errno : 0);
        if (fd >= 0) {
            close(fd);
        }
    }
    attempts_say(&attempts);
}
