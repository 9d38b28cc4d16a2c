// The reduction families: data in the first-level cache.

#include <string>

#include "bench/kernel_bench/row.h"
#include "kernels/reduce/fold_f32.h"
#include "kernels/reduce/min_max_f32.h"

namespace micrort::bench {

namespace {

constexpr size_t kElements = 2048, kColumns = 64;

void AddFolds(const FoldF32Kernel& kernel) {
  const Buffer x(kElements * sizeof(float)), y(kColumns * sizeof(float));
  const Work work = {0, sizeof(float) * kElements};
  const std::string name = std::string("fold_f32/") + kernel.name;
  AddRow(name + "/sum_of_run", kernel.features, work,
         [=, &kernel] { kernel.run(FoldKind::kSum, 0, x.as<float>(), kElements, y.as<float>()); });
  AddRow(name + "/sum_of_columns", kernel.features, work, [=, &kernel] {
    kernel.columns(FoldKind::kSum, nullptr, x.as<float>(), kElements / kColumns, kColumns, kColumns,
                   y.as<float>());
  });
}

void AddMinMax(const MinMaxF32Kernel& kernel) {
  const Buffer x(kElements * sizeof(float)), y(sizeof(float));
  AddRow(std::string("min_max_f32/") + kernel.name, kernel.features, {0, sizeof(float) * kElements},
         [=, &kernel] { *y.as<float>() = kernel.run(x.as<float>(), kElements).max; });
}

}  // namespace

void AddReductions() {
  for (const FoldF32Kernel& kernel : FoldF32Kernels()) AddFolds(kernel);
  for (const MinMaxF32Kernel& kernel : MinMaxF32Kernels()) AddMinMax(kernel);
}

}  // namespace micrort::bench
