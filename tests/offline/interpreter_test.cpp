// The interpreter of builds that plan nothing (MICRORT_PLANNING=OFF), in place of the library's: what it
// runs, and what its callers are told that it does not do.

#include "micrort/interpreter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <vector>

#include "tests/refusal.h"
#include "tests/runtime/allocation_hook.h"
#include "tests/runtime/model_builder.h"
#include "tests/status_matchers.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr auto kInvalidArgument = StatusCode::kInvalidArgument;
constexpr size_t kBlock = 64;  // of the arena, in which its program puts both tensors
constexpr size_t kArenaBytes = 2 * kBlock;

// y = -|x|, as mnnconvert would decide it.
ModelFile DecidedModel() {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {4}), size = b.Tensor("size", kF32, {4}), y = b.Tensor("y", kF32, {4});
  schema::UnaryOptionsT absolute, negate;
  absolute.kind = schema::UnaryKind::Abs;
  negate.kind = schema::UnaryKind::Neg;
  b.Node(absolute, {x}, {size});
  b.Node(negate, {size}, {y});
  b.Output(y);
  auto program = std::make_unique<schema::ProgramT>();
  program->target = "scalar";
  program->input_shapes = {4};
  program->algorithms = {0, 0};
  program->offsets = {0, 1, 0};
  program->scratch_offsets = {0, 0};
  b.graph().programs.push_back(std::move(program));
  b.model.schema_version = 6;
  return b.Finish();
}

struct Decided {
  ModelFile file = DecidedModel();
  Result<Model> model = Model::FromBuffer(file.data(), file.size());
  OpResolver resolver = OpResolver().AddUnary();
  InterpreterOptions options;
  alignas(kBlock) std::array<uint8_t, kArenaBytes> arena;

  Decided() {
    options.resolver = &resolver;
    options.features = 0;
  }
  Result<Interpreter> Create() { return Interpreter::Create(*model, options); }
};

// What Create() says to these options.
Status CreateWith(const std::function<void(Decided*)>& change) {
  Decided decided;
  change(&decided);
  return decided.Create().status();
}

Status ResizeTo(const std::vector<Shape>& shapes, Span<const void* const> values = {}) {
  Decided decided;
  Result<Interpreter> interpreter = decided.Create();
  return interpreter.ok() ? interpreter->Resize({shapes.data(), shapes.size()}, values)
                          : interpreter.status();
}

Status OnInterpreter(Status (*call)(Interpreter*)) {
  Decided decided;
  Result<Interpreter> interpreter = decided.Create();
  return interpreter.ok() ? call(&*interpreter) : interpreter.status();
}

// Allocation number `fail_at` of Create() fails, and all after it.
Status CreateWithAllocations(size_t fail_at) {
  Decided decided;
  const AllocationHook hook(fail_at);
  return decided.Create().status();
}

class NoObserver final : public OpObserver {};

TEST(InterpreterWithoutPlanning, RunsWhatTheFileDecided) {
  Decided decided;
  Result<size_t> bytes = Interpreter::RequiredArenaBytes(*decided.model, decided.options);
  ASSERT_THAT(bytes.status(), IsOk());
  EXPECT_EQ(*bytes, kArenaBytes);
  decided.options.arena = decided.arena.data();
  decided.options.arena_bytes = *bytes;
  Result<Interpreter> interpreter = decided.Create();
  ASSERT_THAT(interpreter.status(), IsOk());
  const std::array<float, 4> x = {1, -2, 3, -4};
  std::copy(x.begin(), x.end(), interpreter->input(0).as<float>());
  ASSERT_THAT(interpreter->Run(), IsOk());
  const float* y = interpreter->output(0).as<float>();
  EXPECT_THAT(std::vector<float>(y, y + 4), ElementsAre(-1, -2, -3, -4));
}

