#include <cstdlib>

int main()
{
    float *h = malloc(1024 * sizeof(float));
    free(h);
    return 0;
}
