#include "mandelbrot.h"

#include <vector>

void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit)
{
    std::vector<int> count(width * height);
    for (int j = 0; j < height; j++) {
        for (int i = 0; i < width; i++) {
            const float cx = x0 + i * (x1 - x0) / width, cy = y0 + j * (y1 - y0) / height;
            float x = 0, y = 0;
            int n = 0;
            for (; n < limit && x * x + y * y <= 4; n++) {
                const float t = x * x - y * y + cx;
                y = 2 * x * y + cy;
                x = t;
            }
            count[j * width + i] = n;
        }
    }
    cudaMemcpy(d_count, count.data(), count.size() * sizeof(int), cudaMemcpyHostToDevice);
}
