#!/usr/bin/env bash
# installed.sh CMAKE BUILD CONSUMER ONNX: installs the build into a folder of its own, converts the network with the
# installed mnnconvert, and lets other projects run it: found by CMake, ahead of time, by pkg-config where that exists.
set -euo pipefail
cmake=$1 build=$2 consumer=$3 onnx=$4
examples=$(dirname "$onnx")/..
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
prefix=$folder/prefix

"$cmake" --install "$build" --prefix "$prefix" >/dev/null
for program in mnnconvert micrort-run micrort-bench micrort-info; do
  "$prefix/bin/$program" --version
done
"$prefix/bin/mnnconvert" "$onnx" -o "$folder/model.fb" --quiet

# expect_output PROGRAM
expect_output() {
  local output
  output=$("$1" "$folder/model.fb")
  [[ $output == "output float32 1x10" ]] || { echo "$1 printed: $output" >&2; exit 1; }
}

"$cmake" -G Ninja -S "$consumer" -B "$folder/by_cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release >/dev/null
"$cmake" --build "$folder/by_cmake" >/dev/null
expect_output "$folder/by_cmake/consumer"
expect_output "$folder/by_cmake/consumer_c"

# A project that knows no C++, with the component for development alone.
"$cmake" --install "$build" --prefix "$folder/development" --component development >/dev/null
mkdir "$folder/c_alone"
cat >"$folder/c_alone/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.18)
project(c_alone LANGUAGES C)
find_package(MicroRT REQUIRED)
add_executable(c_alone $consumer/consumer.c)
target_link_libraries(c_alone PRIVATE MicroRT::micrort)
END
"$cmake" -G Ninja -S "$folder/c_alone" -B "$folder/c_alone/build" -DCMAKE_PREFIX_PATH="$folder/development" >/dev/null
"$cmake" --build "$folder/c_alone/build" >/dev/null
expect_output "$folder/c_alone/build/c_alone"

# The network compiled ahead of time, as examples/aot does it, in a project that follows newer CMakes in naming languages.
"$cmake" -G Ninja -S "$examples/aot" -B "$folder/aot" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_POLICY_DEFAULT_CMP0119=NEW >/dev/null
"$cmake" --build "$folder/aot" --target read_digit digits_test >/dev/null
output=$("$folder/aot/read_digit")
[[ $output == "the digit is 7 "* ]] || { echo "read_digit printed: $output" >&2; exit 1; }
[[ $("$folder/aot/digits_test") == Success ]]

# Nothing but micrort/ lies where a compiler looks, and the format is there for flatc.
[[ $(ls "$prefix/include") == micrort ]] || { echo "include/ has more than micrort/" >&2; exit 1; }
[[ -s $prefix/share/micrort/micrort.fbs ]] || { echo "no schema is installed" >&2; exit 1; }

# The file as JSON and back.
if command -v flatc >/dev/null; then
  (cd "$folder" && flatc --json "$prefix/share/micrort/micrort.fbs" -- model.fb && mkdir edited &&
    sed -i 's/producer: "mnnconvert"/producer: "by hand"/' model.json && flatc -b -o edited "$prefix/share/micrort/micrort.fbs" model.json)
  "$prefix/bin/mnnconvert" --realign "$folder"/edited/model.* -o "$folder/edited.fb"
  grep -q "by hand" "$folder/edited.fb"
  "$prefix/bin/micrort-run" "$folder/edited.fb" >"$folder/edited.txt"
  "$prefix/bin/micrort-run" "$folder/model.fb" | diff - "$folder/edited.txt"
fi

if command -v pkg-config >/dev/null; then
  PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name micrort.pc)")
  export PKG_CONFIG_PATH
  read -ra flags <<<"$(pkg-config --cflags --libs micrort)"
  "${CXX:-c++}" -std=c++17 -Wall -Wextra -Werror "$consumer/consumer.cpp" -o "$folder/by_pkg_config" "${flags[@]}"
  expect_output "$folder/by_pkg_config"
  "${CC:-cc}" -std=c99 -Wall -Wextra -Werror "$consumer/consumer.c" -o "$folder/c_by_pkg_config" "${flags[@]}"
  expect_output "$folder/c_by_pkg_config"
fi

# Text, where it is built: its headers are whole, and nothing but what its pkg-config file names is needed.
if [[ -d $prefix/include/micrort/text ]] && command -v pkg-config >/dev/null; then
  cat >"$folder/text.cpp" <<'END'
#include <micrort/text/chat.h>
#include <micrort/text/generate.h>
#include <micrort/text/text_c.h>
#include <micrort/text/transcribe.h>
int main() { return micrort::text::Tokenizer::FromTokenizerJson("{}").ok() ? 1 : 0; }
END
  read -ra flags <<<"$(pkg-config --cflags --libs micrort-text)"
  "${CXX:-c++}" -std=c++17 -Wall -Wextra -Werror "$folder/text.cpp" -o "$folder/text" "${flags[@]}"
  "$folder/text"
  echo '#include <micrort/text/speech_c.h>' | "${CC:-cc}" -std=c99 -Wall -Wextra -Werror -fsyntax-only -xc "${flags[@]}" -
fi

# The shared library: it exports what its header declares and nothing else, needs nothing but libc, and C programs run with it.
library=$(find "$prefix" -name 'libmicrort.so.0')
[[ -n $library ]] || exit 0
nm -D --defined-only --with-symbol-versions "$library" | sed -n 's/.* T //p' | sort >"$folder/exported"
echo '#include "micrort/micrort_c.h"' | "${CC:-cc}" -E -P -I"$prefix/include" - | grep -oE '\bmicrort_\w+\(' |
  sed 's/(/@@MICRORT_0.1/' | sort >"$folder/declared"
diff "$folder/declared" "$folder/exported" || { echo "libmicrort.so does not export what micrort_c.h declares" >&2; exit 1; }
if readelf -d "$library" | grep NEEDED | grep -vE '\[(libc|libm|ld-linux[-a-z0-9_]*|libpthread)\.so'; then
  echo "libmicrort.so needs more than libc" >&2
  exit 1
fi
"${CC:-cc}" -std=c99 -Wall -Wextra -Werror -I"$prefix/include" "$consumer/consumer.c" -o "$folder/c_shared" "$library"
LD_LIBRARY_PATH=$(dirname "$library") expect_output "$folder/c_shared"
