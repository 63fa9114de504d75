/* fuzz_device_client.c: a hostile program: a sequence of client messages to a server with the
 * emulated device.
 *
 * The input is a list of requests: type, eight words of which each is a byte to be mapped to an
 * interesting number, and a payload. What is held is completed, as a RESUME would. Beside the
 * program's module there is one of the grader's own, which no request must reach: its kernel and
 * its variable are as the program's, but what the variable holds must not change.
 */
#include "device/server.h"
#include "occupancy/gpu_model_record.h"
#include "wire/client.h"
#include "wire/control.h"

#include <stdlib.h>
#include <string.h>

enum { SECTION = 0x5000, SECTION_BYTES = 0x1000, WORDS = 8, REQUESTS_MAX = 200, SECRET = 16 };

static const char ptx[] =
    ".version 9.0\n.target sm_75\n.address_size 64\n"
    ".visible .const .align 4 .u32 edge = 16;\n"
    ".visible .entry fill(.param .u64 fill_param_0, .param .u32 fill_param_1)\n"
    "{\n.reg .b32 %r<2>;\n.reg .b64 %rd<3>;\n"
    "ld.param.u64 %rd1, [fill_param_0];\nld.param.u32 %r1, [fill_param_1];\n"
    "cvta.to.global.u64 %rd2, %rd1;\nst.global.u32 [%rd2], %r1;\nret;\n}\n";

/* Bytes still to be read. */
struct input {
    const uint8_t *bytes;
    size_t length;
    uint64_t secret; /* the address of the variable that no request must reach */
};

static uint8_t take_byte(struct input *input)
{
    if (input->length == 0) {
        return 0;
    }
    input->length--;
    return *input->bytes++;
}

/* Small numbers as they are; above them addresses, sizes and block widths. */
static uint64_t take_word(struct input *input, uint64_t address)
{
    const uint64_t numbers[] = {
        input->secret,
        address,
        address + 1,
        address + 64,
        address + 4096,
        address - 1,
        SECTION,
        SECTION + 8,
        SECTION + 0xfff,
        SECTION - 1,
        UINT32_MAX,
        UINT64_MAX,
        1ull << 63,
        1ull << 40,
        1ull << 32,
        (1ull << 32) | 1,
        1ull << 20,
        49152,
        232448,
        4096,
        1024,
        INT64_MAX,
        1ull << 31,
        65536,
        CLIENT_PIECE_BYTES,
        DEVICE_WINDOW_START,
        DEVICE_WINDOW_START + 512,
    };
    size_t count = sizeof(numbers) / sizeof(numbers[0]);
    uint8_t byte = take_byte(input);

    return byte < 256 - count ? byte : numbers[byte - (256 - count)];
}

/* Sends a request of the grader, which must be served. */
static struct message ask(struct server *server, struct message request)
{
    struct message reply;

    server_control(server, &request, &reply);
    if (reply.status != 0) {
        abort();
    }
    return reply;
}

static struct server *start_server(uint64_t *out_secret)
{
    static const struct server_devices devices = {.emulated = &device_emulated};
    struct server *server = server_new(&devices);
    uint8_t record[GPU_MODEL_RECORD_BYTES];
    struct gpu_model model;

    if (gpu_model_find("H200", &model, NULL) != ERROR_NONE) {
        abort();
    }
    gpu_model_pack(&model, record);
    ask(server, (struct message){.type = CONTROL_CONFIGURE,
                                 .words = {16 << 20, 100000000, 1, SECTION, SECTION_BYTES},
                                 .payload = record,
                                 .payload_bytes = sizeof(record)});
    for (uint64_t own = 0; own < 2; own++) {
        ask(server, (struct message){.type = CONTROL_MODULE,
                                     .words = {own == 1 ? CONTROL_OWN_MODULE : 0, sizeof(ptx) - 1},
                                     .payload = ptx,
                                     .payload_bytes = sizeof(ptx) - 1});
    }
    *out_secret =
        ask(server,
            (struct message){
                .type = CONTROL_SYMBOL, .words = {1}, .payload = "edge", .payload_bytes = 4})
            .words[0];
    return server;
}

/* Ends the process if a request has reached the variable of the grader's own module: by a write, or
 * by a question that was answered. */
static void check_secret(struct server *server, uint64_t secret)
{
    struct message reply;
    struct message find = {.type = CLIENT_FIND, .words = {RUNTIME_CALL_cudaMalloc, secret}};
    struct message read = ask(server, (struct message){.type = CONTROL_READ, .words = {secret, 4}});

    if (*(const uint8_t *)read.payload != SECRET) {
        abort();
    }
    server_client(server, &find, &reply);
    if (reply.status == 0 && reply.words[1] != 0) {
        abort();
    }
}

/* Sends one request. */
static void send_request(struct server *server, struct input *input, uint64_t *address)
{
    static const uint8_t zeros[4096];
    struct message reply, request = {.type = take_byte(input) % CLIENT_COUNT};
    const struct message_format *format = client_format(request.type);
    uint8_t header[MESSAGE_HEADER_BYTES];

    if (format == NULL) {
        return;
    }
    for (size_t i = 0; i < WORDS; i++) {
        uint64_t word = take_word(input, *address);
        request.words[i] = i < format->request_words ? word : 0;
    }
    uint64_t bytes = take_byte(input);
    if (format->request_payload_max > 0) {
        request.payload_bytes =
            bytes < format->request_payload_max ? bytes : format->request_payload_max;
        request.payload = request.payload_bytes <= input->length ? input->bytes : zeros;
    }
    message_header_pack(&request, header);
    struct message checked;
    if (message_header_unpack(header, false, client_format, &checked, NULL) != ERROR_NONE) {
        abort();
    }
    enum server_step step = server_client(server, &request, &reply);
    if (step == SERVER_STEP_BROKEN) {
        return; /* the real server stops here; it must stand more all the same */
    }
    if (step != SERVER_STEP_REPLY && !server_complete(server, &reply)) {
        abort();
    }
    if (request.type == CLIENT_ALLOCATE && reply.status == 0) {
        *address = reply.words[0];
    }
    reply.payload_bytes = reply.payload == NULL ? 0 : reply.payload_bytes;
    message_header_pack(&reply, header);
    if (message_header_unpack(header, true, client_format, &checked, NULL) != ERROR_NONE) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct input input = {.bytes = bytes, .length = length};
    struct message reply, report_log = {.type = CONTROL_LOG};
    struct server *server = start_server(&input.secret);
    uint64_t address = DEVICE_WINDOW_START;

    for (int i = 0; i < REQUESTS_MAX && input.length > 0; i++) {
        send_request(server, &input, &address);
    }
    check_secret(server, input.secret);
    server_control(server, &report_log, &reply);
    if (reply.status != 0 || reply.payload_bytes > control_format(CONTROL_LOG)->reply_payload_max) {
        abort();
    }
    server_free(server);
    return 0;
}
