#!/usr/bin/env bash
# doc_links.sh ROOT: prints every relative link in a tracked Markdown file whose file is missing, and every page of docs/
# that docs/README.md does not link. Exit code 1 if there is one, 77 (skipped) outside a git checkout.
set -euo pipefail
cd "$1"
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || exit 77

failed=0
while IFS=: read -r file line target; do
  target=${target#*](}
  target=${target%%[)#]*}
  [[ -z $target || $target == *://* || $target == mailto:* ]] && continue
  # Pages and badges of GitHub's workflows: relative to the page of a file there.
  [[ $target == ../../actions/workflows/* ]] && { target=${target#../../actions/}; target=.github/${target%/badge.svg}; }
  [[ -e $(dirname "$file")/$target ]] || { echo "$file:$line: broken link: $target"; failed=1; }
done < <(git ls-files -z '*.md' | xargs -0 grep -noHE '\]\([^) ]+' || true)

while read -r page; do
  name=${page#docs/}
  [[ $name == README.md ]] || grep -qF "]($name)" docs/README.md || { echo "docs/README.md: no link to $name"; failed=1; }
done < <(git ls-files 'docs/*.md')
exit "$failed"
