#!/usr/bin/env bash
# The table of ./dev test: a test counts for the build whose program it runs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'build-aarch64 1 20 30\nbuild-aarch64-xnnpack 2 3 4\nbuild 5 60 110\n' >"$folder/stages"
cat >"$folder/tests.xml" <<'XML'
<testsuite>
  <testcase name="aarch64.kernels.0" time="7.4"/>
  <testcase name="aarch64.xnnpack.cortex-a53.xnnpack.0" time="2"/>
  <testcase name="runtime.Softmax.Int8" time="0.5"/>
  <testcase name="lint.formatting" time="8.6"/>
</testsuite>
XML
"$here/stages.py" "$folder/stages" "$folder/tests.xml" 50 12 18 >"$folder/table"
diff "$folder/table" - <<'TABLE'
| build | configure s | compile s | compile CPU s | entries of CTest | test s |
| --- | --- | --- | --- | --- | --- |
| aarch64 | 1 | 20 | 30 | 1 | 7 |
| aarch64-xnnpack | 2 | 3 | 4 | 1 | 2 |
| build | 5 | 60 | 110 | 2 | 9 |
| all | 8 | 83 | 144 | 4 | 18 |

Building, two at a time, took 50 s, testing 12 s (18 s of processors); together 62 s.
TABLE
