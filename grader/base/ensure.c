/* ensure.c: see ensure.h. */
#include "base/ensure.h"

#include <stdio.h>
#include <stdlib.h>

void ensure_failed(const char *condition, const char *function)
{
    fprintf(stderr, "gpugrade: bug in gpugrade: %s does not hold in %s()\n", condition, function);
    abort();
}
