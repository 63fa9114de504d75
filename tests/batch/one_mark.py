"""one_mark.py: one mark everywhere. Compares what each report of a class says of each student: table,
gradebooks, JSON lines, the page on the class, the students' pages; and for one student what the
platforms get from a check of the same files.

    one_mark.py GPUGRADE RESULTS FOLDER [STUDENT SCORE]

FOLDER is for the reports. SCORE is the score of STUDENT, who came in time. Says what differs, and
ends with 1.
"""
import csv
import io
import json
import re
import subprocess
import sys

gpugrade, results, folder = sys.argv[1:4]
differs = []


def output(*arguments):
    return subprocess.run([gpugrade, *arguments], check=True, capture_output=True,
                          encoding="utf-8").stdout


def same(what, left, right):
    if left != right:
        differs.append(f"{what}: {left} and {right}")


def hundredths(text):
    return "" if text == "" else f"{float(text):.2f}"


def table(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


rows = table(output("report", results, "--format", "csv"))
marks = {row["student"]: hundredths(row["mark"]) for row in rows}
maximum = hundredths(rows[0]["maximum"])
assert all(hundredths(row["maximum"]) == maximum for row in rows), "one maximum for all"

lines = [json.loads(line) for line in output("report", results, "--format", "jsonl").splitlines()]
same("maximum of the JSON lines", hundredths(lines[0]["maximum"]), maximum)
for line in lines:
    if line["type"] == "student":
        mark = line.get("final", {}).get("mark", "")
        same(f"JSON line of {line['student']}", hundredths(str(mark)), marks[line["student"]])

canvas = table(output("report", results, "--format", "canvas", "--assignment", "mark"))
same("points possible in Canvas", hundredths(canvas[0]["mark"]), maximum)
names = {row["name"] or row["student"]: row["student"] for row in rows}
for row in canvas[1:]:
    if row["mark"] != "EX" and row["Student"] in names:
        same(f"Canvas of {row['Student']}", hundredths(row["mark"]), marks[names[row["Student"]]])

page = output("report", results, "--format", "html")
for name, cell in re.findall(r'<tr id="s\d+"><th scope="row">([^<]*).*?</th>'
                             r'<td class="number">([^<]*)</td>', page):
    if name in names:
        mark = cell.replace("\u2013", "")
        same(f"the page on the class, {name}", hundredths(mark), marks[names[name]])

output("report", results, "--format", "pages", "-o", folder + "/pages")
with open(folder + "/pages/pages.csv", encoding="utf-8", newline="") as file:
    pages = {row["student"]: row for row in table(file.read())}
for student, mark in marks.items():
    if student not in pages:
        same(f"a page of {student}", mark, "")
        continue
    with open(f"{folder}/pages/{pages[student]['page']}", encoding="utf-8") as file:
        page = file.read()
    same(f"the table of pages, {student}", hundredths(pages[student]["mark"]), mark)
    same(f"the table of pages, {student}, of", hundredths(pages[student]["maximum"]),
         maximum if mark else "")
    said = re.search(r"Mark: <strong>([0-9.]+)</strong> of ([0-9.]+)", page)
    if said is None:
        same(f"the page of {student} says no mark", mark, "")
        continue
    same(f"the page of {student}", hundredths(said[1]), mark)
    same(f"the page of {student}, of", hundredths(said[2]), maximum)
    top = re.search(r'<p class="points"><strong>([0-9.]+)</strong><span> of ([0-9.]+) points', page)
    if top is not None:
        same(f"the top of the page of {student}", hundredths(top[1]), mark)
        same(f"the top of the page of {student}, of", hundredths(top[2]), maximum)

if len(sys.argv) > 4:
    student, score = sys.argv[4:6]
    mark = float(marks[student])
    given = json.loads(output("convert", score, "--to", "gradescope"))
    same("Gradescope", hundredths(str(given["score"])), marks[student])
    possible = sum(test.get("max_score", 0) for test in given["tests"])
    same("Gradescope, of", hundredths(str(possible)), maximum)
    row = table(output("convert", score, "--to", "csv"))[0]
    same("convert --to csv", hundredths(row["mark"]), marks[student])
    same("convert --to csv, of", hundredths(row["maximum"]), maximum)
    share = json.loads(output("convert", score, "--to", "prairielearn"))["score"]
    same("PrairieLearn", f"{share:.4f}", f"{mark / float(maximum):.4f}")
    grade = re.search(r"Grade :=>>\s*([0-9.]+)", output("convert", score, "--to", "vpl"))
    same("VPL", f"{float(grade[1]):.1f}", f"{100 * mark / float(maximum):.1f}")

print("\n".join(differs))
sys.exit(len(differs) > 0)
