#!/usr/bin/env python3
"""doc_anchors.py ROOT: prints every link in a tracked Markdown file to a heading (page.md#heading) that the page does not have. Exit
code 1 if there is one, 77 (skipped) outside a git checkout."""

import re
import subprocess
import sys
from pathlib import Path

root = Path(sys.argv[1])


def lines(path):
    """(number, text) of the lines outside of code blocks."""
    inside = False
    for number, text in enumerate(path.read_text().splitlines(), 1):
        if text.startswith("```"):
            inside = not inside
        elif not inside:
            yield number, text


def anchor(heading):
    """As GitHub makes it: text of links, lower case, letters, digits, hyphens; spaces become hyphens."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(path):
    headings = (re.match(r"#+ (.*)", text) for _, text in lines(path))
    return {anchor(found.group(1)) for found in headings if found}


listed = subprocess.run(["git", "ls-files", "*.md"], cwd=root, capture_output=True, text=True, check=False)
if listed.returncode != 0:
    sys.exit(77)

known, failed = {}, False
for name in listed.stdout.split():
    for number, text in lines(root / name):
        for page, heading in re.findall(r"\]\(([^) #]*)#([^) ]+)\)", text):
            target = (root / name).parent / page if page else root / name
            if "://" in page or target.suffix != ".md" or not target.exists():  # doc_links.sh finds what is missing
                continue
            target = target.resolve()
            if heading not in known.setdefault(target, anchors(target)):
                print(f"{name}:{number}: no such heading: {page}#{heading}")
                failed = True
sys.exit(failed)
