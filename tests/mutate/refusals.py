"""Finds the conditions under which C++ sources refuse, and makes each of these refusals optional.

    if (CONDITION) return MICRORT_ERROR(...);           if (CONDITION) return Status();      return CONDITION ? Status()
    if (CONDITION) c.Fail(MICRORT_ERROR(...));          return MICRORT_ERROR(...);                  : MICRORT_ERROR(...);
    else return MICRORT_ERROR(...);

Importers write Invalid(...) and Unsupported(...). A function of the same file that does nothing but return an error, Broken("..."), refuses as well.
"""

import re
from dataclasses import dataclass

MAKES = r"(?:MICRORT_ERROR|Invalid|Unsupported)\("
ERROR = re.compile(rf"\breturn\s+(?:[\w.>-]+\.)?(?:Fail\(\s*)?{MAKES}|\b(?:[\w>-]+\.)?Fail\(\s*{MAKES}")
HELPER = re.compile(rf"\bStatus (\w+)\([^(){{}}]*\) \{{\s*return {MAKES}")
TERNARY = re.compile(rf"\breturn\s+([^;{{}}]*?)\s*\?\s*Status\(\)\s*:\s*(?={MAKES})")
ACCEPTS = re.compile(r"\)\s*(?:\{\s*)?(return\b[^;{}]*|continue);\s*(?:\}\s*)?$")
DECLARATION = re.compile(r"^[\w:<>*&\s]+[\s*&]\w+\s*=[^=]")


@dataclass
class Mutant:
    file: str
    line: int
    begin: int  # of what is replaced, in the text
    end: int
    condition: str  # what it is called
    pattern: str  # of the replacement, with {id} and {text}


REFUSES = "::micrort::mutate::Refuses({id}, static_cast<bool>({text}))"
ACCEPTED = "::micrort::mutate::Accepts({id}, static_cast<bool>({text}))"
ELSE = "else if (::micrort::mutate::Refuses({id}, true))"


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


def condition_of(code, closing):
    """Begin and end of the condition of the `if` whose parenthesis closes there; None if it is no such thing."""
    begin = opening(code, closing)
    if begin < 0 or not re.search(r"\bif\s*$", code[:begin]):
        return None
    begin = behind_initializer(code, begin + 1, closing)
    return None if DECLARATION.match(code[begin:closing].strip()) else (begin, closing)


def place_of(code, start, errors):
    """(begin, end, pattern) of what decides whether the statement at `start` refuses; None if nothing does."""
    before = code[:start].rstrip()
    in_block = before.endswith("{")
    if in_block:
        before = before[:-1].rstrip()
    if before.endswith(")"):
        place = condition_of(code, len(before) - 1)
        return place and (*place, REFUSES)
    if re.search(r"\belse$", before):
        return len(before) - 4, len(before), ELSE
    accepted = None if in_block else ACCEPTS.search(before)
    if accepted and not errors.search(accepted.group(1)):
        place = condition_of(code, accepted.start())
        return place and (*place, ACCEPTED)
    return None


def find(file, text):
    """The refusals of a file that a condition decides. Those at the end of a function, or of a switch, are not among them."""
    code = blank_literals_and_comments(text)
    helpers = HELPER.findall(code)
    errors = re.compile("|".join([ERROR.pattern, *(rf"\breturn {name}\(" for name in helpers)]))
    places = [(match.start(), place_of(code, match.start(), errors)) for match in errors.finditer(code)]
    places += [(match.start(), (*match.span(1), ACCEPTED)) for match in TERNARY.finditer(code)]
    for start, place in sorted(places, key=lambda item: item[0]):
        if place:
            begin, end, pattern = place
            yield Mutant(file, code.count("\n", 0, start) + 1, begin, end, " ".join(text[begin:end].split()), pattern)


def make_optional(text, mutants, first_id):
    """The text in which mutant i is on only if its number, first_id + i, is chosen."""
    numbered = sorted(enumerate(mutants), key=lambda item: item[1].begin, reverse=True)
    for i, mutant in numbered:
        old = text[mutant.begin : mutant.end]
        new = mutant.pattern.replace("{id}", str(first_id + i)).replace("{text}", old)
        text = text[: mutant.begin] + new + text[mutant.end :]
    return text
