#pragma once
// Operators made for tests of the interpreter, under the codes of real ones.

#include "micrort/op_resolver.h"
#include "runtime/ops/op.h"

namespace micrort::testing {

// Unary: y = x + 1, float32, in place where it may.
const OpRegistration& FakeAddOne();
// Binary: y = a + b, float32 of equal shapes, never in place. Fills 256 bytes of scratch a worker.
const OpRegistration& FakeAdd();
// What packed weights of these are called.
constexpr char kDoubled[] = "implicit_gemm_f32/scalar_4x8";

// MatMul: y[i] = x[i] * w[i] with w packed: each weight doubled. Without packed weights where w is no
// constant.
const OpRegistration& FakeScale();
// Gather: y = x, but kOutOfRange if an element is negative.
const OpRegistration& FakeCheck();
// Softmax: kInvalidModel in parse if its axis is 7, kUnsupported in prepare if its axis is 8; else y = x.
const OpRegistration& FakePicky();
// Slice: the elements of a vector that are not negative: its output has a bound.
const OpRegistration& FakeKeep();

// The fakes above with the real Shape, Reshape and Expand.
OpResolver FakeOps();
// How often a fake has packed weights since the program began.
int FakePackCount();

}  // namespace micrort::testing
