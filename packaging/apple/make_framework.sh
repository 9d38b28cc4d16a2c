#!/usr/bin/env bash
# make_framework.sh OUT_FOLDER INSTALLED VERSION [MIN_OS_VERSION]: MicroRT.framework, static, with the C interface as a module for Swift
# and Objective-C, from a folder that "cmake --install" filled with a build for an Apple system. Several of them, one a system,
# become an XCFramework by "xcodebuild -create-xcframework -framework ...".
set -euo pipefail
(($# >= 3)) || { sed -n '2,4s/^# //p' "$0" >&2; exit 1; }
framework=$1/MicroRT.framework installed=$2 version=$3 min_os=${4:-13.0}
library=$(find "$installed" -name libmicrort.a | head -n 1)
[[ -n $library ]] || { echo "make_framework: no libmicrort.a in $installed" >&2; exit 1; }
rm -rf "$framework"
mkdir -p "$framework/Headers" "$framework/Modules"
cp "$library" "$framework/MicroRT"
# Inside a framework, headers name each other by its name.
for header in micrort_c.h operators.h custom_op.h version.h; do
  sed 's|#include "micrort/|#include "|' "$installed/include/micrort/$header" >"$framework/Headers/$header"
done
cat >"$framework/Modules/module.modulemap" <<'M'
framework module MicroRT {
  header "micrort_c.h"
  header "operators.h"
  header "custom_op.h"
  header "version.h"
  link "c++"
  export *
}
M
cat >"$framework/Info.plist" <<P
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>CFBundleDevelopmentRegion</key><string>en</string>
  <key>CFBundleExecutable</key><string>MicroRT</string>
  <key>CFBundleIdentifier</key><string>org.micrort.MicroRT</string>
  <key>CFBundleInfoDictionaryVersion</key><string>6.0</string>
  <key>CFBundleName</key><string>MicroRT</string>
  <key>CFBundlePackageType</key><string>FMWK</string>
  <key>CFBundleShortVersionString</key><string>$version</string>
  <key>CFBundleVersion</key><string>$version</string>
  <key>MinimumOSVersion</key><string>$min_os</string>
</dict>
</plist>
P
