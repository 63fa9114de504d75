/* test_lowered_name.c: names of expressions, as nvcc 13.0 and clang 19 write them into PTX. */
#include "libraries/lowered_name.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

static void lines_name_what_is_asked_for(void **state)
{
    char *line = lowered_name_line(3, " &N::sum<int>");

    (void)state;
    assert_string_equal(line, "template __global__ void gpugrade_name<3, &N::sum<int> >();\n");
    free(line);
}

/* What the name within another is by itself; it must be declared. */
static void names_are_taken_out(void **state)
{
    static const struct {
        const char *within, *declared, *name;
    } rows[] = {
        {"XadL_ZN1N3sumIiEEvPT_S2_EEEvv", "_ZN1N3sumIiEEvPT_S1_", "_ZN1N3sumIiEEvPT_S1_"},
        {"TnDaXadL_Z4wideILi3EEvPfS1_EEEvv", "_Z4wideILi3EEvPfS0_", "_Z4wideILi3EEvPfS0_"},
        {"XadL_ZN1N3twoIfPNS0_3S0_EEEvPT_PT0_S5_PKS6_EEEvv",
         "_ZN1N3twoIfPNS_3S0_EEEvPT_PT0_S4_PKS5_", "_ZN1N3twoIfPNS_3S0_EEEvPT_PT0_S4_PKS5_"},
        {"XadL_Z1fIiEvSA_S10_SZ_EEEvv", "_Z1fIiEvS9_SZ_SY_", "_Z1fIiEvS9_SZ_SY_"},
        {"XadL_Z5plainPiEEEvv", "plain", "plain"},
        {"XadL_Z1cEEEvv", "c", "c"},
        {"XadL_ZN1N1VEEEEvv", "_ZN1N1VE", "_ZN1N1VE"},
        {"XadL_Z5otherPiEEEvv", "another", NULL}, /* it is not there */
        {"XadL_Z99plainEEEvv", "plain", NULL},
        {"XadL_ZEEEvv", "plain", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char ptx[512] = ".visible .entry ";
        char *name;

        strcat(ptx, rows[i].declared);
        strcat(ptx, "(\n.visible .entry _Z13gpugrade_nameILi7E");
        strcat(ptx, rows[i].within);
        strcat(ptx, "()\n");
        name = lowered_name_find(ptx, 7);
        if (rows[i].name == NULL) {
            assert_null(name);
        } else {
            assert_non_null(name);
            assert_string_equal(name, rows[i].name);
        }
        free(name);
        assert_null(lowered_name_find(ptx, 6));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_name_what_is_asked_for),
        cmocka_unit_test(names_are_taken_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
