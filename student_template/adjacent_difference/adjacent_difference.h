/* adjacent_difference.h: what the two exercises and the given main program agree on. Given: do not
 * change it.
 *
 * Both arrays hold n elements of type int in device memory:
 *
 *   result[0] = input[0]
 *   result[i] = input[i] - input[i - 1]    for 0 < i < n
 *
 * n may be any number from 1 up; it need not be a multiple of the number of threads in a block.
 */
#ifndef ADJACENT_DIFFERENCE_H
#define ADJACENT_DIFFERENCE_H

/* exercise1_static.cu: launches adjDiffStatic once, in blocks of BLOCK_SIZE threads. */
void launchStatic(int *d_result, int *d_input, int n);

/* exercise2_dynamic.cu: launches adjDiffDynamic once, in blocks of block_size threads: any number
 * from 1 to 1024. */
void launchDynamic(int *d_result, int *d_input, int n, int block_size);

/* simple.cu, given: the kernel without shared memory to compare with. */
void launchSimple(int *d_result, const int *d_input, int n);

#endif
