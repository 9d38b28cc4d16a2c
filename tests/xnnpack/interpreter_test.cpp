// Interpreters whose layers XNNPACK computes.

#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <thread>

#include "micrort/allocator.h"
#include "micrort/tuned_choices.h"
#include "tests/runtime/allocation_hook.h"
#include "tests/runtime/layer_model.h"
#include "tests/runtime/packed_model.h"
#include "tests/status_matchers.h"

namespace micrort::testing {
namespace {

using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pointwise;
using ::testing::StartsWith;

constexpr char kXnnpack[] = "xnnpack_f32/operator";

class AlgorithmsObserver final : public OpObserver {
 public:
  void BeforeOp(const OpInfo& op) override { names.push_back(op.algorithm); }
  std::vector<std::string> names;
};

std::vector<float> Ramp(size_t count, size_t step) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * step % 23) * 0.0625f - 0.5f;
  return values;
}

// A depthwise convolution, a pointwise one, a mean and a product, each with a bias.
ModelBuilder SmallNetwork(std::vector<int32_t> input = {1, 9, 7, 8}) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, input);
  const int filters = b.Constant<float>("filters", {3, 3, 8}, Ramp(72, 5));
  const int bias = b.Constant<float>("bias", {8}, Ramp(8, 3));
  const int filtered = b.Tensor("filtered", kF32, input);
  schema::DepthwiseConv2DOptionsT depthwise;
  depthwise.pad_top = depthwise.pad_left = depthwise.pad_bottom = depthwise.pad_right = 1;
  b.Node(depthwise, {x, filters, bias}, {filtered}, "filter");
  input[3] = 20;
  const int columns = b.Constant<float>("columns", {20, 1, 1, 8}, Ramp(160, 7));
  const int mixed = b.Tensor("mixed", kF32, input);
  b.Node(schema::Conv2DOptionsT(), {filtered, columns}, {mixed}, "mix");
  const int matrix = b.Constant<float>("matrix", {20, 30}, Ramp(600, 11));
  input[3] = 30;
  const int y = b.Tensor("y", kF32, input);
  b.Node(schema::MatMulOptionsT(), {mixed, matrix}, {y}, "product");
  b.Output(y);
  return b;
}

struct Outcome {
  std::vector<float> y;
  std::vector<std::string> algorithms;
};

void Fill(const Interpreter& interpreter) {
  const TensorView x = interpreter.input(0);
  for (size_t i = 0; i < x.elements(); ++i) x.as<float>()[i] = static_cast<float>(i % 17) * 0.25f - 2;
}

Outcome RunOn(const ModelBuilder& b, InterpreterOptions options) {
  Outcome outcome;
  AlgorithmsObserver observer;
  options.observer = &observer;
  options.whole_tensors = true;
  const ModelFile file = b.Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  EXPECT_THAT(model, IsOk());
  auto interpreter = Interpreter::Create(*model, options);
  EXPECT_THAT(interpreter, IsOk());
  if (!interpreter.ok()) return outcome;
  Fill(*interpreter);
  EXPECT_THAT(interpreter->Run(), IsOk());
  const TensorView y = interpreter->output(0);
  outcome.y.assign(y.as<float>(), y.as<float>() + y.elements());
  outcome.algorithms = observer.names;
  return outcome;
}

InterpreterOptions Choosing(const AlgorithmChooser& chooser, int threads = 1) {
  InterpreterOptions options;
  options.chooser = &chooser;
  options.threads = threads;
  return options;
}

TEST(XnnpackLayers, ComputeWhatOursDo) {
  const NamedChooser chooser(kXnnpack);
  const std::vector<float> expected = RunOn(SmallNetwork(), {}).y;
  for (const int threads : {1, 3}) {
    const Outcome outcome = RunOn(SmallNetwork(), Choosing(chooser, threads));
    EXPECT_THAT(outcome.algorithms, ::testing::Each(kXnnpack));
    EXPECT_EQ(outcome.algorithms.size(), 3u);
    EXPECT_THAT(outcome.y, Pointwise(FloatNear(1e-4f), expected));
  }
}

TEST(XnnpackLayers, AreNeverTakenUnasked) {
  EXPECT_THAT(RunOn(SmallNetwork(), {}).algorithms, ::testing::Each(Not(StartsWith("xnnpack"))));
  class Cheapest final : public AlgorithmChooser {
   public:
    Status Choose(const LayerAlgorithms& layer, size_t* choice) const override {
      *choice = layer.cheapest;
      double least = layer.algorithms[layer.cheapest].cost;
      for (const AlgorithmInfo& info : layer.algorithms) EXPECT_GE(info.cost, least);
      return Status();
    }
  };
  const Cheapest chooser;
  EXPECT_THAT(RunOn(SmallNetwork(), Choosing(chooser)).algorithms,
              ::testing::Each(Not(StartsWith("xnnpack"))));
}

