"""wording.py LIST FILE...: the sentences with words that LIST bans, as "FILE:LINE: WORD (BETTER): SENTENCE".

Read are the string literals and the macros' texts of .c and .def files, the comments of .h files
too, and everything else whole. A literal is read as the compiler joins it.
"""
import re
import sys

TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)|"(?P<text>(?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)*\''
    r"|(?P<name>[A-Za-z_]\w*)|\s+|.",
    re.S,
)


def banned(path):
    """The rows of the list: what to find, and what people say."""
    for line in open(path, encoding="utf-8"):
        if not line.startswith("#") and line.strip():
            pattern, better = line.rstrip("\n").split(" = ")
            yield re.compile(r"\b(?:" + pattern.replace(" ", r"\s+") + r")\b", re.I), better


def sentences(path, text):
    """(line, sentence) of a file. A name between two literals, PRIu64 say, does not part them."""
    if not path.endswith((".c", ".h", ".def")):
        yield from enumerate(text.split("\n"), 1)
        return
    literal, line = None, 1
    for token in TOKEN.finditer(text):
        if token["text"] is not None:
            start, joined = literal or (line, "")
            literal = (start, joined + token["text"])
        elif token["comment"] is not None:
            if path.endswith(".h"):
                yield line, re.sub(r"\s+(\*(?!/))?", " ", token["comment"])
        elif literal and not token[0].isspace() and not (token["name"] or "").startswith("PRI"):
            yield literal
            literal = None
        line += token[0].count("\n")


def main():
    rows = list(banned(sys.argv[1]))
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        for line, sentence in sentences(path, text):
            for pattern, better in rows:
                found = pattern.search(sentence)
                if found:
                    print(f"{path}:{line}: {found[0]} ({better}): {sentence.strip()[:160]}")


main()
