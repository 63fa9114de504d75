"""check_sarif.py SCHEMA LOG...: holds logs to the public JSON Schema of SARIF 2.1.0, and to what
the standard and code hosts ask for beyond it. Prints every mistake; status 0 if there is none."""

import json
import re
import sys
import urllib.parse

import jsonschema

FOLDER_OR_FILE = re.compile(r"^(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+$")


def physical_locations(run):
    for result in run["results"]:
        for location in result["locations"] + result.get("relatedLocations", []):
            yield location["physicalLocation"]


def mistakes_of_location(physical):
    uri = physical["artifactLocation"]["uri"]
    parts = urllib.parse.urlsplit(uri)
    if parts.scheme or parts.netloc or uri.startswith("/") or not FOLDER_OR_FILE.match(uri):
        yield f"no relative, encoded URI: {uri!r}"
    if ".." in uri.split("/"):
        yield f"leaves the folder: {uri!r}"
    region = physical.get("region", {})
    if "endColumn" in region and not region["endColumn"] > region["startColumn"]:
        yield f"empty region: {region}"
    if "startColumn" in region and "startLine" not in region:
        yield f"a column without a line: {region}"


def mistakes_of_message(text):
    if re.search(r"\]\(", text):
        yield f"a link that nobody meant (3.11.6): {text!r}"
    if re.search(r"[{}]", text.replace("{{", "").replace("}}", "")):
        yield f"a bare brace (3.11.5): {text!r}"


def mistakes_of_results(run):
    rules = run["tool"]["driver"]["rules"]
    prints = [json.dumps(result["partialFingerprints"]) for result in run["results"]]
    if len(prints) != len(set(prints)):
        yield "two results have one fingerprint"
    if len(rules) != len({rule["id"] for rule in rules}):
        yield "two rules have one id"
    for result in run["results"]:
        if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
            yield f"ruleIndex names another rule than {result['ruleId']}"
        if not result["locations"]:
            yield "a result without a location"
        if result["level"] not in ("error", "warning", "note"):
            yield f"level {result['level']}"
        yield from mistakes_of_message(result["message"]["text"])


def mistakes(log, validator):
    for error in validator.iter_errors(log):
        yield f"{error.json_path}: {error.message}"
    (run,) = log["runs"]
    for physical in physical_locations(run):
        yield from mistakes_of_location(physical)
    yield from mistakes_of_results(run)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    # Closed objects are what makes the schema a check at all.
    if schema["definitions"]["result"]["additionalProperties"] is not False:
        sys.exit("this is not the schema of SARIF")
    validator = jsonschema.validators.validator_for(schema)(
        schema, format_checker=jsonschema.FormatChecker()
    )
    found = 0
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            log = json.load(file)
        for mistake in mistakes(log, validator):
            print(f"{path}: {mistake}")
            found += 1
    sys.exit(found > 0)


main()
