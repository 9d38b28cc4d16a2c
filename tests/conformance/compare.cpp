#include "tests/conformance/compare.h"

#include <cmath>
#include <cstring>

#include "tools/io/session.h"

namespace micrort::conformance {
namespace {

constexpr double kRelative = 1e-3, kAbsolute = 1e-5;

bool Close(double expected, double found) {
  if (std::isnan(expected) || std::isnan(found)) return std::isnan(expected) && std::isnan(found);
  if (std::isinf(expected) || std::isinf(found)) return expected == found;
  return std::fabs(found - expected) <= kAbsolute + kRelative * std::fabs(expected);
}

}  // namespace

Status Compare(const io::NamedArray& expected, const TensorView& view) {
  io::NamedArray found{"", view.dtype, io::ToVector(view.shape), {}};
  if (expected.dtype != found.dtype || expected.shape != found.shape) {
    return MICRORT_ERROR(kInternal, "expected %s %s, found %s %s", Name(expected.dtype),
                         io::ShapeText(expected.shape).c_str(), Name(found.dtype),
                         io::ShapeText(found.shape).c_str());
  }
  const auto* bytes = static_cast<const uint8_t*>(view.data);
  found.data.assign(bytes, bytes + view.bytes());
  if (!IsFloat(expected.dtype)) {
    return found.data == expected.data ? Status() : MICRORT_ERROR(kInternal, "integers differ");
  }
  io::NamedArray wide_expected, wide_found;
  MICRORT_RETURN_IF_ERROR(io::ConvertArray(expected, DType::kFloat64, &wide_expected));
  MICRORT_RETURN_IF_ERROR(io::ConvertArray(found, DType::kFloat64, &wide_found));
  for (size_t i = 0; i < wide_expected.elements(); ++i) {
    const double e = wide_expected.as<double>()[i], f = wide_found.as<double>()[i];
    if (!Close(e, f)) return MICRORT_ERROR(kInternal, "element %zu: expected %g, found %g", i, e, f);
  }
  return Status();
}

}  // namespace micrort::conformance
