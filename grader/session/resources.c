/* resources.c: what ptxas says of a program's kernels, asked once per module; see session.h. */
#include "session/session.h"

enum error session_resources(const struct session_config *config, struct arena *arena,
                             size_t module, const struct kernel_resources **out_kernels,
                             size_t *out_count, struct diagnostic *diagnostic)
{
    struct session_resource_cache *cache = config->resources;
    const struct fat_program *code = &config->program->code;

    if (cache->known == NULL) {
        cache->known = arena_array(arena, code->module_count, sizeof *cache->known);
        cache->kernels = arena_array(arena, code->module_count, sizeof *cache->kernels);
        cache->counts = arena_array(arena, code->module_count, sizeof *cache->counts);
    }
    if (!cache->known[module]) {
        enum error error = toolchain_resources(
            config->toolchain, arena, code->modules[module].text, code->modules[module].length,
            config->compute_major, config->compute_minor, config->work_folder,
            &cache->kernels[module], &cache->counts[module], diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        cache->known[module] = true;
    }
    *out_kernels = cache->kernels[module];
    *out_count = cache->counts[module];
    return ERROR_NONE;
}
