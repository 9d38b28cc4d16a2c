#!/usr/bin/env bash
# make_aar.sh OUT.aar MICRORT.jar ABI=libmicrort_jni.so...: an Android archive of the Java package and its library for each ABI
# (arm64-v8a, armeabi-v7a, x86_64).
set -euo pipefail
(($# >= 3)) || { sed -n '2,3s/^# //p' "$0" >&2; exit 1; }
out=$(realpath -m "$1") jar=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$jar" "$folder/classes.jar"
for pair in "$@"; do
  mkdir -p "$folder/jni/${pair%%=*}"
  cp "${pair#*=}" "$folder/jni/${pair%%=*}/libmicrort_jni.so"
done
cat >"$folder/AndroidManifest.xml" <<'X'
<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="org.micrort">
    <uses-sdk android:minSdkVersion="26" />
</manifest>
X
# Found by their names, from C++.
printf '%s\n' '-keep class org.micrort.** { *; }' >"$folder/proguard.txt"
: >"$folder/R.txt"
mkdir -p "$(dirname "$out")"
rm -f "$out"
jar --create --no-manifest --file "$out" -C "$folder" .
