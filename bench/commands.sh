# Sourced by dev: peers from elsewhere, and the commands that measure or compare with them.

# The networks, peers and results of cmd_bench.
bench_folder=build/bench-data

install_onnxruntime() {
  [[ -d $bench_folder/node_modules/onnxruntime-node ]] && return
  command -v npm >/dev/null || need_packages nodejs npm
  say "installing onnxruntime-node into $bench_folder"
  npm install --prefix "$bench_folder" --ignore-scripts --no-audit --no-fund onnxruntime-node >&2
}

tflite_folder=$bench_folder/tfjs-tflite

# The package alone: what it depends on is for browsers.
install_tflite() {
  [[ -d $tflite_folder/package/wasm ]] && return
  command -v npm >/dev/null || need_packages nodejs npm
  say "installing @tensorflow/tfjs-tflite into $tflite_folder"
  mkdir -p "$tflite_folder"
  npm pack --silent --pack-destination "$tflite_folder" @tensorflow/tfjs-tflite@0.0.1-alpha.10 >&2
  tar xzf "$tflite_folder"/tensorflow-tfjs-tflite-*.tgz -C "$tflite_folder"
}

install_litert() {
  local folder=$bench_folder/litert
  [[ -d $folder/package/wasm ]] && return
  command -v npm >/dev/null || need_packages nodejs npm
  say "installing @litertjs/core into $folder"
  mkdir -p "$folder"
  npm pack --silent --pack-destination "$folder" @litertjs/core@2.5.3 >&2
  tar xzf "$folder"/litertjs-core-*.tgz -C "$folder"
}

install_tfjs() {
  [[ -d $bench_folder/node_modules/@tensorflow/tfjs-converter ]] && return
  command -v npm >/dev/null || need_packages nodejs npm
  say "installing TensorFlow.js into $bench_folder"
  npm install --prefix "$bench_folder" --ignore-scripts --no-audit --no-fund @tensorflow/tfjs-core@4.22.0 \
    @tensorflow/tfjs-converter@4.22.0 @tensorflow/tfjs-backend-cpu@4.22.0 >&2
}

cmd_opinion() {
  need_packages "${test_packages[@]}" nodejs
  install_tflite
  install_litert
  install_tfjs
  configure_and_build release build -DMICRORT_BUILD_TESTS=ON -DMICRORT_BUILD_BENCH=OFF -- converter_tests mnnconvert micrort-run
  build/bin/converter_tests --gtest_filter='TfliteSecondOpinion*' "$@"
  ctest --test-dir build --output-on-failure -R networks.tensorflow
}

# bench_kernels [NAME]: takes some three minutes. Short turns, for the clock of the CPU and its other programs change from second to second.
bench_kernels() {
  need_packages "${build_packages[@]}" "${bench_libraries[@]}"
  configure_and_build release build -DMICRORT_BUILD_TESTS=OFF -DMICRORT_BUILD_BENCH=ON -- kernel_bench
  mkdir -p "$bench_folder"
  build/bin/kernel_bench --benchmark_min_time=0.02 --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true --benchmark_filter="${1:-.}" \
    --benchmark_out="$bench_folder/kernels.json" --benchmark_out_format=json >&2
  /usr/bin/python3 bench/kernel_bench/table.py "$bench_folder/kernels.json" >"$bench_folder/kernel-variants.md"
}

# Instructions, not time: the machine may be busy.
bench_arm() {
  need_packages "${build_packages[@]}" gcc g++-aarch64-linux-gnu g++-arm-linux-gnueabihf qemu-user llvm-19
  local folder=$PWD/$bench_folder/arm places=() loops=() architecture target
  mkdir -p "$folder"
  for target in aarch64 armv7; do
    architecture=arm64
    [[ $target == aarch64 ]] || architecture=armhf
    bench/arm/fetch_xnnpack.sh "$architecture" "$folder/$architecture"
    configure_and_build "$target" "build-$target" -DMICRORT_BUILD_TESTS=OFF -DMICRORT_BUILD_BENCH=ON \
      -DMICRORT_ARM_PEER="$folder/$architecture" -- arm_layers arm_int4_loops
    places+=("--$target" "build-$target" "$folder/$architecture")
  done
  gcc -shared -fPIC -O2 -o "$folder/libcount_instructions.so" bench/arm/count_instructions.c
  bench/arm/count.py --plugin "$folder/libcount_instructions.so" "${places[@]}" "$@" >"$bench_folder/arm.md"
  bench/arm/count_int4.py --plugin "$folder/libcount_instructions.so" build-aarch64/bin/arm_int4_loops >"$bench_folder/arm_int4.md"
  mapfile -t loops < <(find build-aarch64/kernels -path '*micrort_isa_arm_*' -name 'gemm_*.o' | sort)
  bench/arm/loop_limits.py "${loops[@]}" >"$bench_folder/arm_loops.md"
}

