"""check_junit.py FILE...: holds JUnit results to the rules of junit-10.xsd of Jenkins' xUnit
plugin, written down here, and to what the counts must add up to. Prints every mistake; status 0 if
there is none."""

import re
import sys
import xml.etree.ElementTree

# Element: required attributes, optional ones, children, whether text may stand in it.
RULES = {
    "testsuites": ([], ["name", "time", "tests", "failures", "errors"], ["testsuite"], False),
    "testsuite": (
        ["name", "tests", "failures", "errors"],
        ["group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log",
         "url"],
        ["testsuite", "properties", "testcase", "system-out", "system-err"],
        False,
    ),
    "testcase": (
        ["name"],
        ["time", "classname", "group"],
        ["skipped", "error", "failure", "rerunFailure", "rerunError", "flakyFailure", "flakyError",
         "system-out", "system-err"],
        False,
    ),
    "properties": ([], [], ["property"], False),
    "property": (["name", "value"], [], [], False),
    "failure": ([], ["type", "message"], [], True),
    "error": ([], ["type", "message"], [], True),
    "skipped": ([], ["type", "message"], [], True),
    "system-out": ([], [], [], True),
    "system-err": ([], [], [], True),
}
SUREFIRE_TIME = re.compile(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?")
OUTCOMES = ["failure", "error", "skipped"]


def mistakes_of_element(element):
    required, optional, children, has_text = RULES[element.tag]
    for name in required:
        if name not in element.attrib:
            yield f"<{element.tag}> without {name}"
    for name in element.attrib:
        if name not in required + optional:
            yield f"<{element.tag}> with {name}"
    time = element.get("time")
    if time is not None and element.tag != "testcase" and not SUREFIRE_TIME.fullmatch(time):
        yield f"<{element.tag}> with the time {time!r}"
    texts = [element.text or ""] + [child.tail or "" for child in element]
    if not has_text and "".join(texts).strip():
        yield f"text in <{element.tag}>"
    for child in element:
        if child.tag not in children:
            yield f"<{child.tag}> in <{element.tag}>"
        else:
            yield from mistakes_of_element(child)


def mistakes_of_counts(suite):
    cases = suite.findall("testcase")
    counts = {"tests": len(cases)}
    for outcome in OUTCOMES:
        counts[{"skipped": "skipped"}.get(outcome, outcome + "s")] = len(
            [case for case in cases if case.find(outcome) is not None]
        )
    for name, count in counts.items():
        if suite.get(name) != str(count):
            yield f"{name} is {suite.get(name)}, there are {count}"
    names = [(case.get("classname"), case.get("name")) for case in cases]
    if len(names) != len(set(names)):
        yield "two cases have one name"
    for case in cases:
        if sum(case.find(outcome) is not None for outcome in OUTCOMES) > 1:
            yield f"{case.get('name')} has two outcomes"
        if case.find("properties") is not None or not case.get("classname"):
            yield f"{case.get('name')}: properties, or no class"


def main():
    found = 0
    for path in sys.argv[1:]:
        root = xml.etree.ElementTree.parse(path).getroot()
        mistakes = list(mistakes_of_element(root)) if root.tag in RULES else [f"<{root.tag}>"]
        suites = root.findall("testsuite")
        mistakes += [] if len(suites) == 1 else ["not one suite"]
        for suite in suites:
            mistakes += mistakes_of_counts(suite)
        for mistake in mistakes:
            print(f"{path}: {mistake}")
            found += 1
    sys.exit(found > 0)


main()
