// Breadth-first search and sparse matrix times vector, as in the textbook, with its race: a plain
// read of a distance beside a compare-and-swap
#include <bits/stdc++.h>
using namespace std;
typedef long long ll; typedef pair<int, int> pii;
#define pb push_back
#define all(x) (x).begin(), (x).end()
#define rep(i, n) for (int i = 0; i < (int)(n); i++)
const int INF = 1e9;
__global__ void bfs(const int *off, const int *adj, int *dist, int level, int n, bool *changed) { int v = blockIdx.x * blockDim.x + threadIdx.x; if (v >= n || dist[v] != level) return; for (int e = off[v]; e < off[v + 1]; e++) { int u = adj[e]; if (atomicCAS(&dist[u], INF, level + 1) == INF) *changed = true; } }
__global__ void spmv(int rows, const int *ptr, const int *col, const float *val, const float *x, float *y) { int r = blockIdx.x * blockDim.x + threadIdx.x; if (r < rows) { float dot = 0; for (int i = ptr[r]; i < ptr[r + 1]; i++) dot += val[i] * x[col[i]]; y[r] = dot; } }
template <class T> T *up(const vector<T> &v) { T *p; cudaMalloc(&p, v.size() * sizeof(T)); cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice); return p; }
template <class T> vector<T> down(const T *p, size_t n) { vector<T> v(n); cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost); return v; }
int main()
{
    ios_base::sync_with_stdio(false); cin.tie(nullptr); int n = 100; vector<vector<int>> g(n); rep(i, n) { g[i].pb((i * 7 + 1) % n); g[i].pb((i + 13) % n); }
    vector<int> off{0}, adj, dist(n, INF); rep(i, n) { for (int u : g[i]) adj.pb(u); off.pb(adj.size()); } dist[0] = 0;
    int *o = up(off), *a = up(adj), *d = up(dist); bool *changed, h = true; cudaMalloc(&changed, 1); int level = 0;
    while (h) { h = false; cudaMemcpy(changed, &h, 1, cudaMemcpyHostToDevice); bfs<<<(n + 31) / 32, 32>>>(o, a, d, level++, n, changed); cudaMemcpy(&h, changed, 1, cudaMemcpyDeviceToHost); }
    auto r = down(d, n); cout << *max_element(all(r)) << " " << accumulate(all(r), 0LL) << "\n";
    vector<float> val(adj.size(), 0.5f), x(n); iota(all(x), 0); float *v = up(val), *dx = up(x), *dy; cudaMalloc(&dy, n * 4); spmv<<<4, 32>>>(n, o, a, v, dx, dy); auto y = down(dy, n); cout << y[3] << " " << y[99] << endl;
    priority_queue<pii> pq; pq.push({1, 2}); unordered_set<ll> us{1, 2, 2}; auto [p1, p2] = pq.top(); cout << p1 + p2 + us.size() << '\n';
}

/* exit status 1, findings: global_race
9 524
19 53
5
*/
