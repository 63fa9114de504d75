/* An array of the thread, written past its end. */
#include "../kernel_program.h"

__global__ void fill(const int *in, int *out)
{
    int own[8];
    const int tx = threadIdx.x;
    for (int i = 0; i < 8; i++) {
        own[i] = in[(tx + i) % 32];
    }
    own[in[tx] % 4 + tx / 4] = 5; // error: B03 write
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        sum = sum * 3 + own[(i + in[i]) % 8];
    }
    out[tx] = sum;
}

int main()
{
    int *in = new_input<int>(32);
    int *out = new_output<int>(32);
    fill<<<1, 32>>>(in, out);
    print_result("local_overrun", out, 32);
    return 0;
}
