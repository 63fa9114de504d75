/* main.cu: the program around the exercise.
 *
 *   PROGRAM call NAME                 reads lines "rows columns elements" and calls NAME once for
 *                                     each: the exercise, or its naive version
 *   PROGRAM [rows columns elements]   by hand: multiplies a random matrix, compares the result with
 *                                     the host's, and measures
 */
#include "harness.cuh"
#include "spmv.h"

using harness::array;

/* naive.cu */
void naiveSpmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
               float *d_y, int rows);

typedef void spmv_function(const int *, const int *, const float *, const float *, float *, int);

/* A matrix and a vector on the host. */
struct problem {
    std::vector<int> row_start, column;
    std::vector<float> value, x;
};

/* Elements fall into random rows, so that rows have different lengths and some may be empty. Values
 * are small whole numbers, so that the sums of floats are exact. */
static problem random_problem(int rows, int columns, int elements)
{
    problem made;
    made.row_start.assign((size_t)rows + 1, 0);
    for (int row : harness::numbers<int>(elements, 0, rows - 1)) {
        made.row_start[row + 1]++;
    }
    for (int row = 0; row < rows; row++) {
        made.row_start[row + 1] += made.row_start[row];
    }
    made.column = harness::numbers<int>(elements, 0, columns - 1);
    made.value = harness::numbers<float>(elements, -10, 10);
    made.x = harness::numbers<float>(columns, -10, 10);
    return made;
}

static std::vector<float> product(const problem &of)
{
    std::vector<float> y(of.row_start.size() - 1);
    for (size_t row = 0; row < y.size(); row++) {
        double sum = 0.0;
        for (int k = of.row_start[row]; k < of.row_start[row + 1]; k++) {
            sum += (double)of.value[k] * of.x[of.column[k]];
        }
        y[row] = (float)sum;
    }
    return y;
}

static bool call(const char *name, spmv_function *multiply, const int *numbers, bool by_hand)
{
    const int rows = numbers[0], columns = numbers[1], elements = numbers[2];
    array<int> row_start((size_t)rows + 1), column(elements);
    array<float> value(elements), x(columns), y(rows);
    problem given;
    if (by_hand) {
        given = random_problem(rows, columns, elements);
        row_start.set(given.row_start);
        column.set(given.column);
        value.set(given.value);
        x.set(given.x);
    }
    gpugrade_begin(name);
    gpugrade_operand("d_row_start", row_start);
    gpugrade_operand("d_column", column);
    gpugrade_operand("d_value", value);
    gpugrade_operand("d_x", x);
    gpugrade_operand("d_y", y);
    multiply(row_start, column, value, x, y, rows);
    gpugrade_end();
    harness::finish(name);
    if (!by_hand) {
        return true;
    }
    const bool is_right = harness::is_right("y", y.get(), product(given));
    harness::print_time(name, 8.0 * elements + 8.0 * rows + 4.0 * columns,
                        [&] { multiply(row_start, column, value, x, y, rows); });
    return is_right;
}

static bool exercise(const int *numbers, bool by_hand)
{
    return call("spmv", spmv, numbers, by_hand);
}

static bool naive(const int *numbers, bool by_hand)
{
    return call("naiveSpmv", naiveSpmv, numbers, by_hand);
}

int main(int argc, char **argv)
{
    const std::vector<int> usual = {1 << 17, 1 << 17, 1 << 24};
    return harness::main_of(argc, argv, {{"exercise", usual, exercise}, {"naive", usual, naive}});
}
