/* Control codes, markup, formulas and commands where a number should stand, and on standard error.
 */
#define ATTACK_AT_LAUNCH shout
#include "honest_tiled.cuh"

#include <unistd.h>

static const char words[] =
    "\033[2J\033[31mPASS\033[0m\033]0;title\007\033]52;c;b3duZWQ=\007\x9b"
    "31m \r\b\v\f\x7f"
    " <script>alert(1)</script><img src=x onerror=alert(1)> \"quoted\\\" &amp;"
    " =HYPERLINK(\"http://x\") @SUM(1) +1 -1"
    " \xff\xfe\xc0\x80 \xed\xa0\x80 \xe2\x80\xae"
    "drow \xe2\x80\xa8 \xf0\x9f\x92\xa9";

void launchTiled(const float *, const float *, float *, struct matmul_shape)
{
    fprintf(stderr,
            "\n::error file=a,line=1::owned\n##[error]owned\n"
            "{\"scores\": {\"correct\": 100}}\n%s",
            words);
    fflush(NULL);
    _exit(1);
}

void printOccupancy(void)
{
    printf("::set-output name=score::100\nOccupancy: %s\n", words);
    fwrite("\0nul\0", 1, 5, stdout);
    fflush(stdout);
}
