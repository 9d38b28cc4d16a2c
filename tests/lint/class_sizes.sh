#!/usr/bin/env bash
# class_sizes.sh ROOT [MOST]: no class has more than MOST (25) functions: member functions and constructors that are
# declared in it, not those that are deleted or defaulted. What a reader has to know is a name: overloads, a const and a
# mutable form of a function too, are one, and so are all constructors and the destructor. Prints each larger one. Exit
# code 1 if there is one, or if there is no class at all.
set -euo pipefail
cd "$1"
most=${2:-25}

folders=()
for folder in kernels arm x86 wasm xnnpack runtime converter tools text serve examples sealed java python; do
  [[ -d $folder ]] && folders+=("$folder")
done
find "${folders[@]}" \( -name '*.h' -o -name '*.cpp' -o -name '*.inc' \) -print0 | sort -z |
  xargs -0 awk -v most="$most" '
  # A statement of a class body, without what stands between braces and with the parameters still in it.
  function take(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    sub(/^((public|private|protected)[ \t]*:[ \t]*)+/, "", text)
    if (text ~ /^(using|typedef|friend|static_assert|enum|struct|class|union)[ \t(]/ || text ~ /=[ \t]*(delete|default)$/) return
    sub(/^template[ \t]*<[^()]*>[ \t]*/, "", text)
    if (text !~ /\(/ || text ~ /^[^(]*\([ \t]*([A-Za-z_:]+::)?\*/) return  # a field, maybe a pointer to a function
    before = substr(text, 1, index(text, "(") - 1)
    if (before ~ /=/ && before !~ /operator[ \t]*[=!<>+*\/-]*=[ \t]*$/) return  # the initializer of a field
    member = before
    if (!sub(/^.*[^A-Za-z0-9_]operator/, "operator", member)) sub(/^.*[^A-Za-z0-9_]/, "", member)
    gsub(/[ \t]/, "", member)
    if (!((scope[level], member) in seen)) ++functions[level]
    seen[scope[level], member]
  }
  function finish() {
    ++classes
    if (functions[level] > most) {
      print file ":" line[level] ": " name[level] " has " functions[level] " functions, at most " most
      failed = 1
    }
  }
  function restart() { level = braces = parens = 0; text = ""; delete inside; comment = 0 }
  FNR == 1 { restart(); file = FILENAME }
  {
    code = $0
    if (code ~ /^[ \t]*#/) next
    gsub(/\\["\047\\]/, "", code); gsub(/"[^"]*"/, "", code); gsub(/\047[^\047]\047/, "", code); sub(/\/\/.*/, "", code)
    count = split(code, symbol, "")
    for (i = 1; i <= count; ++i) {
      c = symbol[i]
      if (c == "(") ++parens
      if (c == ")") --parens
      if (parens > 0 || (c != "{" && c != "}" && c != ";")) { text = text c; continue }
      at_member = level > 0 && inside[level] == braces
      if (c == "{") {
        ++braces
        if (match(text, /(^|[ \t>])(class|struct)[ \t]+([A-Za-z_][A-Za-z0-9_:<>, ]*)?$/) ||
            (match(text, /(^|[ \t>])(class|struct)[ \t]+[A-Za-z_][A-Za-z0-9_:<>, ]*[ \t:]/) && text !~ /[=(]/)) {
          found = substr(text, RSTART, RLENGTH); sub(/^[ \t>]*(class|struct)[ \t]+/, "", found); sub(/[ \t:].*/, "", found)
          ++level; inside[level] = braces; name[level] = found; line[level] = FNR; functions[level] = 0
          scope[level] = ++scopes
        } else if (at_member) {
          take(text)
        }
      } else if (c == "}") {
        if (level > 0 && inside[level] == braces) { finish(); --level }
        --braces
      } else if (at_member) {
        take(text)
      }
      text = ""
    }
    text = text " "
  }
  END {
    if (!classes) { print "class_sizes: no class"; failed = 1 }
    exit failed
  }'
