// Files with flipped bits and overwritten words: loading, creating and running may fail, but never crash or
// hang. Run with the sanitizers too.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "kernels/base/packed_revision.h"
#include "micrort/custom_op.h"
#include "micrort/micrort.h"
#include "tests/runtime/control_flow_models.h"
#include "tests/runtime/state_models.h"
#include "tests/runtime/stated_program.h"

namespace micrort::testing {
namespace {

// Larger ones are legal, but running them takes long.
constexpr size_t kMaxArenaBytes = 1 << 20;

// Something of all that a file can hold.
ModelFile Seed() {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {1, 6});
  const int w = b.Constant<float>("w", {1, 6}, {1, 2, 3, 4, 5, 6});
  const int scaled = b.Tensor("scaled", DType::kFloat32, {1, 6});
  const int plus = b.Tensor("plus", DType::kFloat32, {1, 6});
  const int sum = b.Tensor("sum", DType::kFloat32, {1, 6});
  const int shape = b.Tensor("shape", DType::kInt64, {2});
  const int wide = b.Tensor("wide", DType::kFloat32, {1, 6});
  const int y = b.Tensor("y", DType::kFloat32, {3, 2});
  const int q = b.Constant<int8_t>("q", {2}, {1, 2});
  b.tensor(q).quantization = std::make_unique<schema::QuantizationT>();
  b.tensor(q).quantization->scales = {0.5f, 0.25f};
  b.tensor(q).quantization->axis = 0;
  b.tensor(x).dim_names = {"batch", ""};
  b.Node(schema::MatMulOptionsT(), {x, w}, {scaled}, "scale");
  b.Node(schema::UnaryOptionsT(), {scaled}, {plus}, "plus");
  b.Node(schema::BinaryOptionsT(), {scaled, plus}, {sum}, "add");
  b.Node(schema::ShapeOptionsT(), {sum}, {shape}, "shape");
  b.Node(schema::ExpandOptionsT(), {sum, shape}, {wide}, "expand");
  schema::ReshapeOptionsT reshape;
  reshape.shape = {3, 2};
  b.Node(reshape, {wide}, {y}, "reshape");
  b.Output(y);
  b.Output(q);
  b.Plan({0, -1, 64, 128, 192, -1, 0, 64, -1}, 256);
  return b.Finish();
}

// x * w, and w is there packed only.
ModelFile PackedSeed() {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {1, 6});
  const int w = b.Constant<float>("w", {1, 6}, {});
  const int doubled = b.Constant<float>("doubled", {1, 6}, {2, 4, 6, 8, 10, 12});
  const int y = b.Tensor("y", DType::kFloat32, {1, 6});
  schema::OperatorT& node = b.Node(schema::MatMulOptionsT(), {x, w}, {y}, "scale");
  node.packed.push_back(std::make_unique<schema::PackedWeightsT>());
  node.packed[0]->layout = kDoubled;
  node.packed[0]->buffer = b.tensor(doubled).buffer;
  b.tensor(w).packed_only = true;
  b.model.schema_version = 3;
  b.model.target = "scalar";
  b.model.packed_revision = kPackedRevision;
  b.Output(y);
  return b.Finish();
}

// Values kept between runs, one of a dynamic shape and one with an initial value.
ModelFile StateSeed() {
  ModelBuilder b = Accumulator({-1, 2});
  for (const auto& tensor : b.graph().tensors) tensor->dim_names = {"batch", ""};
  const int last = b.Input("last", kF32, {1, 3});
  const int constant = b.Constant<float>("constant", {1, 3}, {1, 2, 3});
  const int product = b.Tensor("product", kF32, {1, 3});
  b.Node(schema::BinaryOptionsT(), {last, constant}, {product}, "add");
  KeepState(b, product).initial = b.tensor(constant).buffer;
  return b.Finish();
}

// Decisions of every kind, for the CPU at hand.
ModelFile ProgramSeed() {
  EveryRewrite model;
  model.State(StatedProgram(model.b, ThisMachine(), EveryRewrite::All()));
  return model.b.Finish();
}

// Returns whether the file ran.
bool LoadCreateRun(const ModelFile& file, const OpResolver& resolver) {
  auto model = Model::FromBuffer(file.data(), file.size());
  if (!model.ok()) return false;
  InterpreterOptions options;
  options.resolver = &resolver;
  const auto bytes = Interpreter::RequiredArenaBytes(*model, options);
  if (!bytes.ok() || bytes.value() > kMaxArenaBytes) return false;
  auto interpreter = Interpreter::Create(*model, options);
  if (!interpreter.ok()) return false;
  for (size_t i = 0; i < interpreter->input_count(); ++i) {
    const TensorView input = interpreter->input(i);
    std::memset(input.data, 1, input.bytes());
  }
  if (!interpreter->Run().ok()) return false;
  std::vector<uint8_t> state(interpreter->StateBytes());
  EXPECT_TRUE(interpreter->SaveState(state.data(), state.size()).ok());
  EXPECT_TRUE(interpreter->RestoreState(state.data(), state.size()).ok());
  return interpreter->state_count() == 0 || interpreter->Run().ok();
}

