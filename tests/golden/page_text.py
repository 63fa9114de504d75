#!/usr/bin/env python3
"""page_text.py [PAGE]: what a page of `check --html` says to who reads it, as lines of text.

A heading has a # for each level, a row of a table its cells between bars, a definition its term and a
colon, a place that is marked in a source ^ and $ around it. A drawing says its title and description.
What the machine decides is left out, and source lines that nothing is said about, and explanations,
which other tests look at.
"""
import sys
from html.parser import HTMLParser

INLINE = {"a", "abbr", "b", "br", "code", "dfn", "em", "i", "kbd", "mark", "small", "span", "strong"}
UNSEEN = {"style", "script", "defs", "pattern", "clippath"}
EMPTY = {"meta", "link", "br", "hr", "img", "input", "rect", "path", "circle", "line", "col"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.lines = []
        self.line = ""
        self.open = []      # tags, with what leaves them out

    def end_line(self):
        words = " ".join(self.line.split())
        if words:
            self.lines.append(words)
        self.line = ""

    def left_out(self):
        return any(out for _, out in self.open)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        classes = (attributes.get("class") or "").split()
        out = (tag in UNSEEN or "explanation" in classes or "machine" in classes
               or (tag == "li" and "value" in attributes and "marked" not in classes))
        if tag not in EMPTY:
            self.open.append((tag, out))
        if out or self.left_out():
            return
        if tag == "mark":
            self.line += "^"
        elif tag in ("td", "th"):
            self.line += " | " if self.line.strip() else ""
        elif tag == "dd":
            self.line += ": "
        elif tag == "span" and "label" in classes:
            self.line += " <-- "
        elif self.in_row(tag):
            self.line += " "
        elif tag not in INLINE:
            self.end_line()
            if tag in ("h1", "h2", "h3", "h4"):
                self.line = "#" * int(tag[1]) + " "
            elif tag == "li":
                self.line = "- " if "value" not in attributes else f"{attributes['value']}: "
        if attributes.get("title"):
            self.line += f"({attributes['title']}) "

    def in_row(self, tag):
        """Whether what tag begins stays in the line of its row."""
        return tag not in ("tr", "table") and any(name in ("tr", "dd") for name, _ in self.open)

    def handle_endtag(self, tag):
        if tag not in [name for name, _ in self.open]:
            return
        out = self.left_out()
        while self.open.pop()[0] != tag:
            pass
        if out:
            return
        if tag == "mark":
            self.line += "$"
        elif tag in ("title", "desc"):
            self.line += "; "
        elif tag not in INLINE and tag not in ("td", "th", "dt") and not self.in_row(tag):
            self.end_line()

    def handle_data(self, data):
        if not self.left_out():
            self.line += data.replace("\n", " ")


page = Page()
with (open(sys.argv[1], encoding="utf-8") if len(sys.argv) > 1 else sys.stdin) as source:
    page.feed(source.read())
page.end_line()
print("\n".join(page.lines))
