/* read_past_and_dropped.cu: merges two sorted halves in shared memory. The next element of a half is
 * read before it is known whether there is one; what lies past the end is never used.
 */
#include "../kernel_program.h"

__global__ void read_past_and_dropped(const int *in, int *out)
{
    __shared__ int keys[2 * 32 + 1];
    const int *from = in + blockIdx.x * 64;
    int t = threadIdx.x;
    int rank = 0;
    for (int i = t / 32 * 32; i < t / 32 * 32 + 32; i++) {
        rank += from[i] < from[t] || (from[i] == from[t] && i < t);
    }
    keys[t / 32 * 32 + rank] = from[t];
    __syncthreads();
    if (t == 0) {
        int first = 0, second = 32, key1 = keys[0], key2 = keys[32];
        for (int i = 0; i < 64; i++) {
            bool takes = second < 64 && (first >= 32 || key2 < key1);
            out[blockIdx.x * 64 + i] = takes ? key2 : key1;
            second += takes;
            first += !takes;
            if (takes) {
                key2 = keys[second];
            } else {
                key1 = keys[first];
            }
        }
    }
}

int main()
{
    int *in = new_input<int>(256);
    int *out = new_output<int>(256);
    read_past_and_dropped<<<4, 64>>>(in, out);
    print_result("read_past_and_dropped", out, 256);
    return 0;
}