TEST(XnnpackLayers, AreTakenWhereAMeasurementSaysSo) {
  const NamedChooser asked("");
  RunOn(LayerModel(), Choosing(asked));
  char layer[20];
  std::snprintf(layer, sizeof layer, "%016llx", static_cast<unsigned long long>(asked.question.layer));
  const std::string text = std::string("micrort-tuned 1\ncpu ") + IsaName(asked.question.features) +
                           " threads 1 layers 1\n" + layer + " " + kXnnpack + "\nend\n";
  auto tuned = TunedChoices::FromText({text.data(), text.size()}, "tuned.txt");
  ASSERT_THAT(tuned, IsOk());
  const Outcome outcome = RunOn(LayerModel(), Choosing(*tuned));
  EXPECT_THAT(outcome.algorithms, ::testing::ElementsAre(kXnnpack));
  EXPECT_THAT(outcome.y, Pointwise(FloatNear(2e-3f), RunOn(LayerModel(), {}).y));
}

bool IsOffered(const ModelBuilder& b, InterpreterOptions options = {}) {
  const NamedChooser chooser("");
  options.chooser = &chooser;
  const ModelFile file = b.Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  EXPECT_THAT(model, IsOk());
  EXPECT_THAT(Interpreter::Create(*model, options), IsOk());
  for (const AlgorithmInfo& info : chooser.infos) {
    if (std::string(info.name) == kXnnpack) return true;
  }
  return false;
}

TEST(XnnpackLayers, AreOfferedWhereXnnpackKeepsToWhatIsAskedFor) {
  EXPECT_TRUE(IsOffered(LayerModel()));
  InterpreterOptions scalar;
  scalar.features = 0;
  EXPECT_FALSE(IsOffered(LayerModel(), scalar));  // it takes all instructions that the CPU has
  InterpreterOptions bound;
  bound.threads = 2;
  bound.cpus = 1;
  EXPECT_FALSE(IsOffered(LayerModel(), bound));
  bound.threads = 1;
  EXPECT_TRUE(IsOffered(LayerModel(), bound));
}

TEST(XnnpackLayers, AreNoneOfLayersWithAResidual) {
  ModelBuilder b = LayerModel();
  schema::OperatorT& layer = *b.graph().operators[0];
  const int bias = b.Constant<float>("bias", {kLayerChannels}, Ramp(kLayerChannels, 3));
  layer.inputs.push_back(bias);
  EXPECT_TRUE(IsOffered(b));
  layer.inputs.push_back(layer.inputs[0]);
  EXPECT_FALSE(IsOffered(b));
}

// So that what is measured of one is not taken for the other.
TEST(XnnpackLayers, WithAndWithoutAResidualAreOthersToWhoeverChooses) {
  ModelBuilder b = LayerModel();
  b.graph().operators[0]->inputs.push_back(
      b.Constant<float>("bias", {kLayerChannels}, Ramp(kLayerChannels, 3)));
  std::vector<uint64_t> layers;
  for (const bool has_residual : {false, true}) {
    if (has_residual) b.graph().operators[0]->inputs.push_back(b.graph().operators[0]->inputs[0]);
    const NamedChooser chooser("");
    RunOn(b, Choosing(chooser));
    layers.push_back(chooser.question.layer);
    const ModelFile file = b.Finish();
    auto model = Model::FromBuffer(file.data(), file.size());
    AlgorithmObserver observer;
    InterpreterOptions unasked;
    unasked.observer = &observer;
    auto interpreter = Interpreter::Create(*model, unasked);
    ASSERT_THAT(interpreter, IsOk());
    EXPECT_THAT(interpreter->Run(), IsOk());
    EXPECT_EQ(observer.layer, layers.back());
  }
  EXPECT_NE(layers[0], layers[1]);
}

TEST(XnnpackLayers, AreNoneOfWeightsThatEachRunComputes) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {5, 6}), w = b.Input("w", kF32, {6, 7});
  const int y = b.Tensor("y", kF32, {5, 7});
  b.Node(schema::MatMulOptionsT(), {x, w}, {y});
  b.Output(y);
  EXPECT_FALSE(IsOffered(b));
}

