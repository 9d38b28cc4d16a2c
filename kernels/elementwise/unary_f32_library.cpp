#include "kernels/elementwise/unary_f32.h"
#include "kernels/elementwise/unary_library.h"

namespace micrort {

void UnaryF32Library(const UnaryOp& op, const float* x, float* y, size_t n) {
  double (*f)(double) = LibraryUnary(op.kind);
  for (size_t i = 0; i < n; ++i) y[i] = static_cast<float>(f(static_cast<double>(x[i])));
}

}  // namespace micrort
