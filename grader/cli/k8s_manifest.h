/* k8s_manifest.h: an indexed Job of Kubernetes whose Pods grade a chunk of a class each.
 *
 *     FOLDER/job.json     for kubectl create -f; JSON, which is YAML too
 *            job.sh       what a Pod does: the script that a Slurm task runs
 *
 * What a cluster asks of a Pod is in a file of the user: a Pod template, as in spec.template of a
 * Job.
 *
 *     {"spec": {"containers": [{"image": "registry.example.org/gpugrade:1",
 *                               "volumeMounts": [{"name": "home", "mountPath": "/home"}]}],
 *               "volumes": [{"name": "home", "persistentVolumeClaim": {"claimName": "home"}}]}}
 *
 * gpugrade adds how the Pod restarts, and the command of the first container. If the file lacks
 * them it adds how long a Pod may take to end, and the name and the resources of that container.
 * The class, its results and gpugrade have the same paths in the Pod as here.
 */
#ifndef GPUGRADE_CLI_K8S_MANIFEST_H
#define GPUGRADE_CLI_K8S_MANIFEST_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/text.h"

#include <stddef.h>

/* Reads the file, at most 64 KiB, and returns its text in the arena. Only what gpugrade needs of it
 * is checked: "spec", and in it a container with an image. Errors, all of them usage: ERROR_SYNTAX,
 * ERROR_RANGE, and those of file_read. */
enum error k8s_pod_read(struct arena *arena, const char *path, const char **out_pod,
                        struct diagnostic *diagnostic);

struct k8s_job {
    const char *pod;     /* of k8s_pod_read */
    const char *folder;  /* of the chunks, absolute; the name of the Job follows from it, so that a
                            cluster takes it only once */
    size_t chunks, jobs; /* Pods in all; submissions that each grades at once */
    const char *memory;  /* of a Pod, such as 8G; NULL: what the cluster gives */
    bool needs_gpu;
    const char *root, *program; /* of gpugrade, absolute */
};

/* Appends the Job. */
void k8s_manifest(const struct k8s_job *job, struct text *out);

#endif