TEST(XnnpackLayers, PackFromWeightsThatTheFileHasAsTheyAre) {
  ModelBuilder b = LayerModel();
  PackFor(IsaName(DetectCpuFeatures()), &b);
  ASSERT_TRUE(IsOffered(b));
  const NamedChooser chooser(kXnnpack);
  EXPECT_THAT(RunOn(b, Choosing(chooser)).y, Pointwise(FloatNear(2e-3f), RunOn(LayerModel(), {}).y));
  KeepPackedOnly(b.graph().operators[0]->inputs[1], &b);
  EXPECT_FALSE(IsOffered(b));
}

schema::TensorT& Quantize(int tensor, std::vector<float> scales, std::vector<int32_t> zero_points,
                          ModelBuilder* b) {
  schema::TensorT& t = b->tensor(tensor);
  t.quantization = std::make_unique<schema::QuantizationT>();
  t.quantization->scales = std::move(scales);
  t.quantization->zero_points = std::move(zero_points);
  return t;
}

// 3x3 from int8 to int8, a scale a channel.
ModelBuilder Int8Layer() {
  ModelBuilder b;
  const std::vector<int32_t> shape = {1, 12, 9, 8};
  const int x = b.Input("x", DType::kInt8, shape);
  std::vector<int8_t> values(size_t{8} * 9 * 8);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int8_t>(i * 11 % 255 - 127);
  const int w = b.Constant<int8_t>("w", {8, 3, 3, 8}, values);
  const int bias = b.Constant<int32_t>("bias", {8}, {9, -800, 700, 6, 50, 400, -3000, 2});
  const int y = b.Tensor("y", DType::kInt8, shape);
  Quantize(x, {0.05f}, {3}, &b);
  Quantize(w, {0.011f, 0.012f, 0.013f, 0.014f, 0.015f, 0.016f, 0.017f, 0.018f}, {}, &b).quantization->axis =
      0;
  Quantize(y, {1.7f}, {-20}, &b);
  schema::Conv2DOptionsT options;
  options.pad_top = options.pad_left = options.pad_bottom = options.pad_right = 1;
  b.Node(options, {x, w, bias}, {y}, "layer");
  b.Output(y);
  return b;
}

TEST(XnnpackLayers, OfInt8HaveOurBits) {
  const ModelFile file = Int8Layer().Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_THAT(model, IsOk());
  std::vector<std::vector<int8_t>> outputs;
  for (const char* algorithm : {"implicit_gemm_s8/", "xnnpack_s8/operator"}) {
    const NamedChooser chooser(algorithm);
    AlgorithmObserver observer;
    InterpreterOptions options = Choosing(chooser);
    options.observer = &observer;
    auto interpreter = Interpreter::Create(*model, options);
    ASSERT_THAT(interpreter, IsOk());
    const TensorView x = interpreter->input(0), y = interpreter->output(0);
    for (size_t i = 0; i < x.elements(); ++i) x.as<int8_t>()[i] = static_cast<int8_t>(i * 7 % 256 - 128);
    ASSERT_THAT(interpreter->Run(), IsOk());
    EXPECT_THAT(observer.algorithm, StartsWith(algorithm));
    outputs.emplace_back(y.as<int8_t>(), y.as<int8_t>() + y.elements());
  }
  EXPECT_EQ(outputs[0], outputs[1]);
}

