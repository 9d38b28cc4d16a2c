#!/usr/bin/env bash
# embedded.sh CMAKE SOURCE add_subdirectory|fetch_content: makes MicroRT a part of another project's build, which then has its
# target, and its own settings as they were. Plans the build of a program without running it: the compiling itself is the same.
set -euo pipefail
cmake=$1 source=$2 way=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if [[ $way == add_subdirectory ]]; then
  ln -s "$source" "$folder/micrort"
  include='add_subdirectory(micrort)'
else
  include="include(FetchContent)
FetchContent_Declare(micrort SOURCE_DIR \"$source\")
FetchContent_MakeAvailable(micrort)"
fi
cat >"$folder/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES C CXX)
add_compile_options(-ffast-math)
$include
add_executable(app app.cpp)
target_link_libraries(app PRIVATE MicroRT::micrort)
foreach(untouched CMAKE_BUILD_TYPE CMAKE_CXX_STANDARD CMAKE_RUNTIME_OUTPUT_DIRECTORY)
  if(NOT "\${\${untouched}}" STREQUAL "")
    message(FATAL_ERROR "\${untouched} is \${\${untouched}}")
  endif()
endforeach()
EOF
printf '#include <micrort/micrort.h>\n#include <micrort/version.h>\nint main() { return micrort::kVersion[0] == 0; }\n' >"$folder/app.cpp"

"$cmake" -G Ninja -S "$folder" -B "$folder/build" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
"$cmake" --build "$folder/build" -- -t commands app >"$folder/plan"
grep -q 'libmicrort\.a' "$folder/plan" || { cat "$folder/plan" >&2; exit 1; }
# What is fast and wrong for the program's own code is not for the library's.
grep -q -- '-ffast-math .*-fno-fast-math .*/kernels/' "$folder/plan" || { cat "$folder/plan" >&2; exit 1; }
if grep -q -- '-fno-fast-math .*app\.cpp' "$folder/plan"; then exit 1; fi
# Only what the program needs: neither programs nor their libraries.
if grep -qE 'mnnconvert|micrort_io' "$folder/plan"; then exit 1; fi
# The headers are enough for a compiler; the rest of the build is the one that every other test runs.
"${CXX:-c++}" -std=c++17 -Wall -Wextra -fsyntax-only -I"$source" -I"$source/runtime/include" "$folder/app.cpp"
