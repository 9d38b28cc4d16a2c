#!/usr/bin/env bash
# side_by_side.sh ROOT: of the builds of ./dev test, two run at a time with their arguments as they are, and one that fails ends all.
set -euo pipefail
root=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
source "$root/tests/dev/test.sh"

say() { echo "$*"; }
timed() { "$@"; }
configure() { true; }
# Two meet, or one of them waits in vain.
configure_and_build() {
  echo "$jobs $*" >>"$folder/seen"
  case $1 in
    met | other)
      touch "$folder/$1"
      for _ in {1..100}; do
        [[ -e $folder/met && -e $folder/other ]] && return
        sleep 0.1
      done
      return 1
      ;;
    broken) false ;;
  esac
}
export folder
jobs=4

{ quoted met build-met; quoted other build-other "-DA=b c"; } | side_by_side 2>"$folder/log"
sort "$folder/seen" | diff - <(printf '2 met build-met\n2 other build-other -DA=b c\n')

: >"$folder/seen"
if { quoted broken build-broken; for _ in {1..20}; do quoted later build-later; done; } | side_by_side 2>"$folder/log"; then
  echo "side_by_side: a build that fails is not noticed" >&2
  exit 1
fi
(($(wc -l <"$folder/seen") < 20)) || { echo "side_by_side: goes on after a failure" >&2; exit 1; }
