/* wb.h: what programs in the manner of libwb's labs need: arguments, files of numbers and images,
 * messages, and the result.
 *
 *     wbArg_t args = wbArg_read(argc, argv);   PROGRAM -i in0,in1 -o out -e expected -t vector
 *     float *x = (float *)wbImport(wbArg_getInputFile(args, 0), &length);
 *     ...
 *     wbSolution(args, y, length);
 *
 * A file of numbers holds a length and then as many numbers, or rows, columns and then the rows,
 * with blanks or ends of lines between them. Of .csv and .tsv there is no length: each line is a
 * row. An image is a PPM, P5 (one channel) or P6 (three), of bytes; in memory it has floats from 0
 * to 1. What is imported is malloc's, and free() frees it. Times and messages go to standard error,
 * what wbSolution says to standard output. A file that cannot be read ends the program with status
 * 1.
 *
 * It needs the standard library only, so programs work by plain nvcc too.
 */
#ifndef WB_H
#define WB_H

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using std::string;
using std::stringstream;
using std::vector;

typedef bool wbBool;
typedef float wbReal_t;
typedef char wbChar_t;
#define wbTrue true
#define wbFalse false
#define wbImage_channels 3

/* The arguments of a program; what is not given is NULL. */
struct wbArg_t {
    int inputCount = 0;
    char **inputFiles = nullptr;
    char *outputFile = nullptr;
    char *expectedOutput = nullptr;
    char *type = nullptr; /* vector, matrix, integral_vector, image */
};

/* An image: rows from top to bottom, pixels from left to right, channels of a pixel together. */
struct wbImage {
    int width, height, channels, pitch; /* pitch: floats of a row */
    float *data;                        /* [height][width][channels] */
};
typedef struct wbImage *wbImage_t;

/* gpugrade's mark of a result (gpugrade.h); without gpugrade it does not exist. */
extern "C" __attribute__((weak)) void gpugrade_mark_result(const void *numbers, size_t bytes);

/* Texts *************************************************************************************/

inline string wbString()
{
    return "";
}

/* All arguments one after the other. */
template <typename First, typename... Rest> string wbString(const First &first, const Rest &...rest)
{
    stringstream out;

    out << first;
    return out.str() + wbString(rest...);
}

