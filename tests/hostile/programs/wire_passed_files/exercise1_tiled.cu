/* Sends two hundred descriptors along with the bytes of requests: the device must neither keep nor
 * use them. */
#define ATTACK_AT_LAUNCH pass_files
#include "client_wire.cuh"
#include "honest_ends.cuh"

#include <fcntl.h>

static void pass_files(void)
{
    for (int i = 0; i < 200; i++) {
        struct wire_header header;
        memset(&header, 0, sizeof header);
        header.type = WIRE_MEMORY;
        header.words[0] = 1;
        int sent = open("/dev/null", O_RDONLY | O_CLOEXEC);
        char space[CMSG_SPACE(sizeof sent)];
        struct iovec part = {&header, sizeof header};
        struct msghdr message;
        memset(&message, 0, sizeof message);
        memset(space, 0, sizeof space);
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = space;
        message.msg_controllen = sizeof space;
        struct cmsghdr *control = CMSG_FIRSTHDR(&message);
        control->cmsg_level = SOL_SOCKET;
        control->cmsg_type = SCM_RIGHTS;
        control->cmsg_len = CMSG_LEN(sizeof sent);
        memcpy(CMSG_DATA(control), &sent, sizeof sent);
        (void)!sendmsg(WIRE_FD, &message, MSG_NOSIGNAL);
        close(sent);
        (void)wire_header_receive(&header);
    }
}
