"""Finds the conditions under which C++ sources refuse, `if (CONDITION) return MICRORT_ERROR(...)`, and makes each one optional."""

import re
from dataclasses import dataclass

REFUSAL = re.compile(r"\breturn MICRORT_ERROR\(")


@dataclass
class Refusal:
    file: str
    line: int  # of the return
    begin: int  # of the condition in the text, behind an initializer
    end: int
    condition: str


def blank_literals_and_comments(text):
    """The text with as many characters, so that every parenthesis left is one of the code."""

    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())

    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', blank, text, flags=re.S)


def opening(code, closing):
    """The parenthesis that `closing` closes; -1 if there is none."""
    depth = 0
    for at in range(closing, -1, -1):
        depth += (code[at] == ")") - (code[at] == "(")
        if depth == 0:
            return at
    return -1


def behind_initializer(code, begin, end):
    """Where the condition of `if (initializer; condition)` begins."""
    depth = 0
    for at in range(end - 1, begin - 1, -1):
        depth += (code[at] in ")}]") - (code[at] in "({[")
        if code[at] == ";" and depth == 0:
            return at + 1
    return begin


def find(file, text):
    """The refusals of a file that a condition decides. Those at the end of a function, or of a switch, are not among them."""
    code = blank_literals_and_comments(text)
    for match in REFUSAL.finditer(code):
        before = code[: match.start()].rstrip()
        if before.endswith("{"):
            before = before[:-1].rstrip()
        if not before.endswith(")"):
            continue
        end = len(before) - 1
        begin = opening(code, end)
        if begin < 0 or not re.search(r"\bif\s*$", code[:begin]):
            continue
        begin = behind_initializer(code, begin + 1, end)
        yield Refusal(file, code.count("\n", 0, match.start()) + 1, begin, end, " ".join(text[begin:end].split()))


def make_optional(text, refusals, first_id):
    """The text in which refusal i happens unless mutant first_id + i is on."""
    for i, refusal in reversed(list(enumerate(refusals))):
        condition = text[refusal.begin : refusal.end]
        text = text[: refusal.begin] + f"({condition}) && !::micrort::mutate::IsOff({first_id + i})" + text[refusal.end :]
    return text
