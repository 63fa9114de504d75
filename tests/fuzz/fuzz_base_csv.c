/* fuzz_base_csv.c: any bytes as a table; what is read is written and read again to the same. */
#include "base/csv.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void write_row(const char *const *cells, size_t count, struct text *out)
{
    for (size_t i = 0; i < count; i++) {
        csv_append_text(out, cells[i]);
    }
    csv_end_row(out);
}

static void write_table(const struct csv_table *table, struct text *out)
{
    write_row(table->header, table->column_count, out);
    for (size_t i = 0; i < table->row_count; i++) {
        write_row(table->rows[i].cells, table->rows[i].cell_count, out);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {0};
    struct csv_table table, again;
    struct text first, second;

    text_init(&first);
    text_init(&second);
    if (csv_read(arena, (const char *)bytes, length, "fuzz", &table, &diagnostic) == ERROR_NONE) {
        write_table(&table, &first);
        if (csv_read(arena, first.bytes, first.length, "again", &again, &diagnostic) !=
                ERROR_NONE ||
            again.row_count != table.row_count || again.column_count != table.column_count) {
            abort();
        }
        write_table(&again, &second);
        if (strcmp(first.bytes, second.bytes) != 0) {
            abort();
        }
    } else if (diagnostic.message[0] == '\0' || diagnostic.line < 1) {
        abort();
    }
    text_release(&first);
    text_release(&second);
    arena_free(arena);
    return 0;
}