namespace wb_details
{

inline void fail(const string &why)
{
    fflush(stdout);
    fprintf(stderr, "wb.h: %s\n", why.c_str());
    exit(1);
}

template <typename T> T *array_new(size_t count)
{
    T *made = static_cast<T *>(malloc((count > 0 ? count : 1) * sizeof(T)));

    if (made == nullptr) {
        fail(wbString("no memory for ", count, " numbers"));
    }
    return made;
}

inline string bytes_of(const char *file)
{
    std::ifstream in(file == nullptr ? "" : file, std::ios::binary);

    if (!in) {
        fail(wbString("'", file == nullptr ? "(no name)" : file, "' cannot be read"));
    }
    return string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

inline void hand_over(const void *numbers, size_t bytes)
{
    if (gpugrade_mark_result) {
        gpugrade_mark_result(numbers, bytes);
    }
}

inline bool ends_with(const string &text, const string &end)
{
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/* The numbers of a file, as texts: rows * columns of them. */
struct table {
    vector<string> numbers;
    size_t rows, columns;
};

/* Each line is a row. */
inline table read_lines(string text)
{
    table read = {{}, 0, 0};
    string line, word;

    std::replace(text.begin(), text.end(), ',', ' ');
    for (stringstream lines(text); std::getline(lines, line);) {
        const size_t before = read.numbers.size();
        for (stringstream words(line); words >> word;) {
            read.numbers.push_back(word);
        }
        read.rows += read.numbers.size() > before ? 1 : 0;
    }
    read.columns = read.rows > 0 ? read.numbers.size() / read.rows : 0;
    return read;
}

/* A length, or rows and columns, come first. */
inline table read_table(const char *file)
{
    const string text = bytes_of(file);
    table read;
    string word;

    if (ends_with(file, ".csv") || ends_with(file, ".tsv")) {
        return read_lines(text);
    }
    for (stringstream words(text); words >> word;) {
        read.numbers.push_back(word);
    }
    const size_t count = read.numbers.size();
    const size_t first = count > 0 ? strtoull(read.numbers[0].c_str(), nullptr, 10) : 0;
    const size_t second = count > 1 ? strtoull(read.numbers[1].c_str(), nullptr, 10) : 0;
    const bool is_vector = count > 0 && count - 1 == first;
    const bool is_matrix =
        count > 1 && (second == 0 || first <= count / second) && count - 2 == first * second;
    if (!is_vector && !is_matrix) {
        fail(wbString("'", file, "' holds neither a length and as many numbers, nor rows, ",
                      "columns and as many numbers"));
    }
    read.rows = first;
    read.columns = is_vector ? 1 : second;
    read.numbers.erase(read.numbers.begin(), read.numbers.begin() + (is_vector ? 1 : 2));
    return read;
}

inline void parse(const string &text, float *out_number)
{
    *out_number = strtof(text.c_str(), nullptr);
}

inline void parse(const string &text, int *out_number)
{
    *out_number = static_cast<int>(strtod(text.c_str(), nullptr));
}

template <typename T> T *parse_all(const table &read)
{
    T *numbers = array_new<T>(read.numbers.size());

    for (size_t i = 0; i < read.numbers.size(); i++) {
        parse(read.numbers[i], &numbers[i]);
    }
    return numbers;
}

/* What is imported: a pointer to numbers of any type. */
struct imported {
    void *numbers;

    template <typename T> operator T *() const
    {
        return static_cast<T *>(numbers);
    }
};

inline imported read_as(const table &read, const string &type)
{
    if (type == "Real") {
        return {parse_all<float>(read)};
    }
    return {parse_all<int>(read)};
}

/* The next number of an image's head, after blanks and comments. */
inline size_t read_head(std::istream &in)
{
    size_t number = 0;
    string comment;

    while ((in >> std::ws) && in.peek() == '#') {
        std::getline(in, comment);
    }
    in >> number;
    return number;
}

template <typename T>
void write_numbers(std::ostream &out, const T *numbers, size_t count, char end)
{
    out.precision(9);
    for (size_t i = 0; i < count; i++) {
        out << +numbers[i] << (i + 1 < count ? end : '\n');
    }
}

inline void check_written(std::ostream &out, const char *file)
{
    if (!out.flush()) {
        fail(wbString("'", file == nullptr ? "(no name)" : file, "' cannot be written"));
    }
}

/* The time at which each wbTime_start that has not stopped was. */
struct timer {
    string name;
    std::chrono::steady_clock::time_point begin;
};

inline vector<timer> &timers()
{
    static vector<timer> all;

    return all;
}

inline void start(const string &name)
{
    timers().push_back({name, std::chrono::steady_clock::now()});
}

inline void stop(const string &name)
{
    const auto now = std::chrono::steady_clock::now();
    vector<timer> &all = timers();

    for (size_t i = all.size(); i-- > 0;) {
        if (all[i].name == name) {
            const std::chrono::duration<double, std::milli> taken = now - all[i].begin;
            fprintf(stderr, "%s: %.3f ms\n", name.c_str(), taken.count());
            all.erase(all.begin() + (ptrdiff_t)i);
            return;
        }
    }
    fprintf(stderr, "%s: wbTime_stop without a wbTime_start\n", name.c_str());
}

} // namespace wb_details

enum wbTimerKind_t {
    wbTimerKind_Generic,
    wbTimerKind_IO,
    wbTimerKind_GPU,
    wbTimerKind_Copy,
    wbTimerKind_Driver,
    wbTimerKind_CopyAsync,
    wbTimerKind_Compute,
    wbTimerKind_CPUGPUOverlap
};
enum wbLogLevel_t {
    wbLogLevel_OFF,
    wbLogLevel_FATAL,
    wbLogLevel_ERROR,
    wbLogLevel_WARN,
    wbLogLevel_INFO,
    wbLogLevel_DEBUG,
    wbLogLevel_TRACE
};

/* A kind is one of Generic, IO, GPU, Copy, Driver, CopyAsync, Compute and CPUGPUOverlap; both calls
 * have the same words. The host's time counts, so wait for kernels before the end. */
#define wbTime_start(kind, ...)                                                                    \
    ((void)wbTimerKind_##kind, wb_details::start(wbString("[" #kind "] ", __VA_ARGS__)))
#define wbTime_stop(kind, ...)                                                                     \
    ((void)wbTimerKind_##kind, wb_details::stop(wbString("[" #kind "] ", __VA_ARGS__)))

/* Prints its arguments one after the other. A level is one of OFF, FATAL, ERROR, WARN, INFO, DEBUG
 * and TRACE; OFF prints nothing. */
#define wbLog(level, ...)                                                                          \
    ((void)(wbLogLevel_##level != wbLogLevel_OFF &&                                                \
            fprintf(stderr, "[" #level "] %s\n", wbString(__VA_ARGS__).c_str())))

/* Arguments *********************************************************************************/

/* Reads -i FILE,FILE... -o FILE -e FILE -t TYPE; other arguments are passed over. */
inline wbArg_t wbArg_read(int argc, char **argv)
{
    wbArg_t args;

    for (int i = 1; i + 1 < argc; i++) {
        const string name = argv[i];
        char *value = argv[i + 1];
        if (name == "-o") {
            args.outputFile = value;
        } else if (name == "-e") {
            args.expectedOutput = value;
        } else if (name == "-t") {
            args.type = value;
        } else if (name == "-i") {
            const string list = value;
            const size_t count = 1 + (size_t)std::count(list.begin(), list.end(), ',');
            string file;
            args.inputFiles = wb_details::array_new<char *>(count);
            args.inputCount = 0;
            for (stringstream files(list); std::getline(files, file, ',');) {
                args.inputFiles[args.inputCount++] = strdup(file.c_str());
            }
        } else {
            continue;
        }
        i++;
    }
    return args;
}

inline int wbArg_getInputCount(const wbArg_t &args)
{
    return args.inputCount;
}

/* The name of an input file, from 0. */
inline char *wbArg_getInputFile(const wbArg_t &args, int index)
{
    if (index < 0 || index >= args.inputCount) {
        wb_details::fail(
            wbString("there is no input file ", index, ": it should be in -i FILE,..."));
    }
    return args.inputFiles[index];
}

inline char **wbArg_getInputFiles(const wbArg_t &args)
{
    return args.inputFiles;
}

inline char *wbArg_getOutputFile(const wbArg_t &args)
{
    return args.outputFile;
}

inline char *wbArg_getExpectedOutputFile(const wbArg_t &args)
{
    return args.expectedOutput;
}

inline char *wbArg_getType(const wbArg_t &args)
{
    return args.type;
}

/* Images ************************************************************************************/

/* Takes the data over; without data all are 0. */
inline wbImage_t wbImage_new(int width, int height, int channels, float *data)
{
    wbImage_t image = wb_details::array_new<wbImage>(1);

    *image = wbImage{width, height, channels, width * channels, data};
    return image;
}

inline wbImage_t wbImage_new(int width, int height, int channels = wbImage_channels)
{
    if (width < 0 || height < 0 || channels < 0) {
        wb_details::fail("an image has a size below 0");
    }
    const size_t count = (size_t)width * (size_t)height * (size_t)channels;
    float *data = wb_details::array_new<float>(count);

    std::fill(data, data + count, 0.0f);
    return wbImage_new(width, height, channels, data);
}

/* Frees the data too. */
inline void wbImage_delete(wbImage_t image)
{
    if (image != nullptr) {
        free(image->data);
        free(image);
    }
}

#define wbImage_getWidth(image) ((image)->width)
#define wbImage_getHeight(image) ((image)->height)
#define wbImage_getChannels(image) ((image)->channels)
#define wbImage_getPitch(image) ((image)->pitch)
#define wbImage_getData(image) ((image)->data)
#define wbImage_setWidth(image, value) ((image)->width = (value))
#define wbImage_setHeight(image, value) ((image)->height = (value))
#define wbImage_setChannels(image, value) ((image)->channels = (value))
#define wbImage_setPitch(image, value) ((image)->pitch = (value))
#define wbImage_setData(image, value) ((image)->data = (value))

/* Files *************************************************************************************/

/* Numbers: of type "Real" floats, of any other one ints. A matrix as a vector has the length
 * rows * columns, a vector as a matrix one column. "Text": all bytes, with a 0 after the last. */
inline wb_details::imported wbImport(const char *file, int *out_length, const char *type = "Real")
{
    if (string(type) == "Text") {
        const string text = wb_details::bytes_of(file);
        char *copy = wb_details::array_new<char>(text.size() + 1);
        memcpy(copy, text.c_str(), text.size() + 1);
        *out_length = (int)text.size();
        return {copy};
    }
    const wb_details::table read = wb_details::read_table(file);

    *out_length = (int)read.numbers.size();
    return wb_details::read_as(read, type);
}

inline wb_details::imported wbImport(const char *file, int *out_rows, int *out_columns,
                                     const char *type = "Real")
{
    const wb_details::table read = wb_details::read_table(file);

    *out_rows = (int)read.rows;
    *out_columns = (int)read.columns;
    return wb_details::read_as(read, type);
}

inline wbImage_t wbImport(const char *file)
{
    stringstream in(wb_details::bytes_of(file));
    char letter = 0, digit = 0;

    in >> letter >> digit;
    const size_t width = wb_details::read_head(in);
    const size_t height = wb_details::read_head(in);
    const size_t most = wb_details::read_head(in);
    const size_t limit = (size_t)1 << 15;
    if (!in || letter != 'P' || (digit != '5' && digit != '6') || width > limit || height > limit ||
        most < 1 || most > 255) {
        wb_details::fail(wbString("'", file, "' is no PPM image of bytes (P5 or P6)"));
    }
    wbImage_t image = wbImage_new((int)width, (int)height, digit == '6' ? 3 : 1);
    vector<unsigned char> bytes(width * height * (size_t)image->channels);
    in.get(); /* one blank */
    in.read(reinterpret_cast<char *>(bytes.data()), (std::streamsize)bytes.size());
    if (!in) {
        wb_details::fail(wbString("'", file, "' ends within the image"));
    }
    for (size_t i = 0; i < bytes.size(); i++) {
        image->data[i] = (float)bytes[i] / (float)most;
    }
    return image;
}

/* Writes what wbImport reads: a length and a number a line, or rows and columns and then a row a
 * line. */
template <typename T> void wbExport(const char *file, const T *data, int rows)
{
    std::ofstream out(file);

    out << rows << '\n';
    wb_details::write_numbers(out, data, (size_t)rows, '\n');
    wb_details::check_written(out, file);
}

template <typename T> void wbExport(const char *file, const T *data, int rows, int columns)
{
    std::ofstream out(file);

    out << rows << ' ' << columns << '\n';
    for (int i = 0; i < rows; i++) {
        wb_details::write_numbers(out, data + (size_t)i * (size_t)columns, (size_t)columns, ' ');
    }
    wb_details::check_written(out, file);
}

/* Values beyond 0 and 1 become 0 and 1. */
inline void wbExport(const char *file, wbImage_t image)
{
    std::ofstream out(file, std::ios::binary);
    const size_t count = (size_t)image->width * (size_t)image->height * (size_t)image->channels;

    out << (image->channels == 1 ? "P5" : "P6") << '\n';
    out << image->width << ' ' << image->height << "\n255\n";
    for (size_t i = 0; i < count; i++) {
        const float value = std::min(1.0f, std::max(0.0f, image->data[i]));
        out.put((char)(unsigned char)(value * 255.0f + 0.5f));
    }
    wb_details::check_written(out, file);
}

/* The result ********************************************************************************/

namespace wb_details
{

/* Says whether the numbers are as expected: each may differ by the tolerance, times what is
 * expected where that is above 1. NaN is wrong. */
template <typename T>
bool is_right(const T *data, size_t count, const vector<double> &expected, double tolerance)
{
    if (count != expected.size()) {
        printf("The solution is wrong: %zu numbers, expected %zu\n", count, expected.size());
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const double got = (double)data[i];
        if (!(std::fabs(got - expected[i]) <= tolerance * std::fmax(1.0, std::fabs(expected[i])))) {
            printf("The solution is wrong: element %zu is %.9g, expected %.9g\n", i, got,
                   expected[i]);
            return false;
        }
    }
    printf("The solution is right\n");
    return true;
}

/* Numbers: written if there is an output file, compared if there is an expected one. */
template <typename T> bool solve(const wbArg_t &args, const T *data, int rows, int columns)
{
    const size_t count = (size_t)rows * (size_t)(columns < 0 ? 1 : columns);
    vector<double> expected;

    if (data == nullptr || rows < 0) {
        fail("wbSolution is given no numbers");
    }
    hand_over(data, count * sizeof(T));
    if (args.outputFile != nullptr && columns < 0) {
        wbExport(args.outputFile, data, rows);
    } else if (args.outputFile != nullptr) {
        wbExport(args.outputFile, data, rows, columns);
    }
    if (args.expectedOutput == nullptr) {
        return true;
    }
    for (const string &number : read_table(args.expectedOutput).numbers) {
        expected.push_back(strtod(number.c_str(), nullptr));
    }
    return is_right(data, count, expected, 1e-3);
}

/* Of void the type of the arguments says what it is. */
inline bool solve(const wbArg_t &args, const void *data, int rows, int columns)
{
    if (args.type != nullptr && strncmp(args.type, "integral", 8) == 0) {
        return solve(args, static_cast<const int *>(data), rows, columns);
    }
    return solve(args, static_cast<const float *>(data), rows, columns);
}

} // namespace wb_details

/* Hands in the result, and says whether it is as expected, where that is known. */
template <typename T> wbBool wbSolution(const wbArg_t &args, T *data, int rows, int columns = -1)
{
    return wb_details::solve(args, const_cast<const T *>(data), rows, columns);
}

inline wbBool wbSolution(const wbArg_t &args, wbImage_t image)
{
    if (image == nullptr || image->data == nullptr) {
        wb_details::fail("wbSolution is given no image");
    }
    const size_t count = (size_t)image->width * (size_t)image->height * (size_t)image->channels;
    wb_details::hand_over(image->data, count * sizeof(float));
    if (args.outputFile != nullptr) {
        wbExport(args.outputFile, image);
    }
    if (args.expectedOutput == nullptr) {
        return true;
    }
    wbImage_t read = wbImport(args.expectedOutput);
    const size_t wanted = (size_t)read->width * (size_t)read->height * (size_t)read->channels;
    const vector<double> expected(read->data, read->data + wanted);
    wbImage_delete(read);
    return wb_details::is_right(image->data, count, expected, 1.5 / 255);
}

/* Sparse matrices ***************************************************************************/

/* Sorts the rows of a sparse matrix by how many numbers they have, most first, and stores the first
 * numbers of all rows, then the second ones, and so on. out_starts has the start of each of these.
 * All of them are malloc's. */
inline void CSRToJDS(int rows, const int *row_starts, const int *columns, const float *data,
                     int **out_order, int **out_counts, int **out_starts, int **out_columns,
                     float **out_data)
{
    const size_t total = rows > 0 ? (size_t)row_starts[rows] : 0;
    int *order = wb_details::array_new<int>((size_t)rows);
    int *counts = wb_details::array_new<int>((size_t)rows);
    int next = 0;

    for (int i = 0; i < rows; i++) {
        order[i] = i;
    }
    const auto count_of = [&](int row) { return row_starts[row + 1] - row_starts[row]; };
    std::stable_sort(order, order + rows,
                     [&](int left, int right) { return count_of(left) > count_of(right); });
    for (int i = 0; i < rows; i++) {
        counts[i] = count_of(order[i]);
    }
    const int most = rows > 0 ? counts[0] : 0;
    *out_starts = wb_details::array_new<int>((size_t)most + 1);
    *out_columns = wb_details::array_new<int>(total);
    *out_data = wb_details::array_new<float>(total);
    for (int k = 0; k < most; k++) {
        (*out_starts)[k] = next;
        for (int i = 0; i < rows && counts[i] > k; i++, next++) {
            (*out_columns)[next] = columns[row_starts[order[i]] + k];
            (*out_data)[next] = data[row_starts[order[i]] + k];
        }
    }
    (*out_starts)[most] = next;
    *out_order = order;
    *out_counts = counts;
}

#endif
