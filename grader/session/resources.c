/* resources.c: what the sessions of a program share: the oracle, and what ptxas makes of its
 * modules, asked once for each; see session.h. */
#include "session/session.h"

void session_oracle_set(struct session_oracle *of, const struct oracle *oracle)
{
    pthread_mutex_lock(&of->mutex);
    of->is_known = true;
    of->oracle = oracle;
    pthread_cond_broadcast(&of->known);
    pthread_mutex_unlock(&of->mutex);
}

const struct oracle *session_oracle_get(struct session_oracle *of)
{
    pthread_mutex_lock(&of->mutex);
    while (!of->is_known) {
        pthread_cond_wait(&of->known, &of->mutex);
    }
    pthread_mutex_unlock(&of->mutex);
    return of->oracle;
}

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
        const struct fat_module *text = &code->modules[module];
        struct assembled_module assembled;
        enum error error = toolchain_assemble(config->toolchain, arena, text->text, text->length,
                                              config->compute_major, config->compute_minor,
                                              config->work_folder, &assembled, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        *resources = (struct module_resources){
            .known = true,
            .kernels = assembled.kernels,
            .count = assembled.kernel_count,
            .image = assembled.image,
            .image_bytes = assembled.image_bytes,
        };
    }
    *out_kernels = resources->kernels;
    *out_count = resources->count;
    return ERROR_NONE;
}
