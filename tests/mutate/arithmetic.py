"""Finds constants, comparisons and indices of C++ sources: each becomes another one, a number that is one more, `<=` for `<`,
the element behind. Where the compiler needs the value (array sizes, template arguments, enumerators) it stays as it is, and no test
reaches it."""

import re

from refusals import Mutant, blank_literals_and_comments

NEXT = "::micrort::mutate::Next({id}, {text})"
OPERAND = r"[A-Za-z_]\w*(?:(?:\.|->)\w+|\[\w+\])*(?:\(\))?"
COMPARISON = re.compile(rf"(?:\(|; |&& |\|\| |\? |return | = )({OPERAND}|\d+) (<=|>=|<|>|==|!=) ({OPERAND}|\d+)(?=\)| &&| \|\||;| \?)")
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
NUMBER = re.compile(r"(?<![\w.'])(\d+)(?![\w.'])")
INDEX = re.compile(r"(?<=[\w\])]\[)([^\[\]{};]+)(?=\])")
# What is no expression, or may not become one.
SKIPPED_LINE = re.compile(r"^\s*(#|//|template\b|case\b|static_assert|alignas|\[\[|using\b|constexpr\b|inline constexpr\b|struct\b|class\b|enum\b)")
BEFORE_NUMBER = re.compile(r"(<|, |kernels/)$")


def line_of(code, at):
    begin = code.rfind("\n", 0, at) + 1
    return code[begin : code.find("\n", at)]


def is_expression(code, at):
    line = line_of(code, at)
    return not SKIPPED_LINE.match(line) and "<" + "typename" not in line


def find(file, text):
    code = blank_literals_and_comments(text)

    def mutant(begin, end, kind, pattern):
        return Mutant(file, code.count("\n", 0, begin) + 1, begin, end, f"{kind}: {' '.join(text[begin:end].split())}", pattern)

    for match in COMPARISON.finditer(code):
        begin, end = match.start(1), match.end(3)
        if is_expression(code, begin):
            a, operator, b = match.groups()
            yield mutant(begin, end, "comparison",
                         f"::micrort::mutate::Either({{id}}, {{text}}, {a} {OTHER[operator]} {b})")
    for match in INDEX.finditer(code):
        if is_expression(code, match.start(1)) and not re.search(r"(\bdelete|\boperator)\s*\[$", code[: match.start(1)]):
            yield mutant(*match.span(1), "index", NEXT)
    for match in NUMBER.finditer(code):
        if is_expression(code, match.start()) and not BEFORE_NUMBER.search(code[: match.start()]):
            yield mutant(*match.span(1), "constant", NEXT)


def sample(found, count, random):
    """Of each kind the same share, in the order of the files; none inside another."""
    kinds = {}
    for m in found:
        kinds.setdefault(m.condition.split(":")[0], []).append(m)
    chosen = []
    for places in kinds.values():
        chosen += random.sample(places, min(len(places), -(-count // len(kinds))))
    chosen.sort(key=lambda m: (m.file, m.begin, -m.end))
    return [m for i, m in enumerate(chosen) if i == 0 or m.file != chosen[i - 1].file or m.begin >= chosen[i - 1].end]
