// The program of tfcompile's documentation, without Eigen, and with the caller's memory for arguments.

#include <algorithm>
#include <iostream>

#include "mat_mul_comp.h"

namespace {

bool IsProduct(const foo::bar::MatMulComp& matmul) {
  const foo::bar::MatMulComp& same = matmul;
  return matmul.result0(0, 0) == 58 && matmul.result0(0, 1) == 64 && matmul.result0(1, 0) == 139 &&
         same.result_x_y_prod(1, 1) == 154 && same.result0_data() == same.results()[0];
}

}  // namespace

int main() {
  using Mode = foo::bar::MatMulComp::AllocMode;
  const float args[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

  foo::bar::MatMulComp matmul;
  matmul.set_thread_pool(nullptr);
  std::copy(args + 0, args + 6, matmul.arg0_data());
  std::copy(args + 6, args + 12, matmul.arg_y_hold_data());
  if (matmul.arg_x_hold(1, 2) != 6 || matmul.arg1(2, 0) != 11 || !matmul.Run() || !IsProduct(matmul)) {
    std::cout << "Failed. Got: " << matmul.result0(0, 0) << " " << matmul.error_msg() << std::endl;
    return 1;
  }

  foo::bar::MatMulComp lent(Mode::RESULTS_PROFILES_AND_TEMPS_ONLY);
  if (lent.Run() || *lent.error_msg() == '\0') return 2;
  lent.set_arg0_data(args);
  lent.set_arg_y_hold_data(args + 6);
  if (!lent.Run() || !IsProduct(lent) || lent.arg0_data() != args) return 3;

  static_assert(foo::bar::MatMulComp::kNumArgs == 2 && foo::bar::MatMulComp::arg0_count() == 6);
  static_assert(foo::bar::MatMulComp::result0_size() == 16 && foo::bar::MatMulComp::kArg0Shape[1] == 3);
  if (foo::bar::MatMulComp::LookupArgIndex("y_hold") != 1) return 4;
  if (foo::bar::MatMulComp::LookupResultIndex("z") != -1) return 5;
  std::cout << "Success" << std::endl;
  return 0;
}
