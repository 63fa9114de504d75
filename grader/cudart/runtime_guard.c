/* runtime_guard.c: notices host code that touches pinned or managed memory while work of a stream
 * may still use it.
 *
 * After work was given to a stream the device says which bytes of a mirror the host has not waited
 * for. Pages full of them are closed here: to writing if that work only reads them, else
 * altogether. A page with more than a small gap (CLIENT_ORDER_GAP) stays open, since a system call
 * that is given closed memory fails with EFAULT; but not one of managed memory, which the host may
 * not touch at all while a kernel runs (its attribute for concurrent managed access is 0). Host
 * code that touches a closed page faults; the device gets the address and the place in the program,
 * and says nothing if the byte is in a gap. Then the page is open; if it is of managed memory, with
 * what the device has. When the host has waited, the
 * device is asked again.
 *
 * An operand of a judged call that lies in pinned memory is the device's until the call ends: what
 * the grader has written lies there, copies move it there, and its pages here are closed to
 * everybody.
 *
 * The runtime's own accesses open a mirror first; it is closed again when the call ends. A program
 * with its own handler of SIGSEGV has no guards, nor has a child process.
 */
#include "cudart/runtime.h"

#include <sys/mman.h>
#include <unistd.h>

enum { GUARDED_MAX = 64 }; /* mirrors that are asked about after a launch */

static uint64_t page_bytes(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

static void protect(const struct mirror *mirror, int protection)
{
    mprotect((void *)(uintptr_t)mirror->guard_start, mirror->guard_end - mirror->guard_start,
             protection);
}

/* The pages of a mirror that a stretch of bytes fills, or touches if it is managed. */
static void choose_pages(struct mirror *mirror, uint64_t start, uint64_t end)
{
    const uint64_t page = page_bytes(), first = (uint64_t)(uintptr_t)mirror->host;
    const uint64_t last = first + mirror->bytes;
    bool is_managed = mirror->kind == MIRROR_MANAGED;

    start = is_managed                          ? start
            : start - first <= CLIENT_ORDER_GAP ? first / page * page
                                                : start + page - 1;
    end = is_managed || last - end <= CLIENT_ORDER_GAP ? end + page - 1 : end;
    mirror->guard_start = start / page * page;
    mirror->guard_end = end / page * page;
}

static void close_all(void)
{
    for (size_t i = 0; mirror_at(i) != NULL; i++) {
        struct mirror *mirror = mirror_at(i);

        if (mirror->is_opened) {
            mirror->is_opened = false;
            protect(mirror, mirror->guard_protection);
        }
    }
}

void guard_review(struct mirror *mirror)
{
    const uint64_t start = (uint64_t)(uintptr_t)mirror->host;
    const uint64_t words[] = {start, mirror->bytes};
    uint64_t answer[3] = {0};

    if (mirror->kind == MIRROR_REGISTERED || !runtime_is_window_address(mirror->host) ||
        mirror->is_lent) {
        return;
    }
    runtime_ask_order(CLIENT_ORDER_ASK, words, 2, answer);
    guard_open(mirror);
    mirror->is_opened = false;
    mirror->guard_end = 0;
    bool is_inside =
        answer[1] >= start && answer[1] < answer[2] && answer[2] - start <= mirror->bytes;
    if (answer[0] != CLIENT_ORDER_IDLE && is_inside && runtime_sees_faults()) {
        choose_pages(mirror, answer[1], answer[2]);
        mirror->guard_protection = answer[0] == CLIENT_ORDER_READS ? PROT_READ : PROT_NONE;
        if (mirror->guard_start < mirror->guard_end) {
            protect(mirror, mirror->guard_protection);
        } else {
            mirror->guard_end = 0;
        }
    }
}

static void review_all(void)
{
    for (size_t i = 0; mirror_at(i) != NULL; i++) {
        if (mirror_at(i)->guard_end > 0) {
            guard_review(mirror_at(i));
        }
    }
}

/* The device has done all work that it was given. So what host code touches too early has what that
 * work wrote, and what host code writes comes on top of it. */
static void fetch(struct mirror *mirror)
{
    if (mirror->kind == MIRROR_MANAGED && !mirror->is_lent) {
        mirror_pull(mirror);
    }
    if (mirror->is_opened) {
        mirror->is_opened = false;
        protect(mirror, mirror->guard_protection);
    }
}

static bool repair(uint64_t address, bool is_write, bool is_reported)
{
    const uint64_t page = page_bytes();
    struct mirror *mirror = mirror_find((const void *)(uintptr_t)address);

    if (mirror == NULL || !runtime_is_window_address(mirror->host)) {
        return false;
    }
    /* It may be open by now: another thread has waited. */
    bool is_closed = mirror->guard_end > 0 && !mirror->is_opened &&
                     address >= mirror->guard_start && address < mirror->guard_end;
    const uint64_t words[] = {address, is_write || mirror->guard_protection == PROT_READ};
    if (is_closed && is_reported) {
        runtime_ask_order(CLIENT_ORDER_HOST_TOUCHES, words, 2, NULL);
        fetch(mirror);
    }
    mprotect((void *)(uintptr_t)(address / page * page), page, PROT_READ | PROT_WRITE);
    return true;
}

static void review_pointer(const void *pointer)
{
    struct mirror *mirror = pointer == NULL ? NULL : mirror_find(pointer);

    if (mirror != NULL) {
        guard_review(mirror);
    }
}

static const struct guard_hooks hooks = {close_all, review_all, repair};

void guards_lend(void)
{
    const uint64_t page = page_bytes();

    for (size_t i = 0; mirror_at(i) != NULL; i++) {
        struct mirror *mirror = mirror_at(i);
        const uint64_t first = (uint64_t)(uintptr_t)mirror->host;

        mirror->is_lent = mirror->is_announced;
        mirror->is_announced = false;
        if (!mirror->is_lent) {
            continue;
        }
        runtime_hook_guards(&hooks);
        mirror->is_opened = false;
        mirror->guard_start = (first + page - 1) / page * page;
        mirror->guard_end = (first + mirror->bytes) / page * page;
        mirror->guard_protection = PROT_NONE;
        if (mirror->guard_start < mirror->guard_end && runtime_sees_faults()) {
            protect(mirror, PROT_NONE);
        } else {
            mirror->guard_end = 0;
        }
    }
}

void guards_take_back(void)
{
    for (size_t i = 0; mirror_at(i) != NULL; i++) {
        struct mirror *mirror = mirror_at(i);

        if (mirror->is_lent) {
            mirror->is_lent = false;
            guard_open(mirror);
            mirror->is_opened = false;
            mirror->guard_end = 0;
        }
    }
}

void guards_after(const struct runtime_op *op)
{
    runtime_hook_guards(&hooks);
    if (op->kind == OP_COPY) {
        review_pointer(op->copy.target);
        review_pointer(op->copy.source);
    } else if (op->kind == OP_FILL) {
        review_pointer(op->fill.target);
    } else if (op->kind == OP_LAUNCH || op->kind == OP_LIBRARY) {
        for (size_t i = 0; i < GUARDED_MAX && mirror_at(i) != NULL; i++) {
            if (mirror_at(i)->is_reachable || op->kind == OP_LIBRARY) {
                guard_review(mirror_at(i));
            }
        }
    }
}
