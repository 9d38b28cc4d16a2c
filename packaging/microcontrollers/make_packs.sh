#!/usr/bin/env bash
# make_packs.sh OUT_FOLDER VERSION BUILD...: MicroRT as an Arduino library, a Zephyr module and a CMSIS pack, each with the libraries of
# build folders that presets cortex-* made (build-cortex-m4 ...):
#   OUT_FOLDER/arduino/MicroRT/    to be put into the sketchbook's libraries/, with examples
#   OUT_FOLDER/zephyr/micrort/     a module: -DZEPHYR_EXTRA_MODULES=PATH, CONFIG_MICRORT=y, with a sample
#   OUT_FOLDER/MicroRT.MicroRT.VERSION.pack
set -euo pipefail
(($# >= 3)) || { sed -n '2,6s/^# //p' "$0" >&2; exit 1; }
out=$1 version=$2
shift 2
packaging=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$packaging/../.." && pwd)

# core FOLDER: "cortex-m4" of build-cortex-m4.
core() { sed 's/.*\(cortex-m\)/\1/' <<<"${1%/}"; }
# What tools call a core: its FPU for the compiler, Zephyr's symbol, the name and FPU of CMSIS.
declare -A fpu=([cortex-m4]=fpv4-sp-d16-hard [cortex-m7]=fpv5-sp-d16-hard [cortex-m33]=fpv5-sp-d16-hard
  [cortex-m55]=auto-hard)
declare -A symbol=([cortex-m4]=CPU_CORTEX_M4 [cortex-m7]=CPU_CORTEX_M7
  [cortex-m33]=CPU_CORTEX_M33 [cortex-m55]=CPU_CORTEX_M55)
declare -A cmsis=([cortex-m4]='Dcore="Cortex-M4" Dfpu="SP_FPU"'
  [cortex-m7]='Dcore="Cortex-M7" Dfpu="SP_FPU"' [cortex-m33]='Dcore="Cortex-M33" Dfpu="SP_FPU" Ddsp="DSP"'
  [cortex-m55]='Dcore="Cortex-M55" Dmve="FP_MVE"')
for build in "$@"; do
  [[ -v fpu[$(core "$build")] ]] || { echo "make_packs: $build: expected a folder of one of: ${!fpu[*]}" >&2; exit 1; }
  [[ -f $build/runtime/libmicrort.a ]] || { echo "make_packs: no $build/runtime/libmicrort.a: ./dev build $(core "$build")" >&2; exit 1; }
done

# headers TO BUILD: the public headers. What the library was built with is in them, as there is no place for it in a sketch.
headers() {
  mkdir -p "$1"
  cp -r "$2/installed-headers/micrort" "$1"
  {
    echo "#pragma once"
    echo "// What the libraries of this package were built with."
    sed -n 's/^Cflags://p' "$2/micrort.pc" | grep -o -- '-D[^ ]*' | sed 's/^-D\([A-Z_]*\)=\(.*\)/#define \1 \2/; s/^-D\([A-Z_]*\)$/#define \1/'
  } >"$1/micrort/build_options.h"
  find "$1/micrort" -name '*.h' ! -name build_options.h -exec sed -i '0,/^#pragma once$/s||#pragma once\n#include "micrort/build_options.h"|' {} +
}

# example FROM TO SOURCES: a folder with a program that runs a network, and beside its sources the file that all such programs share.
example() {
  mkdir -p "$2"
  cp -r "$packaging/$1/." "$2"
  cp "$packaging/network.h" "$3"
}

arduino() {
  local to=$out/arduino/MicroRT cores=() build
  rm -rf "$to"
  headers "$to/src" "$1"
  for build in "$@"; do
    cores+=("$(core "$build")")
    mkdir -p "$to/src/$(core "$build")/${fpu[$(core "$build")]}"
    cp "$build/runtime/libmicrort.a" "$to/src/$(core "$build")/${fpu[$(core "$build")]}"
  done
  printf '#pragma once\n#include <micrort/memory_block.h>\n#include <micrort/micrort.h>\n' >"$to/src/MicroRT.h"
  cat >"$to/library.properties" <<P
name=MicroRT
version=$version
author=MicroRT
maintainer=MicroRT
sentence=Runs trained neural networks, without heap.
paragraph=Models come from mnnconvert --target cortex-m4 (or another core) and stay in flash.
category=Data Processing
url=https://example.org/micrort
architectures=*
includes=MicroRT.h
precompiled=true
ldflags=-lmicrort
P
  example arduino/examples "$to/examples" "$to/examples/RunModel"
  cp "$packaging/network.h" "$root/examples/keyword/keyword_features.h" "$to/examples/HearKeywords"
  cp "$root/LICENSE" "$to"
}

zephyr() {
  local to=$out/zephyr/micrort build
  rm -rf "$to"
  mkdir -p "$to/zephyr"
  headers "$to/include" "$1"
  printf 'name: micrort\nbuild:\n  cmake: zephyr\n  kconfig: zephyr/Kconfig\n' >"$to/zephyr/module.yml"
  {
    printf 'config MICRORT\n\tbool "MicroRT, neural networks"\n\tdepends on CPP && ('
    for build in "$@"; do
      [[ $build == "$1" ]] || printf ' || '
      if [[ -n ${fpu[$(core "$build")]} ]]; then printf '(%s && FPU)' "${symbol[$(core "$build")]}"; else printf '%s' "${symbol[$(core "$build")]}"; fi
    done
    printf ')\n\tselect REQUIRES_FULL_LIBC\n'
  } >"$to/zephyr/Kconfig"
  {
    echo "if(CONFIG_MICRORT)"
    for build in "$@"; do
      mkdir -p "$to/lib/$(core "$build")"
      cp "$build/runtime/libmicrort.a" "$to/lib/$(core "$build")"
      printf '  if(CONFIG_%s)\n    set(micrort_core %s)\n  endif()\n' "${symbol[$(core "$build")]}" "$(core "$build")"
    done
    cat <<'C'
  add_library(micrort STATIC IMPORTED GLOBAL)
  set_target_properties(micrort PROPERTIES IMPORTED_LOCATION ${CMAKE_CURRENT_LIST_DIR}/../lib/${micrort_core}/libmicrort.a)
  zephyr_include_directories(${CMAKE_CURRENT_LIST_DIR}/../include)
  zephyr_link_libraries(micrort)
endif()
C
  } >"$to/zephyr/CMakeLists.txt"
  example zephyr/samples "$to/samples" "$to/samples/run_model/src"
  cp "$root/LICENSE" "$to"
}

cmsis_pack() {
  local folder build name
  folder=$(mktemp -d)
  headers "$folder/include" "$1"
  cp "$root/LICENSE" "$folder"
  {
    cat <<P
<?xml version="1.0" encoding="UTF-8"?>
<package schemaVersion="1.7.7" xmlns:xs="http://www.w3.org/2001/XMLSchema-instance" xs:noNamespaceSchemaLocation="PACK.xsd">
  <vendor>MicroRT</vendor>
  <name>MicroRT</name>
  <description>Runs trained neural networks, without heap</description>
  <url>https://example.org/micrort/</url>
  <license>LICENSE</license>
  <releases>
    <release version="$version">MicroRT $version</release>
  </releases>
  <conditions>
P
    for build in "$@"; do
      name=$(core "$build")
      printf '    <condition id="%s">\n      <require %s/>\n      <require Tcompiler="GCC"/>\n    </condition>\n' "$name" "${cmsis[$name]}"
    done
    printf '  </conditions>\n  <components>\n'
    for build in "$@"; do
      name=$(core "$build")
      mkdir -p "$folder/lib/$name"
      cp "$build/runtime/libmicrort.a" "$folder/lib/$name"
      cat <<P
    <component Cclass="Machine Learning" Cgroup="MicroRT" Cvariant="$name" Cversion="$version" condition="$name">
      <description>MicroRT for $name</description>
      <files>
        <file category="include" name="include/"/>
        <file category="library" name="lib/$name/libmicrort.a"/>
      </files>
    </component>
P
    done
    printf '  </components>\n</package>\n'
  } >"$folder/MicroRT.MicroRT.pdsc"
  rm -f "$out/MicroRT.MicroRT.$version.pack"
  (cd "$folder" && zip -qrX - .) >"$out/MicroRT.MicroRT.$version.pack"
  rm -rf "$folder"
}

mkdir -p "$out"
arduino "$@"
zephyr "$@"
cmsis_pack "$@"
