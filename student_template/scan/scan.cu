/* An exclusive scan of any length, and a compaction that is made of it. See README.md. */
#include "scan.h"

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    /* TODO 1: a kernel in which each block scans its own elements in shared memory, and writes down
     *         their sum.
     * TODO 2: scan the sums of the blocks. For n up to 2^20 there may be many of them.
     * TODO 3: a kernel that adds to each element what comes before its block. */
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    /* TODO 4: a kernel that makes flags: 1 for an element above 0, else 0.
     * TODO 5: scan the flags. What does the result say about an element that is kept?
     * TODO 6: a kernel that moves each element that is kept, and writes how many there are. */
}
