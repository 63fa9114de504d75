#!/usr/bin/env python3
"""k8s_job.py [--run INDEX] JOB: a Job that `gpugrade batch --k8s` wrote.

Prints what of it is not as the reference of the API says: fields of batch/v1 Job and core/v1 Pod
that gpugrade or the Pod template of slurm.sh uses, with their types, and the rules that tie them.
Status 1 if there is anything. With --run it runs the command of the first container instead, with
the variable that an indexed Job gives to its Pod INDEX, and with no other of this environment but
PATH, HOME, TMPDIR, CUDA_HOME and those of gpugrade.
"""
import json
import os
import re
import sys

QUANTITY = re.compile(r"[0-9]+(\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi|T|Ti)?")
QUANTITIES = {"*": (int, str)}
CONTAINER = {
    "name": str, "image": str, "command": [str],
    "volumeMounts": [{"name": str, "mountPath": str}],
    "resources": {"requests": QUANTITIES, "limits": QUANTITIES},
}
POD = {
    "metadata": {"labels": {"*": str}},
    "spec": {"containers": [CONTAINER], "restartPolicy": str, "terminationGracePeriodSeconds": int,
             "volumes": [{"name": str, "persistentVolumeClaim": {"claimName": str}}]},
}
JOB = {
    "apiVersion": str, "kind": str, "metadata": {"name": str},
    "spec": {"completionMode": str, "completions": int, "parallelism": int,
             "backoffLimitPerIndex": int, "template": POD,
             "podFailurePolicy": {"rules": [{"action": str,
                                             "onPodConditions": [{"type": str, "status": str}]}]}},
}


def problems(value, shape, path="Job"):
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            yield f"{path}: no object"
            return
        for key, member in value.items():
            known = shape.get(key, shape.get("*"))
            if known is None:
                yield f"{path}.{key}: no field of the API that is known here"
            else:
                yield from problems(member, known, f"{path}.{key}")
    elif isinstance(shape, list):
        if not isinstance(value, list) or not value:
            yield f"{path}: no list, or an empty one"
        else:
            for number, member in enumerate(value):
                yield from problems(member, shape[0], f"{path}[{number}]")
    elif not isinstance(value, shape) or isinstance(value, bool):
        yield f"{path}: {value!r} has another type"


def rules(job):
    spec, pod = job["spec"], job["spec"]["template"]["spec"]
    container = pod["containers"][0]
    if (job["apiVersion"], job["kind"]) != ("batch/v1", "Job"):
        yield "neither kind nor version of a Job"
    if not re.fullmatch(r"[a-z0-9]([-a-z0-9]{0,50}[a-z0-9])?", job["metadata"]["name"]):
        yield "its name with an index behind it is no host name"
    if spec["completionMode"] != "Indexed" or spec["completions"] < 1:
        yield "backoffLimitPerIndex and the variable of the index need an indexed Job"
    if pod["restartPolicy"] != "Never":
        yield "podFailurePolicy and backoffLimitPerIndex need Pods that never restart"
    mounts = {mount["name"] for mount in container["volumeMounts"]}
    if not mounts <= {volume["name"] for volume in pod["volumes"]}:
        yield "a mount of no volume"
    for part in container["resources"].values():
        for name, amount in part.items():
            if not QUANTITY.fullmatch(str(amount)):
                yield f"{name}: {amount} is no quantity"
    # Of what cannot be shared, only whole ones, and as a limit.
    if "nvidia.com/gpu" in container["resources"].get("requests", {}):
        yield "a GPU belongs to the limits"


def main():
    with open(sys.argv[-1], "rb") as file:
        text = file.read()
    job = json.loads(text)
    if sys.argv[1] == "--run":
        kept = {name: value for name, value in os.environ.items()
                if name in ("PATH", "HOME", "TMPDIR", "CUDA_HOME") or name.startswith("GPUGRADE")}
        command = job["spec"]["template"]["spec"]["containers"][0]["command"]
        os.execvpe(command[0], command, kept | {"JOB_COMPLETION_INDEX": sys.argv[2]})
    found = list(problems(job, JOB)) or list(rules(job))
    try:
        import yaml
        if yaml.safe_load(text) != job:
            found.append("as YAML it says something else")
    except ImportError:
        print("not read as YAML: there is no module yaml", file=sys.stderr)
    print("\n".join(found))
    return 1 if found else 0


sys.exit(main())