# Takes two minutes.
bench_serve() {
  need_packages "${build_packages[@]}" "${serve_packages[@]}" "${bench_libraries[@]}" wrk nginx-light python3-onnx
  configure_and_build release build -DMICRORT_BUILD_TESTS=OFF -DMICRORT_BUILD_BENCH=ON -- micrort-serve mnnconvert micrort-bench grpc_load
  mkdir -p "$bench_folder"
  /usr/bin/python3 bench/serve/measure.py build "$@" | tee "$bench_folder/serve.md"
}

# Takes ten minutes.
bench_formats() {
  need_packages "${bench_packages[@]}"
  configure_and_build release build -DMICRORT_BUILD_TESTS=OFF -DMICRORT_BUILD_BENCH=ON -- mnnconvert micrort-info session_bench
  mkdir -p "$bench_folder"
  /usr/bin/python3 bench/networks/compare_formats.py "$@" | tee "$bench_folder/formats.md"
}

# bench_web [NAME=FILE[,FILE]...]: the digits of the example, and the networks that bench/web/networks.txt finds beside this repository.
bench_web() {
  need_packages "${build_packages[@]}" "${web_packages[@]}" nodejs chromium-headless-shell
  configure_and_build wasm build-wasm -DMICRORT_BUILD_TESTS=OFF -- micrort_web
  configure_and_build release build "${programs_only[@]}" -- mnnconvert
  mkdir -p "$bench_folder"
  if [[ ! -d $bench_folder/node_modules/onnxruntime-web ]]; then
    command -v npm >/dev/null || need_packages nodejs npm
    say "installing onnxruntime-web into $bench_folder"
    npm install --prefix "$bench_folder" --ignore-scripts --no-audit --no-fund onnxruntime-web >&2
  fi
  install_litert
  local networks=("meter_digits=examples/meter_reader/meter_digits.onnx" "$@")
  if (($# == 0)) && [[ -d ../shared/models ]]; then
    mapfile -t -O 1 networks < <(sed '/^#/d; s|\([=,]\)|\1../shared/models/|g' bench/web/networks.txt)
  fi
  node bench/web/compare.mjs build-wasm/web "$bench_folder" build/bin/mnnconvert "$(command -v chromium-headless-shell chromium | head -n 1)" \
    "${networks[@]}" | tee "$bench_folder/web.md"
}

# With --docs, the figures become those of README and docs/measurements/speed.md.
cmd_bench() {
  local writes_docs=
  case ${1:-} in
    --docs) writes_docs=1; shift ;;
    arm | kernels | serve | web | formats)
      "bench_$1" "${@:2}"
      return
      ;;
  esac
  need_packages "${bench_packages[@]}"
  configure_and_build release build -DMICRORT_BUILD_TESTS=OFF -DMICRORT_BUILD_BENCH=ON -- all
  mkdir -p "$bench_folder"
  install_onnxruntime
  say "writing networks"
  /usr/bin/python3 bench/networks/export.py "$bench_folder/networks"
  (($#)) && /usr/bin/python3 bench/networks/export.py "$bench_folder/networks" "$@"
  say "measuring networks"
  /usr/bin/python3 bench/networks/compare.py "$bench_folder"/networks/*.onnx --int8 --node-modules "$bench_folder/node_modules" \
    --json "$bench_folder/speed.json" --markdown "$bench_folder/speed.md"
  [[ -z $writes_docs ]] || /usr/bin/python3 bench/networks/write_docs.py "$bench_folder/speed.json" .
}
