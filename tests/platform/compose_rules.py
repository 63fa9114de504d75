"""compose_rules.py COMPOSE DOCKERFILE: what compose.yaml must hold; prints each breach.

The file is read by a YAML parser and its anchors are merged; docker is not asked.
"""

import re
import sys

import yaml


def devices(service):
    resources = service.get("deploy", {}).get("resources", {})
    return resources.get("reservations", {}).get("devices", [])


def breaches(compose, dockerfile):
    services = compose["services"]
    if set(services) != {"cpu", "gpu", "gpus"}:
        yield f"services: expected cpu, gpu, gpus, got {sorted(services)}"
    stages = re.findall(r"^FROM \S+ AS (\S+)", dockerfile, re.MULTILINE)
    for name, service in services.items():
        if service["build"]["target"] not in stages:
            yield f"{name}: the Dockerfile has no stage {service['build']['target']}"
        if service.get("privileged") or service.get("cap_drop") != ["ALL"]:
            yield f"{name}: privileges are not dropped"
        if sorted(service.get("cap_add", [])) != ["SETGID", "SETUID"]:
            yield f"{name}: the helper needs SETUID and SETGID, and nothing else"
        if any("no-new-privileges" in option for option in service.get("security_opt", [])):
            yield f"{name}: no-new-privileges takes the helper's capabilities away"
        if not service.get("read_only") or service.get("network_mode") != "none":
            yield f"{name}: the root is read-only and there is no network"
        if not any(re.match(r"/tmp:(.*,)?exec(,|$)", mount) for mount in service["tmpfs"]):
            yield f"{name}: programs must be able to run in /tmp"
        for mount in service["volumes"]:
            if isinstance(mount, dict):
                writable = not mount.get("read_only")
                if writable != (mount["target"] == "/results"):
                    yield f"{name}: of the folders only results are writable: {mount}"
            elif mount.split(":")[0] not in compose["volumes"]:
                yield f"{name}: no volume is called {mount.split(':')[0]}"
            elif mount.split(":")[1] not in dockerfile:
                yield f"{name}: the image has no folder {mount.split(':')[1]}"
        asked = devices(service)
        if (name == "cpu") != (asked == []):
            yield f"{name}: asks for {asked}"
        for device in asked:
            if device.get("driver") != "nvidia" or device.get("capabilities") != ["gpu"]:
                yield f"{name}: {device} is no GPU"
            if ("count" in device) == ("device_ids" in device):
                yield f"{name}: either a count or ids of GPUs"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        compose = yaml.safe_load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        found = list(breaches(compose, file.read()))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
