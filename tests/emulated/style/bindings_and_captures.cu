#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <utility>
struct Point { int x, y; };
__host__ __device__ inline Point mirrored(Point p) { auto [a, b] = p; return {b, a}; }
__global__ void kernel(Point *points, int n)
{
    int i = threadIdx.x;
    if (i < n) {
        auto [x, y] = mirrored(points[i]);
        auto shift = [x, y](int by) { return Point{x + by, y - by}; };
        auto &[px, py] = points[i];
        auto moved = shift(10);
        px = moved.x;
        py = moved.y;
    }
}
static std::pair<int, std::string> describe(int n) { return {n * n, "square"}; }
int main()
{
    std::map<std::string, int> sizes{{"small", 4}, {"large", 16}};
    for (const auto &[name, n] : sizes) {
        Point *p;
        cudaMallocManaged(&p, n * sizeof(Point));
        for (int i = 0; i < n; i++) p[i] = {i, 2 * i};
        kernel<<<1, 32>>>(p, n);
        cudaDeviceSynchronize();
        auto report = [&, count = n](const char *tag) { printf("%s %s %d %d\n", tag, name.c_str(), p[count - 1].x, p[count - 1].y); };
        report("end");
        auto [value, text] = describe(n);
        auto print = [value, &text] { printf("%d %s\n", value, text.c_str()); };
        print();
        cudaFree(p);
    }
}

/* exit status 0, findings: none
end large 40 5
256 square
end small 16 -7
16 square
*/
