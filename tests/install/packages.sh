#!/usr/bin/env bash
# packages.sh CPACK BUILD VERSION: packs the build and looks whether each package has what it is for, and the licence.
set -euo pipefail
cpack=$1 build=$2 version=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# expect FILE PATTERN...: the listing in FILE has a line for each.
expect() {
  local file=$1 pattern
  shift
  for pattern in "$@"; do
    grep -qE "$pattern" "$file" || { echo "$file: nothing like $pattern in:" >&2; cat "$file" >&2; exit 1; }
  done
}

"$cpack" --config "$build/CPackConfig.cmake" -G TGZ -B "$folder" >/dev/null
for component in runtime converter development library; do
  tar -tzf "$folder"/micrort-"$version"-*-"$component".tar.gz >"$folder/$component"
  expect "$folder/$component" 'share/doc/.*/LICENSE$'
done
expect "$folder/runtime" 'bin/micrort-run$' 'bin/micrort-bench$' 'bin/micrort-info$' 'bash-completion/completions/micrort-run$'
expect "$folder/converter" 'bin/mnnconvert$' 'bash-completion/completions/mnnconvert$'
if command -v help2man >/dev/null; then
  expect "$folder/runtime" 'man/man1/micrort-info\.1$'
  expect "$folder/converter" 'man/man1/mnnconvert\.1$'
fi
expect "$folder/development" 'lib.*/libmicrort\.a$' 'include/micrort/micrort\.h$' 'include/micrort/version\.h$' 'micrort\.fbs$' \
  'lib.*/libmicrort\.so$' 'MicroRTConfig\.cmake$' 'micrort\.pc$'

expect "$folder/library" 'lib.*/libmicrort\.so\.0'

if command -v dpkg-shlibdeps >/dev/null; then
  "$cpack" --config "$build/CPackConfig.cmake" -G DEB -B "$folder" >/dev/null
  for package in micrort micrort-converter libmicrort-dev libmicrort0; do
    dpkg-deb --info "$folder/${package}_${version}"_*.deb >"$folder/$package"
    expect "$folder/$package" "Package: $package\$" "Version: $version\$"
  done
  expect "$folder/micrort-converter" 'Depends:.*libprotobuf'
fi
