"""circles.py TREE BUILD: circles of calls between the files of TREE/grader, by objects of BUILD.

Prints a line for each, the files by name; what goes from one to another stands below it, indented.
Its last line tells how many files there are and how many have no object. Objects of files that are
gone do not count; several objects of one file are one.
"""
import collections
import os
import subprocess
import sys

tree, build = sys.argv[1:3]
objects = []  # (file, folder of the objects that are linked together, path)
for folder, _, names in os.walk(os.path.join(build, "grader")):
    for name in names:
        path = os.path.join(folder, name)
        part, _, inside = os.path.relpath(path, build).partition("/CMakeFiles/")
        target, _, source = inside.partition("/")
        file = os.path.normpath(os.path.join(part, source.replace("__/", "../"))[:-2])
        is_there = any(os.path.exists(os.path.join(at, file)) for at in (tree, build))
        if name.endswith(".c.o") and is_there:
            objects.append((file, target, path))

definers = collections.defaultdict(list)  # of a symbol: (file, target)
wanted = collections.defaultdict(set)  # of a file: (symbol, target)
named = {path: (file, target) for file, target, path in objects}
command = ["nm", "-A", "-g", *named] if named else ["true"]
table = subprocess.run(command, check=True, capture_output=True, text=True).stdout
for line in table.splitlines():
    path, _, symbol = line.partition(".c.o:")
    file, target = named[path + ".c.o"]
    words = symbol.split()
    if words[-2] == "U":
        wanted[file].add((words[-1], target))
    else:
        definers[words[-1]].append((file, target))

calls = {file: collections.defaultdict(set) for file, _, _ in objects}
for file in wanted:
    for symbol, target in wanted[file]:
        own = [one for one, at in definers[symbol] if at == target]
        for other in own or [one for one, _ in definers[symbol]]:  # each program has a main
            if other != file:
                calls[file][other].add(symbol)


def reached(start):
    seen, left = set(), [start]
    while left:
        for other in calls[left.pop()]:
            if other not in seen:
                seen.add(other)
                left.append(other)
    return seen


reach = {file: reached(file) for file in calls}
circles = {tuple(sorted(o for o in reach[f] if f in reach[o])) for f in calls if f in reach[f]}
for circle in sorted(circles):
    print(*(file.removeprefix("grader/") for file in circle))
    for file in circle:
        for other in sorted(set(circle) & set(calls[file])):
            arrow = f"{file} -> {other}:".replace("grader/", "")
            print("   ", arrow, *sorted(calls[file][other]))
sources = [
    os.path.relpath(os.path.join(folder, name), tree)
    for folder, _, names in os.walk(os.path.join(tree, "grader"))
    for name in names
    if name.endswith(".c")
]
print("files", len(sources), len([file for file in sources if file not in calls]))
