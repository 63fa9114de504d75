#include <cuda/atomic>
#include <cstdio>
struct Queue { cuda::atomic<int, cuda::thread_scope_device> head; cuda::std::atomic<unsigned> total; };
__global__ void work(Queue *q, int *data, int *out)
{
    int mine = q->head.fetch_add(1, cuda::memory_order_relaxed);
    out[mine] = 1;
    q->total += 2;
    cuda::atomic_ref<int, cuda::thread_scope_device> ref(data[threadIdx.x % 4]);
    ref.fetch_add(3, cuda::std::memory_order_relaxed);
    cuda::atomic_ref<int, cuda::thread_scope_block> m(data[4]);
    if (blockIdx.x == 0) m.fetch_max((int)threadIdx.x);
}
__global__ void publish(cuda::atomic<int> *flag, int *value, int *seen)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) { *value = 42; flag->store(1, cuda::memory_order_release); }
    if (blockIdx.x == 0 && threadIdx.x == 1) { while (flag->load(cuda::memory_order_acquire) == 0) ; *seen = *value; }
}
__global__ void swap_it(int *p) { cuda::atomic_ref<int> r(*p); int expected = 5; while (!r.compare_exchange_weak(expected, expected + 1)) {} r.exchange(r.load() * 2); cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device); }
int main()
{
    Queue *q; int *d, *o; cudaMallocManaged(&q, sizeof(Queue)); cudaMallocManaged(&d, 32); cudaMallocManaged(&o, 400);
    new (q) Queue{{0}, {10u}};
    for (int i = 0; i < 8; i++) d[i] = i; for (int i = 0; i < 100; i++) o[i] = 0;
    work<<<2, 40>>>(q, d, o);
    cudaDeviceSynchronize();
    int s = 0; for (int i = 0; i < 100; i++) s += o[i];
    printf("%d %d %u %d %d %d\n", s, q->head.load(), q->total.load(), d[0], d[3], d[4]);
    cuda::atomic<int> *f; int *v; cudaMallocManaged(&f, sizeof *f); cudaMallocManaged(&v, 8); new (f) cuda::atomic<int>(0);
    publish<<<1, 32>>>(f, v, v + 1); swap_it<<<1, 1>>>(d + 5);
    printf("%d", cudaDeviceSynchronize()); printf(" %d %d\n", v[1], d[5]);
}

/* exit status 0, findings: none
80 80 170 60 63 39
0 42 12
*/
