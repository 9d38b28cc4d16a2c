# ./dev test and ./dev check. Sourced by ./dev, from the root of the repository.

# tested_builds [option of this machine's build...]: the arguments of configure_and_build, a line each, for every build that is tested. That
# of this machine runs the tests of all. What takes the longest comes first, but a build that has most objects in common with an earlier one
# (share_objects) not beside it: the sanitized one takes the tests of the converter from this machine's. It may use all processors, since it
# ends last.
tested_builds() {
  local preset aarch64_xnnpack= installing
  need_packages "${device_libraries[@]}" >&2 &
  installing=$!
  if bench/arm/fetch_xnnpack.sh arm64 build-aarch64-xnnpack/debian; then
    aarch64_xnnpack=$PWD/build-aarch64-xnnpack
  else
    say "skipped: XNNPACK on AArch64, because Debian's packages cannot be fetched"
  fi
  quoted release build -DMICRORT_BUILD_TESTS=ON -DMICRORT_BUILD_BENCH=ON -DMICRORT_TEST_COMPILER=clang++ -DMICRORT_TEST_LINKER=lld \
    -DMICRORT_AARCH64_BUILD="$PWD/build-aarch64" -DMICRORT_ARMV7_BUILD="$PWD/build-armv7" \
    -DMICRORT_ASAN_BUILD="$PWD/build-asan" -DMICRORT_CLANG_BUILD="$PWD/build-clang" \
    -DMICRORT_TSAN_BUILD="$PWD/build-tsan" -DMICRORT_MSAN_BUILD="$PWD/build-msan" \
    -DMICRORT_XNNPACK_BUILD="$PWD/build-xnnpack" -DMICRORT_AARCH64_XNNPACK_BUILD="$aarch64_xnnpack" \
    -DMICRORT_DEVICE_BUILDS="$PWD/build-" "$@" -- all
  quoted aarch64 build-aarch64 -DMICRORT_UNITY_RUNTIME=ON -DMICRORT_BUILD_TESTS=ON -DMICRORT_BUILD_BENCH=OFF \
    "-DMICRORT_TEST_COMPILER=clang++;--target=aarch64-linux-gnu"
  quoted armv7 build-armv7 -DMICRORT_UNITY_RUNTIME=ON -DMICRORT_BUILD_TESTS=ON -DMICRORT_BUILD_BENCH=OFF \
    "-DMICRORT_TEST_COMPILER=clang++;--target=arm-linux-gnueabihf" -- \
    kernels_tests runtime_tests micrort-run micrort_kernel_archive
  if [[ " $* " == *MICRORT_WASM_BUILD* ]]; then
    quoted wasm build-wasm -DMICRORT_BUILD_TESTS=ON -DMICRORT_UNITY_BUILD=ON -- micrort_web micrort_web_digits kernels_tests runtime_tests
    quoted wasm-threads build-wasm-threads -- micrort_web
    quoted wasm-portable build-wasm-portable -- micrort_web
  fi
  if [[ " $* " == *MICRORT_WINDOWS_BUILD* ]]; then
    packaging/windows_libsodium.sh build-windows-x64/libsodium
    quoted windows-x64 build-windows-x64 -DMICRORT_UNITY_RUNTIME=ON -DMICRORT_BUILD_TESTS=ON -DMICRORT_BUILD_BENCH=OFF \
      -DMICRORT_TEST_LINKER=lld -- kernels_tests runtime_tests tools_tests sealed_tests micrort-run micrort-bench micrort-info micrort-seal micrort_shared
  fi
  quoted tsan build-tsan -DMICRORT_TEST_COMPILER=clang++ -- runtime_tests
  quoted msan build-msan -- load_models
  quoted clang build-clang -DMICRORT_UNITY_RUNTIME=ON -DMICRORT_BUILD_TESTS=ON -- print_outputs
  wait "$installing"
  for preset in cortex-m{4,7,33,55,0plus,3} cortex-m{4,7,33,55}-int16; do
    quoted "$preset" "build-$preset" -DMICRORT_UNITY_KERNELS=ON -- micrort
  done
  quoted --all-jobs asan build-asan -DMICRORT_BUILD_EXAMPLES=OFF -DMICRORT_TEST_LINKER=lld -- kernels_tests runtime_tests tools_tests \
    converter_tests fuzz_tests conformance_tests mnnconvert micrort_python
  for preset in "${no_heap[@]}"; do quoted "$preset" "build-$preset" -DMICRORT_UNITY_KERNELS=ON -- micrort; done
  # It needs no other targets, but with them its kernels are those of `build`.
  quoted xnnpack build-xnnpack -DMICRORT_ALL_TARGETS=ON -- xnnpack_tests micrort-bench
  [[ -z $aarch64_xnnpack ]] || quoted aarch64-xnnpack build-aarch64-xnnpack -- xnnpack_tests
  quoted clang-aarch64 build-clang-aarch64 -- micrort_isa_arm_{neon,fp16,dotprod,i8mm}
  quoted clang-armv7 build-clang-armv7 -- micrort_isa_arm_neon
}

