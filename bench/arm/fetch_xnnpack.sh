#!/usr/bin/env bash
# fetch_xnnpack.sh ARCHITECTURE FOLDER: unpacks Debian's XNNPACK, cpuinfo and pthreadpool for arm64 or armhf into FOLDER,
# beside lists of packages that apt keeps there; nothing is installed.
set -euo pipefail
architecture=$1
mkdir -p "$2"
folder=$(realpath "$2")
[[ -e $folder/usr/include/xnnpack.h ]] && exit
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
apt=(apt-get -qq -o "Dir::State::lists=$folder/apt/lists" -o "Dir::Cache=$folder/apt/cache"
  -o "APT::Architectures::=$architecture" -o "APT::Sandbox::User=$(id -un)")
# A list that cannot be read matters only if a package is in no other.
"${apt[@]}" update >&2 || true
cd "$folder/apt"
"${apt[@]}" download "libxnnpack-dev:$architecture" "libxnnpack0:$architecture" "libcpuinfo0:$architecture" \
  "libpthreadpool-dev:$architecture" "libpthreadpool0:$architecture" >&2
for package in ./*.deb; do dpkg -x "$package" "$folder"; done
