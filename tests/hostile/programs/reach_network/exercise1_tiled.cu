/* Tries every way out: loopback, the world, names, raw and local sockets. */
#define ATTACK_AT_PRINT try_network
#include "attempts.cuh"
#include "honest_ends.cuh"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

/* Is there a way to an address? A refusal comes from a machine that was reached. */
static bool is_reached(int family, int type, const char *address, int port)
{
    const int fd = socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct sockaddr_in to;
    memset(&to, 0, sizeof to);
    to.sin_family = AF_INET;
    to.sin_port = htons((unsigned short)port);
    inet_pton(AF_INET, address, &to.sin_addr);
    if (fd < 0) {
        return false;
    }
    if (type == SOCK_DGRAM) {
        return sendto(fd, "x", 1, 0, (struct sockaddr *)&to, sizeof to) == 1;
    }
    return connect(fd, (struct sockaddr *)&to, sizeof to) == 0 || errno == EINPROGRESS;
}

static void try_network(void)
{
    attempt(is_reached(AF_INET, SOCK_STREAM, "1.1.1.1", 80), "tcp to the world");
    attempt(is_reached(AF_INET, SOCK_DGRAM, "8.8.8.8", 53), "udp to the world");
    attempt(is_reached(AF_INET, SOCK_STREAM, "169.254.169.254", 80), "the cloud's metadata");
    attempt(socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP) >= 0, "a raw socket");
    attempt(socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0) >= 0, "a packet socket");
    attempt(gethostbyname("example.org") != NULL, "a name");

    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    static const char *const names[] = {"/run/systemd/private", "/run/docker.sock",
                                        "/var/run/docker.sock", "/run/dbus/system_bus_socket",
                                        "/run/nscd/socket"};
    for (const char *name : names) {
        struct sockaddr_un to = {AF_UNIX, ""};
        snprintf(to.sun_path, sizeof to.sun_path, "%s", name);
        attempt(fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0, name);
    }
    attempts_end();
}
