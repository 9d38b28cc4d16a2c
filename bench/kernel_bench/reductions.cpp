// The families of reductions and normalizations: data in the first-level cache.

#include <string>

#include "bench/kernel_bench/variant.h"
#include "kernels/normalize/normalize_f32.h"
#include "kernels/reduce/fold_f32.h"
#include "kernels/reduce/min_max_f32.h"

namespace micrort::bench {

namespace {

constexpr size_t kElements = 2048, kColumns = 64;

void AddFolds(const FoldF32Kernel& kernel) {
  const Buffer x(kElements * sizeof(float)), y(kColumns * sizeof(float));
  const Work work = {0, sizeof(float) * kElements};
  const std::string name = std::string("fold_f32/") + kernel.name;
  AddVariant(name + "/sum_of_run", kernel.features, work,
             [=, &kernel] { kernel.run(FoldKind::kSum, 0, x.as<float>(), kElements, y.as<float>()); });
  AddVariant(name + "/sum_of_columns", kernel.features, work, [=, &kernel] {
    kernel.columns(FoldKind::kSum, nullptr, x.as<float>(), kElements / kColumns, kColumns, kColumns,
                   y.as<float>());
  });
}

void AddMinMax(const MinMaxF32Kernel& kernel) {
  const Buffer x(kElements * sizeof(float)), y(sizeof(float));
  AddVariant(std::string("min_max_f32/") + kernel.name, kernel.features, {0, sizeof(float) * kElements},
             [=, &kernel] { *y.as<float>() = kernel.run(x.as<float>(), kElements).max; });
}

void AddNormalize(const NormalizeF32Kernel& kernel) {
  const Buffer x(kElements * sizeof(float)), y(kElements * sizeof(float)), affine(kElements * sizeof(float));
  const Work work = {0, 2.0 * sizeof(float) * kElements};
  const std::string name = std::string("normalize_f32/") + kernel.name;
  AddVariant(name + "/rows", kernel.features, work, [=, &kernel] {
    const NormalizeRowF32 p = {1e-5f, true, affine.as<float>(), affine.as<float>(), 1, 1};
    kernel.rows(p, x.as<float>(), y.as<float>(), 4, kElements / 4);
  });
  AddVariant(name + "/affine_columns", kernel.features, work, [=, &kernel] {
    const ColumnsAffineF32 p = {affine.as<float>(), affine.as<float>(), affine.as<float>()};
    kernel.affine_columns(p, x.as<float>(), y.as<float>(), kElements / kColumns, kColumns, kColumns);
  });
  AddVariant(name + "/square_columns", kernel.features, {0, sizeof(float) * kElements}, [=, &kernel] {
    kernel.square_columns(affine.as<float>(), x.as<float>(), kElements / kColumns, kColumns, kColumns,
                          y.as<float>());
  });
}

}  // namespace

void AddReductions() {
  for (const FoldF32Kernel& kernel : FoldF32Kernels()) AddFolds(kernel);
  for (const MinMaxF32Kernel& kernel : MinMaxF32Kernels()) AddMinMax(kernel);
  for (const NormalizeF32Kernel& kernel : NormalizeF32Kernels()) AddNormalize(kernel);
}

}  // namespace micrort::bench
