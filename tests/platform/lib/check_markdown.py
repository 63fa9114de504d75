"""Converts a score with hostile words in every place where a student may have one, renders it as
GitHub does, and compares the elements of the page with those of a harmless score.

    check_markdown.py GPUGRADE SCORE FORMAT

Only <code> may come and go. Prints what differs; exits 1 if anything does.
"""
import copy
import html.parser
import json
import os
import subprocess
import sys
import tempfile

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</code></summary></details><h1>forged</h1>",
    "</summary>\n\n# forged\n\n| passed | forged | 100 of 100 | |\n",
    "x | 100 of 100 | |",
    "| a | b |\n|---|---|\n| c | d |",
    "[click](http://evil.example/) ![i](http://evil.example/i.png)",
    "http://evil.example/ www.evil.example mail@evil.example ftp://evil.example",
    "HTTP://EVIL.EXAMPLE WWW.evil.example",
    "<http://evil.example> <a href='http://evil.example'>x</a>",
    "@everyone #1 GH-1 org/repo#1",
    "**bold** _em_ ~~del~~ `code` ``a`",
    "`",
    "``` ",
    "```\n<b>x</b>\n```",
    "~~~\nx\n~~~",
    "1. list",
    "- [ ] task",
    "+ list",
    "> quote",
    "# heading",
    "===",
    "---",
    "    code",
    "[ref]: http://evil.example",
    "[^1] [^1]: note",
    "&lt;script&gt; &#60;b&#62;",
    "\\`x\\` \\\\ \\[a\\](b)",
    "`a`\\`<b>`",
    "a\\",
    "$x$ $$x$$",
    "<!-- comment",
    "--> x",
    "<details><summary>",
    "<![CDATA[",
    "<?php",
    "x`y`<b>`z`",
    "`<b>` <b> `</b>`",
    "a``b`c```d<i>",
    "\u202eabc \u2028<b>",
]


class Elements(html.parser.HTMLParser):
    """The tags of a page in their order, with their attributes, without <code>."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag != "code" or attrs:
            self.found.append((tag, attrs))

    def handle_endtag(self, tag):
        if tag != "code":
            self.found.append("/" + tag)

    def handle_comment(self, data):
        self.found.append("comment")

    def handle_decl(self, decl):
        self.found.append("declaration")

    def unknown_decl(self, data):
        self.found.append("declaration")

    def handle_pi(self, data):
        self.found.append("instruction")


def with_words(score, words):
    changed = copy.deepcopy(score)
    changed["submission"]["name"] = words
    for diagnostic in changed["diagnostics"]:
        diagnostic.update(message=words, file=words)
        for mark in diagnostic["marks"]:
            mark.update(file=words, label=words)
        for note in diagnostic["notes"]:
            note["text"] = words
    changed["remarks"] = [
        {"message": words, "file": "", "line": 0, "column": 0},
        {"message": words, "file": words, "line": 1, "column": 1},
    ]
    return changed


def elements_of(gpugrade, score, name):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(score, file)
        file.flush()
        markdown = subprocess.run(
            [gpugrade, "convert", file.name, "--to", name], check=True, stdout=subprocess.PIPE
        ).stdout
    extensions = ["table", "autolink", "strikethrough", "tasklist"]
    options = [word for extension in extensions for word in ("-e", extension)]
    page = subprocess.run(
        ["cmark-gfm", "--unsafe", *options], check=True, input=markdown, stdout=subprocess.PIPE
    ).stdout.decode()
    commands = [line for line in markdown.decode().splitlines() if line.lstrip()[:2] == "::"]
    return Elements(page).found + commands


def main():
    gpugrade, path, name = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        score = json.load(file)
    harmless = elements_of(gpugrade, with_words(score, "word"), name)
    assert ("table", []) in harmless and "comment" not in harmless
    failed = 0
    for words in HOSTILE:
        if elements_of(gpugrade, with_words(score, words), name) != harmless:
            print(f"other elements with {words!a}")
            failed = 1
    return failed


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C.UTF-8"
    sys.exit(main())
