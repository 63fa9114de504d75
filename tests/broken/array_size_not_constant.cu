__global__ void sort(float *a, int n)
{
    float copy[n];
    for (int i = 0; i < n; i++)
        copy[i] = a[i];
    a[0] = copy[n - 1];
}
