/* runtime_order.c: reports the order of streams to the device (ORDER of client_messages.def), and
 * keeps the stream of the operation under way. */
#include "cudart/runtime.h"

enum { LEGACY = 1 };

static bool is_reported; /* the program has made a stream, or memory that host and device share */
static bool has_ended;
static uint32_t work_stream = LEGACY;

void runtime_start_order(void)
{
    is_reported = !has_ended;
}

void runtime_end_order(void)
{
    runtime_order(CLIENT_ORDER_HOST_WAITS_ALL, LEGACY, NULL, 0);
    has_ended = true;
    is_reported = false;
}

bool runtime_has_order(void)
{
    return is_reported;
}

uint32_t runtime_work_stream(void)
{
    return is_reported ? work_stream : 0;
}

uint32_t runtime_set_work_stream(uint32_t stream)
{
    const uint32_t before = work_stream;

    work_stream = stream;
    return before;
}

void runtime_ask_order(enum client_order what, const uint64_t *words, size_t count,
                       uint64_t *out_answer)
{
    struct message reply, request = {.type = CLIENT_ORDER, .words = {0, what}};

    for (size_t i = 0; i < count; i++) {
        request.words[2 + i] = words[i];
    }
    if (runtime_request(&request, &reply) == cudaSuccess && out_answer != NULL) {
        for (size_t i = 0; i < 3; i++) {
            out_answer[i] = reply.words[i];
        }
    }
}

void runtime_order(enum client_order what, uint32_t stream, const uint64_t *words, size_t count)
{
    if (!is_reported) {
        return;
    }
    runtime_set_stream(stream);
    runtime_ask_order(what, words, count, NULL);
    runtime_set_stream(0);
    if (what == CLIENT_ORDER_HOST_WAITS || what == CLIENT_ORDER_HOST_WAITS_EVENT ||
        what == CLIENT_ORDER_HOST_WAITS_ALL) {
        runtime_host_waited();
    }
}
