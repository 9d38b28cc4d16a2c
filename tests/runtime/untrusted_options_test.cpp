// Operators that move data under options that nobody meant: whatever a file says, prepare rejects it or run
// stays inside its tensors. The sanitizers and the guards of OpTester find what does not.

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using testing::OpTester;
using testing::Random;

constexpr uint32_t kOptionSeeds = 1500;
constexpr size_t kMaxOutputBytes = 1 << 16;

// Mostly small and plausible, now and then a value at the end of some range.
template <typename T>
T Number(Random& random) {
  constexpr int64_t kExtremes[] = {0,
                                   -1,
                                   INT32_MAX,
                                   INT32_MIN,
                                   int64_t{1} << 31,
                                   int64_t{1} << 32,
                                   int64_t{1} << 62,
                                   std::numeric_limits<int64_t>::max(),
                                   std::numeric_limits<int64_t>::min()};
  if (random.Integer(0, 7) == 0) return static_cast<T>(kExtremes[random.Integer(0, 8)]);
  return static_cast<T>(random.Integer(-3, 5));
}

template <typename T>
std::vector<T> List(Random& random) {
  std::vector<T> list(
      static_cast<size_t>(random.Integer(0, 15) == 0 ? random.Integer(0, 20) : random.Integer(1, 4)));
  for (T& x : list) x = Number<T>(random);
  return list;
}

float Scale(Random& random) {
  constexpr float kScales[] = {1.0f,  2.0f,   0.3f, 0.0f,
                               -1.0f, 1e-30f, 3e9f, std::numeric_limits<float>::infinity()};
  return kScales[random.Integer(0, random.Integer(0, 3) == 0 ? 7 : 2)];
}

Shape RandomShape(Random& random) {
  Shape shape;
  shape.rank = static_cast<int>(random.Integer(0, 4));
  for (int i = 0; i < shape.rank; ++i) shape[i] = random.Integer(0, 9) == 0 ? 0 : random.Integer(1, 4);
  return shape;
}

// Adds a tensor of random shape and runs the operator if its output is small enough to allocate.
void RunIfSmall(OpTester& op, Random& random) {
  const Shape shape = RandomShape(random);
  std::vector<float> x(static_cast<size_t>(shape.elements()));
  random.Fill(x, -1, 1);
  op.Input<float>(shape, x);
  const int known_inputs = random.Integer(0, 3) == 0 ? static_cast<int>(random.Integer(1, 4)) : 0;
  for (int i = 0; i < known_inputs; ++i) op.Known(List<int64_t>(random));
  if (!op.Infer().ok()) return;
  const int64_t bytes = op.OutputShape().elements() * static_cast<int64_t>(SizeOf(op.OutputDType()));
  if (bytes > static_cast<int64_t>(kMaxOutputBytes)) return;
  const Status status = op.Run();
  EXPECT_TRUE(status.ok()) << status.message();
}

