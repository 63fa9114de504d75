/* The files that wb.h reads and writes, without a GPU. */
#include <wb.h>

static int wrong;

static void expect(bool holds, const char *what)
{
    if (!holds) {
        printf("FAIL  %s\n", what);
        wrong++;
    }
}

static const char *file_of(const char *name, const string &bytes)
{
    std::ofstream(name, std::ios::binary) << bytes;
    return name;
}

static void read_numbers(void)
{
    int count = 0, rows = 0, columns = 0;
    float *real = (float *)wbImport(file_of("a.raw", "3\n1\n-2.5e3\n0.1\n"), &count);

    expect(count == 3 && real[1] == -2500.0f && real[2] == 0.1f, "a vector");
    const int *whole = wbImport(file_of("b.raw", "2 7 -8"), &count, "Integer");
    expect(count == 2 && whole[0] == 7 && whole[1] == -8, "a vector of ints on one line");
    real = wbImport(file_of("c.raw", "2 3\n1 2 3\n4 5 6\n"), &rows, &columns);
    expect(rows == 2 && columns == 3 && real[5] == 6.0f, "a matrix");
    real = wbImport(file_of("d.csv", "1,2\n3,4\n5,6\n"), &rows, &columns);
    expect(rows == 3 && columns == 2 && real[3] == 4.0f, "rows of .csv");
    real = wbImport(file_of("e.raw", "0\n"), &count);
    expect(count == 0, "an empty vector");
    real = wbImport(file_of("f.raw", "1 5"), &rows, &columns);
    expect(rows == 1 && columns == 1 && real[0] == 5.0f, "a vector of one element as a matrix");
    char *text = wbImport(file_of("g.txt", "two words\n"), &count, "Text");
    expect(count == 10 && strcmp(text, "two words\n") == 0, "a text");
}

static void write_numbers(void)
{
    const float real[] = {0.1f, -1e-20f, 16777216.0f, 3.14159274f};
    const unsigned char bytes[] = {0, 255};
    int rows = 0, columns = 0;

    wbExport("h.raw", real, 2, 2);
    const float *again = wbImport("h.raw", &rows, &columns);
    expect(rows == 2 && columns == 2 && memcmp(real, again, sizeof real) == 0, "floats come back");
    wbExport("i.raw", bytes, 2);
    const int *numbers = wbImport("i.raw", &rows, "Integer");
    expect(rows == 2 && numbers[0] == 0 && numbers[1] == 255, "bytes are numbers");
}

static void use_images(void)
{
    wbImage_t image = wbImport(file_of("j.ppm", "P6\n# a comment\n2 1\n255\n" + string(6, '3')));

    expect(image->width == 2 && image->height == 1 && image->channels == 3, "an image of colours");
    expect(image->data[0] == '3' / 255.0f && image->pitch == 6, "its data");
    image = wbImage_new(1, 2, 1);
    expect(wbImage_getData(image)[1] == 0.0f, "a new image is black");
    wbImage_getData(image)[0] = 7.0f;
    wbExport("k.ppm", image);
    image = wbImport("k.ppm");
    expect(image->height == 2 && image->channels == 1 && image->data[0] == 1.0f, "a gray image");
}

static void sort_rows(void)
{
    const int starts[] = {0, 1, 4, 4, 6}, columns[] = {2, 0, 1, 3, 1, 2};
    const float data[] = {1, 2, 3, 4, 5, 6};
    int *order, *counts, *parts, *sorted_columns;
    float *sorted;

    CSRToJDS(4, starts, columns, data, &order, &counts, &parts, &sorted_columns, &sorted);
    const int wanted_order[] = {1, 3, 0, 2}, wanted_counts[] = {3, 2, 1, 0};
    const int wanted_parts[] = {0, 3, 5, 6};
    const float wanted[] = {2, 5, 1, 3, 6, 4};
    expect(memcmp(order, wanted_order, sizeof wanted_order) == 0, "longest rows first");
    expect(memcmp(counts, wanted_counts, sizeof wanted_counts) == 0, "their lengths");
    expect(memcmp(parts, wanted_parts, sizeof wanted_parts) == 0, "starts of parts");
    expect(memcmp(sorted, wanted, sizeof wanted) == 0 && sorted_columns[1] == 1, "the numbers");
}

/* Says what is wrong with the file in the last argument, by its end. */
static int read_wrong(int argc, char **argv)
{
    wbArg_t args = wbArg_read(argc, argv);
    int rows = 0, columns = 0;

    if (string(wbArg_getType(args)) == "image") {
        wbImport(wbArg_getInputFile(args, 0));
    } else {
        wbImport(wbArg_getInputFile(args, 0), &rows, &columns);
    }
    printf("nothing\n");
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        return read_wrong(argc, argv);
    }
    read_numbers();
    write_numbers();
    use_images();
    sort_rows();
    expect(wbString("a ", 1, ' ', 2.5f) == "a 1 2.5", "wbString");
    printf("%d wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
}
