struct Matrix {
    int width, height;
    float *elements;
};

__global__ void clear(Matrix *m)
{
    m.elements[threadIdx.x] = 0.0f;
}
