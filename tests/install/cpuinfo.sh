#!/usr/bin/env bash
# cpuinfo.sh CMAKE SOURCE: MICRORT_CPUINFO=ON configures with the system's cpuinfo, links it, and finds the CPU features that
# our own check finds. Exit code 77 without cpuinfo.
set -euo pipefail
cmake=$1 source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES C CXX)
find_library(library cpuinfo)
if(NOT library)
  message(FATAL_ERROR "no cpuinfo")
endif()
set(MICRORT_CPUINFO ON)
add_subdirectory("$source" micrort)
add_executable(app app.cpp)
target_link_libraries(app PRIVATE MicroRT::micrort)
foreach(program own theirs)
  add_executable(\${program} features.cpp "$source/kernels/base/cpu_features.cpp")
  target_compile_features(\${program} PRIVATE cxx_std_17)
  target_include_directories(\${program} PRIVATE "$source")
endforeach()
target_compile_definitions(theirs PRIVATE MICRORT_CPUINFO)
target_link_libraries(theirs PRIVATE cpuinfo::cpuinfo)
EOF
printf '#include <micrort/micrort.h>\nint main() {}\n' >"$folder/app.cpp"
cat >"$folder/features.cpp" <<'EOF'
#include <cstdio>
#include "kernels/base/cpu_features.h"
int main() { std::printf("%08x\n", static_cast<unsigned>(micrort::DetectCpuFeatures())); }
EOF

if ! "$cmake" -G Ninja -S "$folder" -B "$folder/build" >"$folder/log" 2>&1; then
  grep -q 'no cpuinfo' "$folder/log" && { echo "skipped: no cpuinfo"; exit 77; }
  cat "$folder/log" >&2
  exit 1
fi
"$cmake" --build "$folder/build" -- -t commands app >"$folder/plan"
grep -q 'libcpuinfo' "$folder/plan" || { echo "the library is not linked" >&2; exit 1; }
"$cmake" --build "$folder/build" --target own theirs >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
own=$("$folder/build/own") theirs=$("$folder/build/theirs")
[[ $own == "$theirs" ]] || { echo "expected $own, found $theirs" >&2; exit 1; }
