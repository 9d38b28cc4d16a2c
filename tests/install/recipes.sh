#!/usr/bin/env bash
# recipes.sh ROOT BUILD CMAKE VERSION: what packaging/ has for other systems, as far as it can be tried here.
set -euo pipefail
root=$1 build=$2 cmake=$3 version=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "recipes: $*" >&2; exit 1; }

# The version is stated in one place, and repeated where a tool wants a plain number.
grep -q "\"version-semver\": \"$version\"" "$root/packaging/vcpkg/vcpkg.json" || fail "vcpkg.json does not say version $version"
grep -q "version = \"$version\"" "$root/packaging/conan/conanfile.py" || fail "conanfile.py does not say version $version"
/usr/bin/python3 - "$root" <<'P'
import ast, json, pathlib, sys
root = pathlib.Path(sys.argv[1])
json.loads((root / "packaging/vcpkg/vcpkg.json").read_text())
ast.parse((root / "packaging/conan/conanfile.py").read_text())
# What both set, the build knows.
known = "".join(p.read_text() for p in [root / "CMakeLists.txt", *root.glob("cmake/*.cmake")])
import re
for name in set(re.findall(r"MICRORT_[A-Z_]+", (root / "packaging/vcpkg/portfile.cmake").read_text())):
    assert name in known, name
P

"$cmake" --install "$build" --prefix "$folder/installed" --component development >/dev/null
"$root/packaging/apple/make_framework.sh" "$folder" "$folder/installed" "$version"
/usr/bin/python3 - "$folder/MicroRT.framework" "$version" <<'P'
import pathlib, plistlib, re, sys
framework = pathlib.Path(sys.argv[1])
info = plistlib.loads((framework / "Info.plist").read_bytes())
assert info["CFBundleShortVersionString"] == sys.argv[2], info
assert (framework / info["CFBundleExecutable"]).stat().st_size > 100000
headers = re.findall(r'header "(.*)"', (framework / "Modules/module.modulemap").read_text())
assert sorted(headers) == sorted(p.name for p in (framework / "Headers").iterdir()), headers
P
for header in "$folder"/MicroRT.framework/Headers/*.h; do
  "${CC:-cc}" -std=c99 -Wall -Wextra -Werror -fsyntax-only -x c "$header" || fail "$header does not compile by itself"
done

if [[ -f $build/java/micrort.jar ]] && command -v jar >/dev/null; then
  "$root/packaging/android/make_aar.sh" "$folder/micrort.aar" "$build/java/micrort.jar" "x86_64=$build/java/libmicrort_jni.so"
  jar --list --file "$folder/micrort.aar" >"$folder/aar"
  for entry in AndroidManifest.xml classes.jar R.txt proguard.txt jni/x86_64/libmicrort_jni.so; do
    grep -qx "\(\./\)\?$entry" "$folder/aar" || fail "no $entry in the AAR"
  done
fi