void FlipEveryBit(ModelFile file, const OpResolver& resolver) {
  for (size_t bit = 0; bit < file.size() * 8; ++bit) {
    file.data()[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    LoadCreateRun(file, resolver);
    file.data()[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
  }
}

void OverwriteWords(const ModelFile& seed, const OpResolver& resolver, unsigned times) {
  const uint32_t words[] = {0, 1, 2, 8, 64, 0x7fffffff, 0x80000000, 0xffffffff, 0x40000000, 0xfffffffe};
  for (unsigned n = 0; n < times; ++n) {
    std::mt19937 random(n);
    ModelFile file(seed.data(), seed.size());
    for (unsigned k = 0; k <= n % 3; ++k) {
      const size_t at = random() % (file.size() / 4) * 4;
      const uint32_t word = random() % 4 == 0 ? random() % 256 : words[random() % std::size(words)];
      std::memcpy(file.data() + at, &word, sizeof word);
    }
    SCOPED_TRACE(n);
    LoadCreateRun(file, resolver);
  }
}

// Takes whatever attributes and shapes come.
micrort_status PrepareAny(micrort_custom_call* call) {
  call->outputs[0].dtype = MICRORT_FLOAT32;
  call->outputs[0].shape.rank = 1;
  call->outputs[0].shape.dims[0] = 1;
  return MICRORT_OK;
}

micrort_status SumOfAttributes(micrort_custom_call* call) {
  double sum = 0;
  for (size_t i = 0; i < call->attribute_count; ++i) {
    const micrort_attribute& a = call->attributes[i];
    for (size_t k = 0; a.name[k] != 0; ++k) sum += a.name[k];
    for (size_t k = 0; k < a.int_count; ++k) sum += static_cast<double>(a.ints[k]);
    for (size_t k = 0; k < a.float_count; ++k) sum += static_cast<double>(a.floats[k]);
    for (size_t k = 0; k < a.text_bytes; ++k) sum += a.text[k];
  }
  static_cast<float*>(call->outputs[0].data)[0] = static_cast<float>(sum > 0);
  return MICRORT_OK;
}

const micrort_custom_op kSumOfAttributes = {sizeof(micrort_custom_op), "test", "Sum", nullptr, PrepareAny,
                                            SumOfAttributes,           0};

ModelFile CustomSeed() {
  ModelBuilder b;
  b.model.schema_version = 7;
  const int x = b.Input("x", kF32, {4});
  const int y = b.Tensor("y", kF32, {1});
  schema::CustomOptionsT options;
  options.domain = "test";
  options.name = "Sum";
  for (int i = 0; i < 3; ++i) options.attributes.push_back(std::make_unique<schema::CustomAttributeT>());
  options.attributes[0]->name = "ints";
  options.attributes[0]->ints = {1, 2, 3};
  options.attributes[1]->name = "floats";
  options.attributes[1]->floats = {0.5f};
  options.attributes[2]->name = "texts";
  options.attributes[2]->texts = {"a", "bc"};
  b.Node(std::move(options), {x}, {y});
  b.Output(y);
  return b.Finish();
}

const OpResolver& CustomOps() {
  static const OpResolver resolver = [] {
    OpResolver ops = AllOps();
    ops.AddCustom(kSumOfAttributes);
    return ops;
  }();
  return resolver;
}

TEST(Fuzz, EveryBitFlippedAroundCustomOperators) { FlipEveryBit(CustomSeed(), CustomOps()); }

TEST(Fuzz, WordsOverwrittenAroundCustomOperators) { OverwriteWords(CustomSeed(), CustomOps(), 4000); }

constexpr DType kCacheTypes[] = {DType::kFloat32, DType::kFloat16, DType::kInt8};

ModelFile CacheSeed(DType type) {
  CacheIds ids;
  return SumOfRows(&ids, 1, type).Finish();
}

TEST(Fuzz, EveryBitFlippedAroundCaches) {
  for (const DType type : kCacheTypes) FlipEveryBit(CacheSeed(type), AllOps());
}

TEST(Fuzz, WordsOverwrittenAroundCaches) {
  for (const DType type : kCacheTypes) OverwriteWords(CacheSeed(type), AllOps(), 4000);
}

TEST(Fuzz, TheSeedsRun) {
  for (const DType type : kCacheTypes) EXPECT_TRUE(LoadCreateRun(CacheSeed(type), AllOps())) << Name(type);
  EXPECT_TRUE(LoadCreateRun(CustomSeed(), CustomOps()));
  EXPECT_TRUE(LoadCreateRun(Seed(), FakeOps()));
  EXPECT_TRUE(LoadCreateRun(PackedSeed(), FakeOps()));
  EXPECT_TRUE(LoadCreateRun(LoopOverRows().Finish(), AllOps()));
  EXPECT_TRUE(LoadCreateRun(StateSeed(), AllOps()));
  EXPECT_TRUE(LoadCreateRun(ProgramSeed(), AllOps()));
}

TEST(Fuzz, EveryBitFlipped) { FlipEveryBit(Seed(), FakeOps()); }

TEST(Fuzz, WordsOverwritten) { OverwriteWords(Seed(), FakeOps(), 4000); }

TEST(Fuzz, EveryBitFlippedAroundPackedWeights) { FlipEveryBit(PackedSeed(), FakeOps()); }

TEST(Fuzz, WordsOverwrittenAroundPackedWeights) { OverwriteWords(PackedSeed(), FakeOps(), 2000); }

TEST(Fuzz, EveryBitFlippedInBodies) { FlipEveryBit(LoopOverRows().Finish(), AllOps()); }

TEST(Fuzz, EveryBitFlippedAroundStates) { FlipEveryBit(StateSeed(), AllOps()); }

TEST(Fuzz, WordsOverwrittenAroundStates) { OverwriteWords(StateSeed(), AllOps(), 4000); }

TEST(Fuzz, EveryBitFlippedAroundPrograms) { FlipEveryBit(ProgramSeed(), AllOps()); }

TEST(Fuzz, WordsOverwrittenAroundPrograms) { OverwriteWords(ProgramSeed(), AllOps(), 4000); }

TEST(Fuzz, WordsOverwrittenInBodies) { OverwriteWords(LoopOverRows().Finish(), AllOps(), 4000); }

}  // namespace
}  // namespace micrort::testing