# share_objects: compilers are started by ccache, so that an object is there for builds in which the same command, but for paths of their
# folders, reads the same files; also for those of other clones, but where batches and precompiled headers name their folder. What was read is
# known from the compiler itself, so that nothing is preprocessed twice, and a precompiled header, which is read for every file, and is kept
# only with this sloppiness, is hashed once.
share_objects() {
  export CMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER-ccache} CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 CCACHE_INODECACHE=1
  export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS-pch_defines,time_macros,include_file_mtime,include_file_ctime}
}

quoted() {
  printf '%q ' "$@"
  echo
}

# side_by_side: configure_and_build for each line of standard input, two at a time, each by half of the processors, or all after --all-jobs:
# while one is configured, or waits for its last file, the other one compiles. After a failure no further one begins. clang takes its memory by
# malloc(), which here asks for large pages, where the kernel gives them to whoever asks: a sixth less of the processors. g++ has an allocator
# of its own.
side_by_side() {
  local large_pages=${GLIBC_TUNABLES:+$GLIBC_TUNABLES:}glibc.malloc.hugetlb=1
  export -f configure_and_build configure timed say
  # 255 is what stops xargs.
  all_jobs=$jobs jobs=$(((jobs + 1) / 2)) stages=${stages:-} GLIBC_TUNABLES=$large_pages xargs -d '\n' -n 1 -P 2 bash -c 'set -euo pipefail
    trap "((\$? == 0)) || exit 255" EXIT
    eval "set -- $1"
    [[ $1 != --all-jobs ]] || { jobs=$all_jobs; shift; }
    configure_and_build "$@" 2>&1 | sed -u "/^\$/d; s|^|$2: |" >&2' side_by_side || { say "a build failed"; return 1; }
}

# On this machine and each emulated core. What no line has is tested elsewhere or nowhere.
print_instruction_sets() {
  local cpu
  for cpu in build "qemu-aarch64 -cpu max,sve=off build-aarch64" "qemu-aarch64 -cpu cortex-a53 build-aarch64" \
    "qemu-aarch64 -cpu cortex-a76 build-aarch64" "qemu-arm -cpu cortex-a15 build-armv7"; do
    $cpu/bin/kernels_tests --gtest_filter='CpuFeatures.*' | grep '^instruction sets tested' >&2 || true
  done
}

