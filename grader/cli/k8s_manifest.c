/* k8s_manifest.c: see k8s_manifest.h. */
#include "cli/k8s_manifest.h"

#include "base/file.h"
#include "base/json.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* A Pod that Kubernetes ends lets running checks finish, as long as Slurm would give them. A chunk
 * whose Pod fails is tried again without ending those of the others. */
enum { POD_BYTES_MAX = 1 << 16, GRACE_S = 120, RETRIES = 2, NAME_DIGITS = 12 };

/* NULL if there is none. */
static cJSON *first_container(const cJSON *pod)
{
    const cJSON *spec = cJSON_GetObjectItemCaseSensitive(pod, "spec");
    const cJSON *containers = cJSON_GetObjectItemCaseSensitive(spec, "containers");

    return cJSON_IsArray(containers) ? cJSON_GetArrayItem(containers, 0) : NULL;
}

enum error k8s_pod_read(struct arena *arena, const char *path, const char **out_pod,
                        struct diagnostic *diagnostic)
{
    struct json_document *document = NULL;
    char *bytes = NULL;
    size_t length = 0;
    enum error error =
        file_read(arena, path, POD_BYTES_MAX, BLAME_USAGE, &bytes, &length, diagnostic);

    if (error == ERROR_NONE) {
        error = json_parse(bytes, length, path, BLAME_USAGE, &document, diagnostic);
    }
    if (error == ERROR_NONE) {
        const cJSON *root = json_root(document);
        const cJSON *image = cJSON_GetObjectItemCaseSensitive(first_container(root), "image");
        if (!cJSON_IsObject(root) || !cJSON_IsString(image)) {
            json_diagnostic(document, root, false, diagnostic,
                            "expected a Pod template with an image, such as {\"spec\": "
                            "{\"containers\": [{\"image\": \"gpugrade\"}]}}");
            error = ERROR_RANGE;
        }
    }
    json_document_free(document);
    if (error == ERROR_NONE) {
        *out_pod = arena_strndup(arena, bytes, length);
    }
    return error;
}

/* Moves `value` into the object unless it has such a key already. */
static void add_missing(cJSON *object, const char *key, cJSON *value)
{
    if (cJSON_HasObjectItem(object, key)) {
        cJSON_Delete(value);
    } else {
        cJSON_AddItemToObject(object, key, value);
    }
}

static cJSON *resources_of(const struct k8s_job *job)
{
    cJSON *resources = cJSON_CreateObject();
    cJSON *requests = cJSON_AddObjectToObject(resources, "requests");
    cJSON *limits = cJSON_AddObjectToObject(resources, "limits");

    json_add_number(requests, "cpu", (double)job->jobs);
    if (job->memory != NULL) {
        cJSON_AddStringToObject(requests, "memory", job->memory);
        cJSON_AddStringToObject(limits, "memory", job->memory);
    }
    if (job->needs_gpu) {
        json_add_number(limits, "nvidia.com/gpu", 1);
    }
    return resources;
}

static void fill_container(const struct k8s_job *job, cJSON *container)
{
    struct text path, jobs;

    text_init(&path);
    text_init(&jobs);
    text_printf(&path, "%s/job.sh", job->folder);
    text_printf(&jobs, "%zu", job->jobs);
    const char *const words[] = {"sh",         path.bytes,  job->root,
                                 job->program, job->folder, jobs.bytes};
    cJSON_DeleteItemFromObjectCaseSensitive(container, "args");
    cJSON_DeleteItemFromObjectCaseSensitive(container, "command");
    cJSON_AddItemToObject(container, "command",
                          cJSON_CreateStringArray(words, sizeof words / sizeof words[0]));
    add_missing(container, "name", cJSON_CreateString("gpugrade"));
    add_missing(container, "resources", resources_of(job));
    text_release(&jobs);
    text_release(&path);
}

/* A Pod that its node drives out has not failed. */
static cJSON *failure_policy(void)
{
    cJSON *policy = cJSON_CreateObject();
    cJSON *rule = cJSON_CreateObject();
    cJSON *condition = cJSON_CreateObject();

    cJSON_AddItemToArray(cJSON_AddArrayToObject(policy, "rules"), rule);
    cJSON_AddStringToObject(rule, "action", "Ignore");
    cJSON_AddItemToArray(cJSON_AddArrayToObject(rule, "onPodConditions"), condition);
    cJSON_AddStringToObject(condition, "type", "DisruptionTarget");
    cJSON_AddStringToObject(condition, "status", "True");
    return policy;
}

void k8s_manifest(const struct k8s_job *job, struct text *out)
{
    struct json_document *document = NULL;
    char hash[65], name[sizeof "gpugrade-" + NAME_DIGITS];
    cJSON *root = cJSON_CreateObject();
    cJSON *metadata = cJSON_CreateObject();
    cJSON *spec = cJSON_CreateObject();
    enum error error = json_parse(job->pod, strlen(job->pod), "pod", BLAME_GRADER, &document, NULL);

    assert(error == ERROR_NONE);
    (void)error;
    cJSON *pod = cJSON_Duplicate(json_root(document), true);
    cJSON *pod_spec = cJSON_GetObjectItemCaseSensitive(pod, "spec");
    json_document_free(document);
    cJSON_DeleteItemFromObjectCaseSensitive(pod, "apiVersion");
    cJSON_DeleteItemFromObjectCaseSensitive(pod, "kind");
    cJSON_DeleteItemFromObjectCaseSensitive(pod_spec, "restartPolicy"); /* pods fail one by one */
    cJSON_AddStringToObject(pod_spec, "restartPolicy", "Never");
    add_missing(pod_spec, "terminationGracePeriodSeconds", cJSON_CreateNumber(GRACE_S));
    fill_container(job, first_container(pod));

    hash_bytes(job->folder, strlen(job->folder), hash);
    snprintf(name, sizeof name, "gpugrade-%.*s", NAME_DIGITS, hash);
    cJSON_AddStringToObject(root, "apiVersion", "batch/v1");
    cJSON_AddStringToObject(root, "kind", "Job");
    cJSON_AddItemToObject(root, "metadata", metadata);
    cJSON_AddStringToObject(metadata, "name", name);
    cJSON_AddItemToObject(root, "spec", spec);
    cJSON_AddStringToObject(spec, "completionMode", "Indexed");
    json_add_number(spec, "completions", (double)job->chunks);
    json_add_number(spec, "parallelism", (double)job->chunks);
    json_add_number(spec, "backoffLimitPerIndex", RETRIES);
    cJSON_AddItemToObject(spec, "podFailurePolicy", failure_policy());
    cJSON_AddItemToObject(spec, "template", pod);
    json_print(root, out);
    cJSON_Delete(root);
}
