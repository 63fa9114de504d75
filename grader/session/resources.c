/* resources.c: what ptxas says of a program's kernels, asked once per module; see session.h. */
#include "session/session.h"

enum error session_resources(const struct session_config *config, struct arena *arena,
                             size_t module, const struct kernel_resources **out_kernels,
                             size_t *out_count, struct diagnostic *diagnostic)
{
    struct session_resource_cache *cache = config->resources;
    const struct fat_program *code = &config->program->code;

    if (cache->modules == NULL) {
        cache->modules = arena_array(arena, code->module_count, sizeof *cache->modules);
    }
    struct module_resources *resources = &cache->modules[module];
    if (!resources->known) {
        enum error error = toolchain_resources(config->toolchain, arena, code->modules[module].text,
                                               code->modules[module].length, config->compute_major,
                                               config->compute_minor, config->work_folder,
                                               &resources->kernels, &resources->count, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        resources->known = true;
    }
    *out_kernels = resources->kernels;
    *out_count = resources->count;
    return ERROR_NONE;
}