TEST(XnnpackLayers, OfOneModelRunAtTheSameTime) {
  const NamedChooser chooser(kXnnpack);
  const ModelFile file = SmallNetwork().Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_THAT(model, IsOk());
  const std::vector<float> expected = RunOn(SmallNetwork(), Choosing(chooser)).y;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      const NamedChooser own(kXnnpack);
      auto interpreter = Interpreter::Create(*model, Choosing(own));
      ASSERT_THAT(interpreter, IsOk());
      for (int run = 0; run < 50; ++run) {
        Fill(*interpreter);
        ASSERT_THAT(interpreter->Run(), IsOk());
        const TensorView y = interpreter->output(0);
        ASSERT_EQ(std::vector<float>(y.as<float>(), y.as<float>() + y.elements()), expected);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(XnnpackLayers, FollowOtherShapes) {
  const NamedChooser chooser(kXnnpack);
  const ModelFile file = SmallNetwork({-1, -1, -1, 8}).Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_THAT(model, IsOk());
  auto interpreter = Interpreter::Create(*model, Choosing(chooser, 2));
  ASSERT_THAT(interpreter, IsOk());
  for (const Shape& shape : {Shape::Of(1, 9, 7, 8), Shape::Of(2, 20, 31, 8), Shape::Of(1, 1, 1, 8)}) {
    ASSERT_THAT(interpreter->Resize({&shape, 1}), IsOk());
    Fill(*interpreter);
    ASSERT_THAT(interpreter->Run(), IsOk());
    const TensorView y = interpreter->output(0);
    const std::vector<float> found(y.as<float>(), y.as<float>() + y.elements());
    std::vector<int32_t> dims;
    for (int d = 0; d < 4; ++d) dims.push_back(static_cast<int32_t>(shape[d]));
    EXPECT_THAT(found, Pointwise(FloatNear(1e-4f), RunOn(SmallNetwork(dims), {}).y));
  }
}

// Memory in front of pages that nobody may read.
class GuardedArena {
 public:
  explicit GuardedArena(size_t bytes) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    size_ = (bytes + page - 1) / page * page + page;
    memory_ = static_cast<uint8_t*>(
        mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_EQ(mprotect(memory_ + size_ - page, page, PROT_NONE), 0);
    data_ = memory_ + size_ - page - bytes;
  }
  ~GuardedArena() { munmap(memory_, size_); }
  void* data() const { return data_; }

 private:
  uint8_t *memory_, *data_;
  size_t size_;
};

TEST(XnnpackLayers, ReadNothingBehindTheArena) {
  const NamedChooser chooser(kXnnpack);
  const ModelFile file = SmallNetwork().Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_THAT(model, IsOk());
  InterpreterOptions options = Choosing(chooser);
  auto bytes = Interpreter::RequiredArenaBytes(*model, options);
  ASSERT_THAT(bytes, IsOk());
  const GuardedArena arena(*bytes);
  options.arena = arena.data();
  options.arena_bytes = *bytes;
  auto interpreter = Interpreter::Create(*model, options);
  ASSERT_THAT(interpreter, IsOk());
  EXPECT_EQ(interpreter->arena_bytes(), *bytes);
  Fill(*interpreter);
  EXPECT_THAT(interpreter->Run(), IsOk());
  --options.arena_bytes;
  EXPECT_THAT(Interpreter::Create(*model, options),
              IsError(StatusCode::kOutOfMemory, HasSubstr("expected an arena of")));
}

TEST(XnnpackLayers, AllocateNothingWhileTheyRun) {
  const NamedChooser chooser(kXnnpack);
  const ModelFile file = SmallNetwork().Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_THAT(model, IsOk());
  auto interpreter = Interpreter::Create(*model, Choosing(chooser));
  ASSERT_THAT(interpreter, IsOk());
  bool ran = false;
  {
    const AllocationHook hook;
    ran = interpreter->Run().ok();
  }
  EXPECT_TRUE(ran);
  EXPECT_EQ(AllocationHook::count(), 0u);
}

// Every piece of memory, XNNPACK's own included, fails once; what was there before is given back.
TEST(XnnpackLayers, EndWithAnErrorWhereThereIsNoMemory) {
  class Xnnpack final : public AlgorithmChooser {
   public:
    Status Choose(const LayerAlgorithms& layer, size_t* choice) const override {
      *choice = layer.algorithms.size() - 1;
      return Status();
    }
  };
  struct Pieces {
    size_t taken = 0, left = 0, most = 0;
  } pieces;
  Allocator allocator;
  allocator.context = &pieces;
  allocator.allocate = [](void* context, size_t bytes, size_t alignment) -> void* {
    auto& p = *static_cast<Pieces*>(context);
    if (p.taken == p.most) return nullptr;
    ++p.taken;
    ++p.left;
    return std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
  };
  allocator.deallocate = [](void* context, void* data, size_t) {
    --static_cast<Pieces*>(context)->left;
    std::free(data);
  };
  const Xnnpack chooser;
  const ModelFile file = SmallNetwork().Finish();
  SetAllocator(allocator);
  StatusCode code = StatusCode::kOutOfMemory;
  for (pieces.most = 0; code != StatusCode::kOk && pieces.most < 1000; ++pieces.most) {
    pieces.taken = 0;
    {
      auto model = Model::FromBuffer(file.data(), file.size());
      code = model.status().code();
      if (model.ok()) code = Interpreter::Create(*model, Choosing(chooser)).status().code();
    }
    ASSERT_EQ(pieces.left, 0u) << "after " << pieces.most << " pieces";
    ASSERT_TRUE(code == StatusCode::kOk || code == StatusCode::kOutOfMemory);
  }
  SetAllocator(Allocator());
  EXPECT_EQ(code, StatusCode::kOk);
  EXPECT_GT(pieces.most, 20u);
}

}  // namespace
}  // namespace micrort::testing
