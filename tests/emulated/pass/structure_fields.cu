/* Different threads write different fields of the same structures. */
#include "../kernel_program.h"

#define COUNT 32

struct body {
    float mass;
    short kind;
    char flag, level;
    double weight;
};

__global__ void gather(const int *in, double *out)
{
    __shared__ struct body bodies[COUNT];
    const int tx = threadIdx.x % COUNT;
    switch (threadIdx.x / COUNT) {
    case 0: bodies[tx].mass = (float)in[tx]; break;
    case 1: bodies[tx].kind = (short)in[tx + COUNT]; break;
    case 2: bodies[tx].flag = (char)(in[tx + 2 * COUNT] % 100); break;
    case 3: bodies[tx].level = (char)(in[tx + 3 * COUNT] % 100); break;
    default: bodies[tx].weight = in[tx + 4 * COUNT] * 0.125; break;
    }
    __syncthreads();
    if (threadIdx.x < COUNT) {
        const struct body *body = &bodies[COUNT - 1 - tx];
        out[tx] = body->mass * body->kind + body->flag * body->level + body->weight;
    }
}

int main()
{
    int *in = new_input<int>(5 * COUNT);
    double *out = new_output<double>(COUNT);
    gather<<<1, 5 * COUNT>>>(in, out);
    print_result("structure_fields", out, COUNT);
    return 0;
}
