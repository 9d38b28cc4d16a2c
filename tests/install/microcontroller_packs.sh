#!/usr/bin/env bash
# microcontroller_packs.sh ROOT CMAKE VERSION BUILD...: a program builds with each of the packages that packaging/microcontrollers/make_packs.sh
# lays out, as far as that can be tried without the tools that they are for.
set -euo pipefail
root=$1 cmake=$2 version=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "microcontroller_packs: $*" >&2; exit 1; }

"$root/packaging/microcontrollers/make_packs.sh" "$folder" "$version" "$@"

cat >"$folder/sketch.cpp" <<'C'
alignas(64) static unsigned char memory[4096];
extern "C" const unsigned char model[];
alignas(64) const unsigned char model[64] = {1};

int main() {
  micrort::MemoryBlock block(memory, sizeof memory);
  auto loaded = micrort::ModelIn(block, model, sizeof model);
  if (!loaded.ok()) return 1;
  const auto resolver = micrort::OpResolver().AddConv2D(micrort::kInt8).AddSoftmax(micrort::kInt8Tflite);
  micrort::InterpreterOptions options;
  options.resolver = &resolver;
  auto interpreter = micrort::Interpreter::Create(*loaded, options);
  return interpreter.ok() && interpreter->Run().ok() ? 0 : 2;
}
C
declare -A flags=([cortex-m4]='-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard' [cortex-m7]='-mcpu=cortex-m7 -mfpu=fpv5-sp-d16 -mfloat-abi=hard'
  [cortex-m33]='-mcpu=cortex-m33 -mfpu=fpv5-sp-d16 -mfloat-abi=hard' [cortex-m55]='-mcpu=cortex-m55 -mfloat-abi=hard')
# build CORE INCLUDE LIBRARY HEADER...: with the flags that Arduino's cores and Zephyr have, too.
build() {
  local core=$1 include=$2 library=$3 header headers=()
  shift 3
  for header in "$@"; do headers+=(-include "$header"); done
  # shellcheck disable=SC2086
  arm-none-eabi-g++ ${flags[$core]} -mthumb -std=c++17 -Os -fno-exceptions -fno-rtti -fno-threadsafe-statics -Wall -Wextra -Werror -I "$include" \
    "${headers[@]}" "$folder/sketch.cpp" "$library" -nostartfiles --specs=nano.specs --specs=nosys.specs -Wl,--gc-sections -Wl,-e,main \
    -o "$folder/sketch.elf" 2>"$folder/errors" || { cat "$folder/errors"; fail "$core: no program with $library"; }
  arm-none-eabi-nm -C "$folder/sketch.elf" | grep 'micrort::ops::Conv2D()' >/dev/null || fail "$core: nothing of MicroRT in the program"
}

arduino=$folder/arduino/MicroRT
grep -qx "version=$version" "$arduino/library.properties" || fail "library.properties does not say version $version"
for path in "$@"; do
  core=$(sed 's/.*\(cortex-m\)/\1/' <<<"$path")
  build "$core" "$arduino/src" "$(find "$arduino/src/$core" -name libmicrort.a)" MicroRT.h
done

# The examples, with the least of what Arduino and Zephyr declare, and a network of two operators.
mkdir -p "$folder/declared/zephyr/sys"
cat >"$folder/declared/Arduino.h" <<'C'
#pragma once
#include <stddef.h>
#include <stdint.h>
struct SerialPort {
  void begin(unsigned long);
  void print(const char*);
  void print(unsigned);
  void println(const char*);
  void println(int);
  void println(unsigned long);
};
extern SerialPort Serial;
unsigned long micros();
void delay(unsigned long);
C
cat >"$folder/declared/PDM.h" <<'C'
#pragma once
struct Microphone {
  int begin(int channels, int rate);
  int available();
  int read(void* buffer, unsigned bytes);
  void onReceive(void (*)());
};
extern Microphone PDM;
C
echo '#include <stdint.h>
uint32_t k_cycle_get_32();' >"$folder/declared/zephyr/kernel.h"
echo 'extern "C" void printk(const char*, ...);' >"$folder/declared/zephyr/sys/printk.h"
echo 'alignas(64) static const unsigned char model[64] = {1};' >"$folder/declared/model.h"
cat >"$folder/declared/model_ops.h" <<'C'
#pragma once
#include <micrort/op_resolver.h>
inline micrort::OpResolver ModelOps() { return micrort::OpResolver().AddConv2D(micrort::kInt8).AddSoftmax(micrort::kInt8); }
C
core=$(sed 's/.*\(cortex-m\)/\1/' <<<"$1")
# example SOURCE INCLUDE FLAG...: it compiles with the headers of its package.
example() {
  local source=$1 include=$2
  shift 2
  # shellcheck disable=SC2086
  arm-none-eabi-g++ ${flags[$core]} -mthumb -std=c++17 -Os -fno-exceptions -fno-rtti -fno-threadsafe-statics -Wall -Wextra -Werror -I "$include" \
    -I "$folder/declared" "$@" -x c++ -c "$source" -o "$folder/example.o" 2>"$folder/errors" || { cat "$folder/errors"; fail "$source"; }
}
example "$arduino/examples/RunModel/RunModel.ino" "$arduino/src" -include Arduino.h
example "$arduino/examples/HearKeywords/HearKeywords.ino" "$arduino/src" -include Arduino.h
example "$folder/zephyr/micrort/samples/run_model/src/main.cpp" "$folder/zephyr/micrort/include"

# Zephyr's own functions, with what they are called for.
mkdir "$folder/application"
for path in "$@"; do
  core=$(sed 's/.*\(cortex-m\)/\1/' <<<"$path")
  symbol=$(sed 's/-/_/; s/.*/\U&/' <<<"$core")
  cat >"$folder/application/CMakeLists.txt" <<C
cmake_minimum_required(VERSION 3.20)
project(application NONE)
function(zephyr_include_directories folder)
  file(WRITE \${CMAKE_BINARY_DIR}/include "\${folder}")
endfunction()
function(zephyr_link_libraries library)
  get_target_property(location \${library} IMPORTED_LOCATION)
  file(WRITE \${CMAKE_BINARY_DIR}/library "\${location}")
endfunction()
set(CONFIG_MICRORT y)
set(CONFIG_CPU_$symbol y)
add_subdirectory($folder/zephyr/micrort/zephyr module)
C
  "$cmake" -G Ninja -S "$folder/application" -B "$folder/application/build" >/dev/null
  grep -q "CPU_$symbol" "$folder/zephyr/micrort/zephyr/Kconfig" || fail "Kconfig does not know $core"
  build "$core" "$(cat "$folder/application/build/include")" "$(cat "$folder/application/build/library")" micrort/memory_block.h micrort/micrort.h
done

/usr/bin/python3 - "$folder/MicroRT.MicroRT.$version.pack" "$version" $# <<'P'
import sys, xml.etree.ElementTree, zipfile
pack = zipfile.ZipFile(sys.argv[1])
description = xml.etree.ElementTree.fromstring(pack.read("MicroRT.MicroRT.pdsc"))
assert description.find("releases/release").get("version") == sys.argv[2]
conditions = {c.get("id") for c in description.iter("condition")}
components = list(description.iter("component"))
assert len(components) == int(sys.argv[3]), components
names = pack.namelist()
for component in components:
    assert component.get("condition") in conditions, component.attrib
    for file in component.iter("file"):
        assert file.get("name") in names, file.attrib
P