TEST(InterpreterWithoutPlanning, TakesTheShapesOfTheFile) {
  EXPECT_THAT(ResizeTo({Shape::Of(4)}), IsOk());
  EXPECT_THAT(CreateWith([](Decided* d) {
                const Shape shape = Shape::Of(4);
                d->options.input_shapes = {&shape, 1};
              }),
              IsOk());
}

TEST(InterpreterWithoutPlanning, KeepsNoState) {
  EXPECT_THAT(OnInterpreter([](Interpreter* i) { return i->SaveState(nullptr, 0); }), IsOk());
  EXPECT_THAT(OnInterpreter([](Interpreter* i) { return i->RestoreState(nullptr, 0); }), IsOk());
}

TEST(InterpreterWithoutPlanning, EachAllocationFailsOnce) {
  size_t fail_at = 0;
  for (Status status = CreateWithAllocations(0); !status.ok(); status = CreateWithAllocations(++fail_at)) {
    ASSERT_EQ(status.code(), StatusCode::kOutOfMemory) << status.message();
  }
  EXPECT_GE(fail_at, 2u);  // itself and its arena
}

const Refusal kCalls[] = {
    {"Threads", [] { return CreateWith([](Decided* d) { d->options.threads = 2; }); },
     "threads: expected 1 in a build without planning, found 2", kUnsupported},
    {"Observer",
     [] {
       return CreateWith([](Decided* d) {
         static NoObserver observer;
         d->options.observer = &observer;
       });
     },
     "observers, choosers, whole tensors", kUnsupported},
    {"WholeTensors", [] { return CreateWith([](Decided* d) { d->options.whole_tensors = true; }); },
     "observers, choosers, whole tensors", kUnsupported},
    {"KeptInputs", [] { return CreateWith([](Decided* d) { d->options.keep_inputs = true; }); },
     "observers, choosers, whole tensors", kUnsupported},
    {"ArenaNotAligned",
     [] {
       return CreateWith([](Decided* d) {
         d->options.arena = d->arena.data() + 4;
         d->options.arena_bytes = d->arena.size();
       });
     },
     "expected an arena aligned to 64 bytes", kInvalidArgument},
    {"ArenaTooSmall",
     [] {
       return CreateWith([](Decided* d) {
         d->options.arena = d->arena.data();
         d->options.arena_bytes = d->arena.size() - 1;
       });
     },
     "expected an arena of 128 bytes, found 127", StatusCode::kOutOfMemory},
    {"MoreOperatorsThanAllowed",
     [] { return CreateWith([](Decided* d) { d->options.limits.max_operators = 1; }); },
     "expected at most 1 operators (ModelLimits::max_operators), found 2", kUnsupported},
    {"ShapesOfOtherInputs", MICRORT_STATUS(ResizeTo({})), "expected 1 input shapes, found 0",
     kInvalidArgument},
    {"OtherShape", MICRORT_STATUS(ResizeTo({Shape::Of(8)})),
     "input 'x': expected shape 4, found 8: other shapes need a build with planning", kUnsupported},
    {"ValuesOfInputs",
     [] {
       const void* const none = nullptr;
       return ResizeTo({Shape::Of(4)}, {&none, 1});
     },
     "values of inputs need a build with planning", kUnsupported},
    {"Deadline", [] { return OnInterpreter([](Interpreter* i) { return i->RunFor(1000); }); },
     "runs without deadlines", kUnsupported},
    {"SavedState",
     [] {
       return OnInterpreter([](Interpreter* i) {
         uint8_t state[4];
         return i->SaveState(state, sizeof state);
       });
     },
     "the model keeps no state", kInvalidArgument},
    {"RestoredState",
     [] {
       return OnInterpreter([](Interpreter* i) {
         const uint8_t state[4] = {};
         return i->RestoreState(state, sizeof state);
       });
     },
     "the model keeps no state", kInvalidArgument},
};
MICRORT_EXPECT_REFUSALS(CallsWithoutPlanning, kCalls);

}  // namespace
}  // namespace micrort::testing
