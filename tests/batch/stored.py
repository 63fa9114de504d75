#!/usr/bin/env python3
"""stored.py table|marks|runs RESULTS: what a batch has stored, read without the grader.

table: a line for each submission: name, state, and what each criterion gave, sorted. Nothing in it
    depends on time, order or chance: two batches of one class and one seed have the same table.
marks: a line for each submission: name, state, points.
runs: a line for each graded submission: name, when and for how long its run was graded.

It fails if the store is damaged, or holds half of anything. A batch that was killed before its store
had tables has stored nothing, which is no damage. What is read is a copy: looking at a store plays back
the journal that a killed batch left, which is for the grader to do.
"""

import pathlib
import shutil
import sqlite3
import sys
import tempfile


def query(store, text, *values):
    return store.execute(text, values).fetchall()


def has_tables(store):
    return query(store, "SELECT count(*) FROM sqlite_schema") != [(0,)]


def check(store):
    for question, answer in (("PRAGMA integrity_check", [("ok",)]), ("PRAGMA foreign_key_check", [])):
        got = query(store, question)
        if got != answer:
            sys.exit(f"{question}: {got}")
    halves = query(
        store,
        "SELECT id FROM runs WHERE id NOT IN (SELECT run FROM archives)"
        " OR (SELECT count(*) FROM criteria WHERE run = runs.id)"
        " != (SELECT max(n) FROM (SELECT count(*) AS n FROM criteria GROUP BY run))",
    )
    if halves:
        sys.exit(f"half runs: {halves}")


def table(store):
    for name, state, run, content in query(
        store, "SELECT submission, state, run, content FROM submissions ORDER BY submission"
    ):
        marks = query(
            store,
            "SELECT criterion, status, points, code FROM criteria WHERE run = ? ORDER BY criterion",
            run,
        )
        print(name, state, content[:8], *(f"{c}={s}:{p:g}:{code}" for c, s, p, code in marks))


def marks(store):
    for row in query(
        store,
        "SELECT submission, state, (SELECT total(points) FROM criteria WHERE run = submissions.run)"
        " FROM submissions WHERE NOT is_gone ORDER BY submission",
    ):
        print(row[0], row[1], f"{row[2]:g}")


def runs(store):
    for row in query(
        store,
        "SELECT submission, started, runs.seconds FROM submissions JOIN runs ON runs.id = run"
        " ORDER BY submission",
    ):
        print(*row)


def main():
    shows = {"table": table, "marks": marks, "runs": runs}
    if len(sys.argv) != 3 or sys.argv[1] not in shows:
        sys.exit(__doc__)
    results = pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(results / "gpugrade.sqlite", folder)
        for journal in ("-journal", "-wal"):
            if (results / f"gpugrade.sqlite{journal}").exists():
                shutil.copy(results / f"gpugrade.sqlite{journal}", folder)
        store = sqlite3.connect(copy)
        if has_tables(store):
            check(store)
            shows[sys.argv[1]](store)
        store.close()


main()
