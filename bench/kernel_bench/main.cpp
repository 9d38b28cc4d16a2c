// kernel_bench: every row of every kernel family, on one thread; rows that this CPU cannot run end with an
// error. Takes Google Benchmark's flags. Example: kernel_bench --benchmark_filter=gemm_f32

#include <benchmark/benchmark.h>

#include "bench/kernel_bench/variant.h"

int main(int argc, char** argv) {
  using namespace micrort::bench;
  AddGemmTiles();
  AddGemmProducts();
  AddDepthwise();
  AddInt16Layers();
  AddWinograd();
  AddElementwise();
  AddReductions();
  AddDataMovement();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
