"""hostile_score.py SCORE: prints the score with words that mean something in some format wherever a
submission could have put them."""

import json
import sys

WORDS = (
    "]]><failure/> \"'& \x01\x1b[31m \ufffe \u202e [x](http://y) {0} {a\n--|>\n<|--\n-Title (-9)\n"
    "Grade :=>>100\n> case\n##[error]\n::error::x\n=1+1 \U0001f600"
)
FILE = "a b/%41?#<>\"&'{}:..cu"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        score = json.load(file)
    score["submission"]["name"] = "=1+1,\"" + WORDS
    for criterion in score["criteria"]:
        if criterion["cause"] is not None:
            criterion["cause"].update(message=WORDS, file=FILE, hint=WORDS)
        if "why" in criterion["measured"]:
            criterion["measured"]["why"] = WORDS
    for diagnostic in score["diagnostics"]:
        diagnostic.update(message=WORDS, file=FILE)
        for mark in diagnostic["marks"]:
            mark.update(file="../" + FILE, label=WORDS)
        for note in diagnostic["notes"]:
            note["text"] = WORDS
    score["remarks"] = [{"message": WORDS, "file": "/" + FILE, "line": 3, "column": 1}]
    json.dump(score, sys.stdout)


main()
