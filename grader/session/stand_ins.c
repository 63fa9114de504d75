/* stand_ins.c: see stand_ins.h. */
#include "session/stand_ins.h"

#include "ptx/entry_variant.h"

#include <string.h>

static enum error let_stand_in(struct connection *connection, size_t module, size_t kernel,
                               size_t other, struct diagnostic *diagnostic)
{
    const struct message request = {.type = CONTROL_STAND_IN, .words = {module, kernel, other}};

    return connection_call(connection, &request, NULL, diagnostic);
}

/* The kernel of a module by its name; kernel_count: there is none. */
static size_t find_kernel(const struct code_module *module, const char *name)
{
    size_t at = 0;

    while (at < module->kernel_count && strcmp(module->kernels[at].name, name) != 0) {
        at++;
    }
    return at;
}

enum error stand_ins_use(struct connection *connection, unsigned number,
                         struct diagnostic *diagnostic)
{
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < connection->code.module_count; i++) {
        const struct code_module *module = &connection->code.modules[i];
        for (size_t k = 0; k < module->kernel_count && error == ERROR_NONE; k++) {
            unsigned own = 0;
            const char *name = entry_variant_of(connection->arena, module->kernels[k].name, &own);
            size_t varied = name == NULL ? module->kernel_count : find_kernel(module, name);
            if (varied < module->kernel_count &&
                (own == number || own == connection->stand_in_number)) {
                error = let_stand_in(connection, i, varied, own == number ? k : varied, diagnostic);
            }
        }
    }
    connection->stand_in_number = number;
    return error;
}