# run_ctest FOLDER [argument...]: behind the line of each test that fails stands the command that repeats it. Some wait for servers, clients and
# files, so that one more than there are processors has something to do.
run_ctest() {
  local folder=$1 line
  ctest --test-dir "$folder" --output-on-failure -j "$((jobs + 1))" "${@:2}" 2>&1 | while IFS= read -r line; do
    printf '%s\n' "$line"
    if [[ ! $line =~ \*\*\*(Skipped|Not\ Run) && $line =~ \ Test\ +#[0-9]+:\ ([^ ]+)\ .*\*\*\* ]]; then
      printf "repeat: ctest --test-dir %s --output-on-failure -R '^%s\$'\n" "$folder" "${BASH_REMATCH[1]//./\\.}"
    fi
  done
}

# ./dev test NAME...: the tests with one of these in their names, of this machine's build alone.
test_by_name() {
  local names
  names=$(IFS='|' && echo "$*")
  configure_and_build release build -DMICRORT_BUILD_TESTS=ON -DMICRORT_BUILD_BENCH=ON -- all
  run_ctest build --no-tests=error -R "$names" -E '^(aarch64|armv7|asan|tsan|msan|windows|xnnpack)\.'
}

# cmd_test [--all] [NAME... | argument of ctest...]
cmd_test() {
  local options=(-DMICRORT_TEST_ALL=OFF) stages=build/stages.txt elapsed cpu building status=0
  need_packages "${test_packages[@]}" "${device_programs[@]}"
  if (($#)) && [[ $1 != -* ]]; then
    need_packages "${device_libraries[@]}"
    stages=
    test_by_name "$@"
    return
  fi
  mkdir -p build
  if [[ ${1:-} == --all ]]; then
    shift
    need_packages nodejs python3-onnx chromium-headless-shell "${web_packages[@]}" "${windows_packages[@]}" wine64
    install_onnxruntime
    install_tflite
    install_tfjs
    options=(-DMICRORT_TEST_ALL=ON -DMICRORT_WASM_BUILD="$PWD/build-wasm" -DMICRORT_WINDOWS_BUILD="$PWD/build-windows-x64")
  fi
  : >"$stages"
  building=$SECONDS
  if [[ -z ${CMAKE_CXX_COMPILER_LAUNCHER:-} ]]; then
    share_objects
    export CCACHE_DIR=$PWD/build/shared-objects
  fi
  tested_builds "${options[@]}" | side_by_side
  building=$((SECONDS - building))
  print_instruction_sets
  say "testing; the table of stages will be build/stages.md"
  timed run_ctest build --output-junit tests.xml "$@" || status=$?
  tests/dev/stages.py "$stages" build/tests.xml "$building" "$elapsed" "$cpu" >build/stages.md
  return "$status"
}

# Files that differ from the branch that this work started from (or the last commit), and new ones.
changed_files() {
  local base
  base=$(git merge-base HEAD '@{upstream}' 2>/dev/null || git rev-parse --verify --quiet HEAD~1 || git rev-parse HEAD)
  { git diff --name-only "$base"; git ls-files -o --exclude-standard; } | sort -u
}

# Names of tests, as a regular expression of CTest, that files on standard input concern by their folders; all, if there is no file.
concerned_tests() {
  local file names=lint
  while read -r file; do
    case $file in
      kernels/* | arm/* | x86/* | wasm/*) names+='|kernels|runtime|offline|aot' ;;
      runtime/* | schema/*) names+='|runtime|offline|tools|converter|programs|fuzz' ;;
      converter/*) names+='|converter|conformance|fuzz|programs|models|docs' ;;
      tools/*) names+='|tools|programs|random_onnx' ;;
      serve/* | sealed/* | text/* | python/* | java/* | web/* | examples/*) names+="|${file%%/*}" ;;
      tests/*/*) file=${file#tests/} names+="|${file%%/*}" ;;
      docs/* | *.md) names+='|docs' ;;
      bench/* | deploy/* | xnnpack/* | .github/*) ;;
      *) names+='|.*' ;;  # what all is built by
    esac
  done
  echo "^($names)"
}

cmd_check() {
  need_packages "${check_packages[@]}"
  unset CCACHE_NOHASHDIR  # debuggers look for sources where the object says
  configure_and_build check build-check -- all
  local changed sources
  mapfile -t changed < <(changed_files)
  # Kernels of other architectures are not in this build.
  mapfile -t sources < <(printf '%s\n' "${changed[@]}" | while read -r file; do
    [[ $file != *.cpp ]] || ! grep -qF "/$file\"" build-check/compile_commands.json || echo "$file"
  done)
  if ((${#sources[@]})); then
    say "clang-tidy: ${sources[*]}"
    clang-tidy -p build-check --quiet "${sources[@]}"
  fi
  (($#)) || set -- -R "$(printf '%s\n' "${changed[@]}" | concerned_tests)"
  say "testing $*"
  run_ctest build-check "$@"
}
