#!/usr/bin/env python3
"""make_exports.py SUBMISSIONS FOLDER: the same class as each platform exports it.

SUBMISSIONS holds a folder or a file for each student. FOLDER gets a folder for each of `folders`,
`moodle`, `canvas`, `gradescope` and `github`, and beside each a roster as that platform has it. People
have names of many scripts. Every other one is late, by hours or days; when, the rosters say, and
Gradescope's metadata. What is due is 2026-11-20 12:00 UTC.

Also FOLDER/people.csv: the e-mail address of each submission, by which the tables can be compared.
"""

import csv
import datetime
import pathlib
import subprocess
import sys

NAMES = ("Zoë Ångström", "José Núñez", "李 雷", "Ольга Иванова", "Мария-Елена О'Нил", "Αθηνά Παππά",
         "Nguyễn Văn An", "עדה לוי", "محمد علي", "Şule Çelik", "Jörg Müller", "김 철수", "Łukasz Żak",
         "अनिल कुमार", "Renée d'Arc", "Siân Ó Briain")
DUE = datetime.datetime(2026, 11, 20, 12, tzinfo=datetime.timezone.utc)


class Person:
    def __init__(self, number, source):
        given = NAMES[number % len(NAMES)]
        self.source = source
        self.id = f"{1001 + number}"
        self.name = given if number < len(NAMES) else f"{given} {number // len(NAMES) + 1}"
        self.email = f"s{self.id}@example.org"
        self.login = f"login{self.id}"
        self.is_late = number % 2 == 1
        hours = number * 11 % 60 + 1 if self.is_late else -1 - number % 9
        self.submitted = DUE + datetime.timedelta(hours=hours)


def put(source, target):
    subprocess.run(["cp", "-a", source, target], check=True)


def packed(person, target):
    """One file of what a student has: platforms store files, not folders."""
    inside = list(person.source.iterdir()) if person.source.is_dir() else [person.source]
    if len(inside) == 1 and inside[0].is_file() and ".cu" not in inside[0].name:
        put(inside[0], f"{target}lab{''.join(inside[0].suffixes[-2:])}") # it is packed already
    else:
        subprocess.run(["tar", "-C", person.source, "-czf", f"{target}lab.tar.gz", "."], check=True)


def write_roster(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])


def folders(people, folder):
    for person in people:
        put(person.source, folder)
    write_roster(f"{folder}.csv", ["id", "name", "email", "folder", "submitted"],
                 [[p.source.name.split(".")[0], p.name, p.email, p.source.name, p.submitted] for p in people])


def moodle(people, folder):
    """The grading worksheet has no ids of students, and Moodle's own times, in the zone of the site."""
    for person in people:
        one = folder / f"{person.name}_{int(person.id) + 70000}_assignsubmission_file"
        one.mkdir()
        packed(person, f"{one}/")
    write_roster(f"{folder}.csv",
                 ["Identifier", "Full name", "Email address", "Last modified (submission)"],
                 [[f"Participant {int(p.id) + 70000}", p.name, p.email,
                   p.submitted.strftime("%A, %d %B %Y, %I:%M %p")] for p in people])


def canvas(people, folder):
    for number, person in enumerate(people):
        late = "LATE_" if person.is_late else ""
        packed(person, f"{folder}/{person.login}_{late}{int(person.id) + 5000}_{90000 + number}_")
    write_roster(f"{folder}.csv",
                 ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Email", "Submitted"],
                 [[p.name, int(p.id) + 5000, p.id, p.login, "Lab 1", p.email,
                   p.submitted.strftime("%b %d, %Y %I:%M%p")] for p in people])


def gradescope(people, folder):
    lines = ["---"]
    for number, person in enumerate(people):
        one = folder / f"submission_{4000 + number}"
        one.mkdir()
        packed(person, f"{one}/")
        lines += [f"submission_{4000 + number}:", "  :submitters:", f'  - :name: "{person.name}"',
                  f"    :sid: '{person.id}'", f"    :email: {person.email}",
                  f"  :created_at: {person.submitted.strftime('%Y-%m-%d %H:%M:%S')}.000000000 Z"]
    (folder / "submission_metadata.yml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    write_roster(f"{folder}.csv", ["SID", "Name", "Email"],
                 [[p.id, p.name, p.email] for p in people])


def github(people, folder):
    for person in people:
        one = folder / f"lab-6-{person.login}"
        (one / ".git").mkdir(parents=True)
        packed(person, f"{one}/")
    write_roster(f"{folder}.csv",
                 ["roster_identifier", "github_username", "name", "email", "submitted_at"],
                 [[p.id, p.login, p.name, p.email, p.submitted] for p in people])


def main():
    submissions, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    people = [Person(number, path) for number, path in enumerate(sorted(submissions.iterdir()))]
    for shape in (folders, moodle, canvas, gradescope, github):
        folder = target / shape.__name__
        folder.mkdir(parents=True)
        shape(people, folder)
    write_roster(target / "people.csv", ["submission", "email"],
                 [[p.source.name, p.email] for p in people])


main()