// make(random) gives the options of the operator.
template <typename MakeOptions>
void Fuzz(const OpRegistration& registration, MakeOptions make) {
  for (uint32_t seed = 0; seed < kOptionSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    OpTester op(registration, make(random));
    RunIfSmall(op, random);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(UntrustedOptions, Transpose) {
  Fuzz(ops::Transpose(), [](Random& random) {
    schema::TransposeOptionsT o;
    o.permutation = List<int32_t>(random);
    return o;
  });
}

TEST(UntrustedOptions, Reshape) {
  Fuzz(ops::Reshape(), [](Random& random) {
    schema::ReshapeOptionsT o;
    if (random.Integer(0, 1) == 0) o.shape = List<int32_t>(random);
    o.allow_zero = random.Integer(0, 1) == 0;
    return o;
  });
}

TEST(UntrustedOptions, Concat) {
  Fuzz(ops::Concat(), [](Random& random) {
    schema::ConcatOptionsT o;
    o.axis = Number<int32_t>(random);
    return o;
  });
}

TEST(UntrustedOptions, Slice) {
  Fuzz(ops::Slice(), [](Random& random) {
    schema::SliceOptionsT o;
    const size_t count = static_cast<size_t>(random.Integer(0, 3));
    for (size_t i = 0; i < count; ++i) {
      o.starts.push_back(Number<int64_t>(random));
      o.ends.push_back(Number<int64_t>(random));
      o.axes.push_back(static_cast<int32_t>(i));
      o.steps.push_back(Number<int64_t>(random));
    }
    return o;
  });
}

TEST(UntrustedOptions, Pad) {
  Fuzz(ops::Pad(), [](Random& random) {
    schema::PadOptionsT o;
    o.mode = static_cast<schema::PadMode>(random.Integer(0, 4));
    if (random.Integer(0, 3) > 0) o.pads = List<int64_t>(random);
    o.value = Scale(random);
    return o;
  });
}

TEST(UntrustedOptions, Expand) {
  Fuzz(ops::Expand(), [](Random& random) {
    schema::ExpandOptionsT o;
    if (random.Integer(0, 1) == 0) o.shape = List<int32_t>(random);
    return o;
  });
}

TEST(UntrustedOptions, Tile) {
  Fuzz(ops::Tile(), [](Random& random) {
    schema::TileOptionsT o;
    o.repeats = List<int32_t>(random);
    return o;
  });
}

TEST(UntrustedOptions, Shape) {
  Fuzz(ops::Shape(), [](Random& random) {
    schema::ShapeOptionsT o;
    o.start = Number<int32_t>(random);
    o.end = Number<int32_t>(random);
    return o;
  });
}

TEST(UntrustedOptions, Pool2D) {
  Fuzz(ops::Pool2D(), [](Random& random) {
    schema::Pool2DOptionsT o;
    o.kind = static_cast<schema::PoolKind>(random.Integer(0, 3));
    for (int32_t* field :
         {&o.kernel_h, &o.kernel_w, &o.stride_h, &o.stride_w, &o.dilation_h, &o.dilation_w}) {
      *field = random.Integer(0, 1) == 0 ? 1 : Number<int32_t>(random);
    }
    for (int32_t* field : {&o.pad_top, &o.pad_left, &o.pad_bottom, &o.pad_right}) {
      *field = random.Integer(0, 1) == 0 ? 0 : Number<int32_t>(random);
    }
    o.ceil_mode = random.Integer(0, 1) == 0;
    o.count_include_pad = random.Integer(0, 1) == 0;
    return o;
  });
}

TEST(UntrustedOptions, Resize) {
  Fuzz(ops::Resize(), [](Random& random) {
    schema::ResizeOptionsT o;
    o.mode = static_cast<schema::ResizeMode>(random.Integer(0, 3));
    o.coordinates = static_cast<schema::CoordinateMode>(random.Integer(0, 7));
    o.nearest = static_cast<schema::NearestMode>(random.Integer(0, 4));
    o.exclude_outside = random.Integer(0, 1) == 0;
    o.antialias = random.Integer(0, 1) == 0;
    o.cubic_a = Scale(random);
    const size_t count = static_cast<size_t>(random.Integer(1, 4));
    for (size_t i = 0; i < count; ++i) o.scales.push_back(Scale(random));
    if (random.Integer(0, 2) == 0) o.sizes = List<int32_t>(random);
    return o;
  });
}

// On their own, without bodies, they refuse everything; verify_bodies_test and fuzz_test have whole files.
TEST(UntrustedOptions, Loop) {
  Fuzz(ops::Loop(), [](Random& random) {
    schema::LoopOptionsT o;
    o.body = Number<uint32_t>(random);
    o.carried = Number<uint32_t>(random);
    o.has_condition = random.Integer(0, 1) == 0;
    return o;
  });
}

TEST(UntrustedOptions, If) {
  Fuzz(ops::If(), [](Random& random) {
    schema::IfOptionsT o;
    o.then_graph = Number<uint32_t>(random);
    o.else_graph = Number<uint32_t>(random);
    return o;
  });
}

}  // namespace
}  // namespace micrort
