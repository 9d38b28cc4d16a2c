#include "kernels/elementwise/convert_elements.h"

#include "kernels/elementwise/convert_element.h"

namespace micrort {
namespace {

using ConvertFn = void (*)(const void* from, void* to, size_t n);

template <typename From, typename To>
void Convert(const void* from, void* to, size_t n) {
  const auto* x = static_cast<const From*>(from);
  auto* y = static_cast<To*>(to);
  for (size_t i = 0; i < n; ++i) y[i] = ConvertElement<To>(x[i]);
}

// From each element type to its compute type; null where they are the same. In the order of DType.
constexpr ConvertFn kLoad[kDTypeCount] = {
    nullptr,
    nullptr,
    Convert<Half, float>,
    Convert<int8_t, int64_t>,
    Convert<uint8_t, int64_t>,
    Convert<int16_t, int64_t>,
    Convert<uint16_t, int64_t>,
    Convert<int32_t, int64_t>,
    Convert<uint32_t, int64_t>,
    nullptr,
    nullptr,
    nullptr,
    Convert<Bool, int64_t>,
    Convert<BFloat16, float>,
    nullptr,
};

template <typename From>
struct StoreRow {
  // In the order of DType.
  static constexpr ConvertFn kTo[kDTypeCount] = {
      nullptr,
      Convert<From, float>,
      Convert<From, Half>,
      Convert<From, int8_t>,
      Convert<From, uint8_t>,
      Convert<From, int16_t>,
      Convert<From, uint16_t>,
      Convert<From, int32_t>,
      Convert<From, uint32_t>,
      Convert<From, int64_t>,
      Convert<From, uint64_t>,
      Convert<From, double>,
      Convert<From, bool>,
      Convert<From, BFloat16>,
      nullptr,
  };
};

// In the order of ComputeType.
constexpr const ConvertFn* kStore[kComputeTypeCount] = {
    StoreRow<float>::kTo,
    StoreRow<double>::kTo,
    StoreRow<int64_t>::kTo,
    StoreRow<uint64_t>::kTo,
};

}  // namespace

void LoadElements(DType dtype, const void* from, void* to, size_t n) {
  kLoad[static_cast<int>(dtype)](from, to, n);
}

void StoreElements(ComputeType type, DType dtype, const void* from, void* to, size_t n) {
  kStore[static_cast<int>(type)][static_cast<int>(dtype)](from, to, n);
}

}  // namespace micrort
