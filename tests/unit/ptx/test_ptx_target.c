/* test_ptx_target.c: the targets that instructions need; ptxas 13.0 names the same. */
#include "ptx/ptx_target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct row {
    const char *text;
    unsigned target;
    const char *feature;
};

static void targets_are_those_of_ptxas(void **state)
{
    static const struct row rows[] = {
        {"add.s32", 0, NULL},
        {"fma.rn.f16", 0, NULL},
        {"add.f16x2", 0, NULL},
        {"bar.sync 0", 0, NULL},
        {"cp.async.ca.shared.global", 80, "cp.async"},
        {"cp.async.bulk.commit_group", 90, "cp.async.bulk"},
        {"@!%p1 cp.async.bulk.wait_group 0", 90, "cp.async.bulk"},
        {"mbarrier.init.shared.b64", 80, "mbarrier"},
        {"mbarrier.try_wait.shared.b64", 90, "mbarrier.try_wait"},
        {"redux.sync.add.s32", 80, "redux"},
        {"reduxx.sync", 0, NULL},
        {"fma.rn.bf16", 80, ".bf16"},
        {"add.bf16", 90, "add"},
        {"fma.rn.relu.f16", 80, ".relu"},
        {"barrier.cluster.arrive", 90, "barrier.cluster"},
        {"fence.acq_rel.cluster", 90, ".cluster"},
        {"ld.shared::cluster.u32 %r1, [%r2]", 90, ".shared::cluster"},
        {"mov.u32 %r1, a.cluster", 0, NULL}, /* no word of the instruction's */
        {"", 0, NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ptx_instruction instruction = {.text = rows[i].text};
        const char *feature = NULL;
        assert_int_equal(ptx_target_needed(&instruction, &feature), rows[i].target);
        assert_true((feature == NULL) == (rows[i].feature == NULL));
        assert_true(feature == NULL || strcmp(feature, rows[i].feature) == 0);
    }
    const struct ptx_instruction empty = {.text = NULL};
    assert_int_equal(ptx_target_needed(&empty, &(const char *){NULL}), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_are_those_of_ptxas),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
