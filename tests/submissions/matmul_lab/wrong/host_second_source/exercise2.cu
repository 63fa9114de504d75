/* The kernel and all that launches it lie in kernels.cu, a source of its own that nobody compiles. */
#include "matmul.cuh"

#include <stdio.h>
#include <vector>

int main()
{
    std::vector<float> a(A_HEIGHT * A_WIDTH, 1.0f);
    std::vector<float> b(B_HEIGHT * B_WIDTH, 2.0f);
    std::vector<float> c(C_HEIGHT * C_WIDTH);

    copyIn(a.data(), b.data());
    int edge = chooseBlockSize();
    printf("Block size: %d\n", edge);
    launchTiled(dim3(C_WIDTH / edge, C_HEIGHT / edge), dim3(edge, edge), requiredSM(edge * edge));
    cudaDeviceSynchronize();
    copyOut(c.data());
    printf("the first element is %f\n", c[0]);
    return 0;
}
