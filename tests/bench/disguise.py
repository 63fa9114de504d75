"""Makes a program look like another student's: names, comments and layout change, meaning does not.

    disguise(texts, protected, seed) -> texts      {file name: source} of one submission

An identifier is renamed, the same way in all files, if it is declared somewhere with a built-in
type in front and is not

    - a member (it stands behind "." or "->" somewhere),
    - protected: what the coursework names, and whatever headers and the harness use.

Comments are taken out and others put in. Lines are broken behind ";", "{" and "}" and indented
anew. Preprocessor lines and literals stay as they are, but for names.
"""

import random
import re

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<directive>^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
      | (?P<literal>R"\((?:.|\n)*?\)"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')
      | (?P<number>\.?[0-9](?:[eEpP][+-]|[0-9A-Za-z_.'])*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<mark><<<|>>>|<<=|>>=|->\*|\.\.\.|::|->|\+\+|--|<<|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\S)
      | (?P<blank>\s+)""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
TYPES = {
    "int", "float", "double", "bool", "char", "unsigned", "long", "short", "size_t", "auto", "dim3",
    "float2", "float4", "int2", "uint32_t", "int64_t", "uint64_t", "half", "cudaError_t",
}
BETWEEN = {"const", "*", "&", "__restrict__", "volatile"} | TYPES
SYLLABLES = ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "xa", "zi", "por", "tal", "gen"]
REMARKS = ["see the lecture notes", "this part took me a while", "row-major", "checked by hand",
           "one thread, one element", "step by step", "as in the second tutorial", "index first"]


def tokens(source):
    """Lists (kind, text) without blanks and comments; a blank in front is kept as a third item."""
    found = []
    blank = False
    for match in TOKEN.finditer(source):
        kind = match.lastgroup
        if kind in ("blank", "comment"):
            blank = True
            continue
        found.append((kind, match.group(), blank))
        blank = False
    return found


def declared(found):
    """The names that are declared with a type in front."""
    names = set()
    for i, (kind, text, _) in enumerate(found):
        if kind != "word" or text in BETWEEN:
            continue
        j = i - 1
        while j >= 0 and found[j][1] in BETWEEN:
            if found[j][1] in TYPES:
                names.add(text)
                break
            j -= 1
    return names


def members(found):
    """The names that stand behind a dot or an arrow, and those that name a type or a namespace."""
    names = set()
    for i, (kind, text, _) in enumerate(found):
        before = found[i - 1][1] if i else ""
        after = found[i + 1][1] if i + 1 < len(found) else ""
        if kind == "word" and (before in (".", "->", "::", "struct") or after == "::"):
            names.add(text)
    return names


def new_names(names, taken, rng):
    """A name of its own for each, none of those that are taken."""
    chosen = {}
    for name in sorted(names):
        while True:
            other = "".join(rng.choices(SYLLABLES, k=3))
            if rng.random() < 0.3:
                other += "_" + rng.choice(SYLLABLES)
            if other not in taken:
                break
        taken.add(other)
        chosen[name] = other
    return chosen


def rename_words(text, chosen):
    """In a directive: all words but those in literals."""
    parts = re.split(r'("(?:[^"\\]|\\.)*")', text)
    return "".join(
        part if part.startswith('"') else
        re.sub(r"[A-Za-z_]\w*", lambda match: chosen.get(match.group(), match.group()), part)
        for part in parts
    )


def renamed_token(kind, text, chosen):
    if kind == "word":
        return chosen.get(text, text)
    names_files = text.lstrip().startswith(("#include", "#pragma"))
    return rename_words(text, chosen) if kind == "directive" and not names_files else text


class Layout:
    """How one student writes."""

    def __init__(self, rng):
        self.rng = rng
        self.step = rng.choice(["  ", "    ", "\t", "   "])
        self.wide = rng.random() < 0.4
        self.brace_below = rng.random() < 0.5
        self.remarks = rng.choice([0.0, 0.05, 0.15])

    def remark(self, indent):
        text = self.rng.choice(REMARKS)
        return indent + (f"// {text}\n" if self.rng.random() < 0.6 else f"/* {text} */\n")

    def joined(self, before, text, blank):
        """What stands between two tokens of one line."""
        if before is None:
            return ""
        if self.wide:
            return " "
        tight = before in ("(", "[", "{", "!") or text in (")", "]", ";", ",")
        return "" if tight and not blank else " " if blank else ""

    def lay_out(self, found):
        lines = []
        line, before, depth, nesting = "", None, 0, 0

        def finish():
            nonlocal line, before
            if line:
                indent = self.step * nesting
                if self.rng.random() < self.remarks:
                    lines.append(self.remark(indent))
                lines.append(indent + line + "\n")
                if self.rng.random() < 0.05:
                    lines.append("\n")
            line, before = "", None

        for kind, text, blank in found:
            if kind == "directive":
                finish()
                lines.append(text.strip() + "\n")
                continue
            if text == "}" and depth == 0:
                finish()
                nesting = max(nesting - 1, 0)
            if text == "{" and depth == 0 and self.brace_below:
                finish()
            line += self.joined(before, text, blank) + text
            before = text
            depth += (text in "([") - (text in ")]") if len(text) == 1 else 0
            if depth == 0 and text in (";", "{", "}"):
                finish()
                nesting += text == "{"
        finish()
        return "".join(lines)


def disguise(texts, protected, seed):
    rng = random.Random(seed)
    found = {name: tokens(text) for name, text in sorted(texts.items())}
    everything = [token for part in found.values() for token in part]
    taken = {text for _, text, _ in everything} | set(protected)
    for kind, text, _ in everything:
        if kind == "directive":
            taken |= set(re.findall(r"[A-Za-z_]\w*", text))
    names = declared(everything) - members(everything) - set(protected) - {"operator", "main"}
    chosen = new_names(names, taken, rng)
    layout = Layout(rng)
    result = {}
    for name, part in found.items():
        renamed = [(kind, renamed_token(kind, text, chosen), blank) for kind, text, blank in part]
        result[name] = layout.lay_out(renamed)
    return result
