#include "kernels.cuh"

int main()
{
    launch();
    return 0;
}
