#!/usr/bin/env bash
# every_command.sh DEV COMMAND...: these are the commands that `./dev help` lists.
set -euo pipefail
dev=$1
shift
listed=$("$dev" help | sed -nE 's/^  ([a-z-]+)( .*)?$/\1/p' | sort -u)
diff <(printf '%s\n' "$listed") <(printf '%s\n' "$@" | sort -u) || {
  echo "left: what ./dev help lists; right: what tests/dev/CMakeLists.txt starts" >&2
  exit 1
}
echo "$(wc -l <<<"$listed") commands"
