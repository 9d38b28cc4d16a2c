// Files that are larger than this library goes, and bytes that lie where they cannot be used.

#include <gmock/gmock.h>

#include <cstring>

#include "micrort/model.h"
#include "tests/runtime/model_builder.h"

namespace micrort::testing {
namespace {

using ::testing::HasSubstr;

Status LoadFile(const ModelBuilder& b) {
  const ModelFile file = b.Finish();
  return Model::FromBuffer(file.data(), file.size()).status();
}

// A chain of so many operators.
ModelBuilder LongChain(int operators) {
  ModelBuilder b;
  int last = b.Input("x", kF32, {1});
  for (int i = 0; i < operators; ++i) {
    const int next = b.Tensor("t" + std::to_string(i), kF32, {1});
    b.Node(schema::UnaryOptionsT(), {last}, {next});
    last = next;
  }
  b.Output(last);
  return b;
}

TEST(VerifyLimits, OperatorsOfASubgraph) {
  EXPECT_TRUE(LoadFile(LongChain(16384)).ok());
  const Status status = LoadFile(LongChain(16385));
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("expected at most 16384 operators, found 16385"));
}

TEST(VerifyLimits, Subgraphs) {
  ModelBuilder b = LongChain(1);
  while (b.model.subgraphs.size() < 1025) b.AddGraph("more");
  const Status status = LoadFile(b);
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("expected at most 1024 subgraphs, found 1025"));
}

TEST(VerifyLimits, TensorsOfASubgraph) {
  ModelBuilder b = LongChain(1);
  while (b.graph().tensors.size() < 32769)
    b.Tensor("more" + std::to_string(b.graph().tensors.size()), kF32, {1});
  const Status status = LoadFile(b);
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("expected at most 32768 tensors, found 32769"));
}

TEST(VerifyLimits, ProgramsOfASubgraph) {
  ModelBuilder b = LongChain(1);
  for (int i = 0; i < 65; ++i) b.graph().programs.push_back(std::make_unique<schema::ProgramT>());
  EXPECT_THAT(LoadFile(b).message(), HasSubstr("expected at most 64 programs, found 65"));
}

TEST(VerifyLimits, BytesOfAFileAreNotLimited) {
  alignas(64) static const uint8_t header[64] = {};
  const Status status = Model::FromBuffer(header, size_t{3} << 30).status();
  EXPECT_THAT(status.message(), HasSubstr("not a MicroRT model"));
}

TEST(VerifyLimits, ASealedFileSaysSo) {
  alignas(64) uint8_t sealed[64] = {};
  std::memcpy(sealed, "MCRTSEAL", 8);
  EXPECT_THAT(Model::FromBuffer(sealed, sizeof sealed).status().message(), HasSubstr("the model is sealed"));
}

// Lists that tables share count as often as they are named: no more than the file has bytes.
TEST(VerifyLimits, ListsTogether) {
  flatbuffers::FlatBufferBuilder builder;
  const auto ints = builder.CreateVector(std::vector<int32_t>(1000, 0));
  const auto name = builder.CreateString("n");
  const auto tensor = schema::CreateTensor(builder, name, schema::DType::Int8);
  const auto tensors = builder.CreateVector(&tensor, 1);
  const auto op = schema::CreateOperator(builder, schema::OpCode::Concat, schema::Options::ConcatOptions,
                                         schema::CreateConcatOptions(builder).Union(), ints, ints);
  const auto ops = builder.CreateVector(std::vector<flatbuffers::Offset<schema::Operator>>(100, op));
  const auto graph = schema::CreateSubgraph(builder, name, tensors, 0, 0, ops);
  const auto graphs = builder.CreateVector(&graph, 1);
  const auto buffer = schema::CreateBuffer(builder);
  const auto buffers = builder.CreateVector(&buffer, 1);
  schema::FinishModelBuffer(builder, schema::CreateModel(builder, 1, 0, 0, 0, 0, graphs, buffers));
  const ModelFile file(builder.GetBufferPointer(), builder.GetSize());
  EXPECT_THAT(Model::FromBuffer(file.data(), file.size()).status().message(),
              HasSubstr("the lists together are longer than the file"));
}

struct Placed {
  ModelFile file;
  size_t offset;  // of the list
};

// y = x + w. The elements of w, and the plan's offsets, lie at a place that `shift` decides.
Placed Place(bool plan, uint32_t shift) {
  flatbuffers::FlatBufferBuilder builder;
  // The file ends where an alignment of 8 says, and is written from its end.
  if (plan) builder.CreateVector(std::vector<int32_t>(shift));
  const auto list = builder.CreateVector(std::vector<int32_t>(plan ? 6 : 1));  // 3 longs, or 4 bytes
  if (!plan) builder.CreateVector(std::vector<int32_t>(shift));
  const auto shape = builder.CreateVector(std::vector<int32_t>{4});
  const auto tensor = [&](const char* name, uint32_t buffer) {
    return schema::CreateTensor(builder, builder.CreateString(name), schema::DType::Int8, shape, 0, 0,
                                buffer);
  };
  const auto tensors =
      builder.CreateVector(std::vector{tensor("x", 0), tensor("w", plan ? 0u : 1u), tensor("y", 0)});
  const auto inputs = builder.CreateVector(plan ? std::vector<int32_t>{0, 1} : std::vector<int32_t>{0});
  const auto operands = builder.CreateVector(std::vector<int32_t>{0, 1});
  const auto outputs = builder.CreateVector(std::vector<int32_t>{2});
  const auto options = schema::CreateBinaryOptions(builder).Union();
  const auto op = schema::CreateOperator(builder, schema::OpCode::Binary, schema::Options::BinaryOptions,
                                         options, operands, outputs);
  const auto ops = builder.CreateVector(&op, 1);
  const flatbuffers::Offset<flatbuffers::Vector<int64_t>> offsets(list.o);
  const auto memory =
      plan ? schema::CreateMemoryPlan(builder, offsets, 64) : flatbuffers::Offset<schema::MemoryPlan>();
  const auto graph = schema::CreateSubgraph(builder, 0, tensors, inputs, outputs, ops, memory);
  const auto graphs = builder.CreateVector(&graph, 1);
  const flatbuffers::Offset<flatbuffers::Vector<uint8_t>> data(list.o);
  std::vector buffers = {schema::CreateBuffer(builder)};
  if (!plan) buffers.push_back(schema::CreateBuffer(builder, data));
  schema::FinishModelBuffer(
      builder, schema::CreateModel(builder, 1, 0, 0, 0, 0, graphs, builder.CreateVector(buffers)));
  Placed placed = {ModelFile(builder.GetBufferPointer(), builder.GetSize()), 0};
  // Counts of longs and of bytes differ from that of the words that were written.
  auto* count = const_cast<uint8_t*>(placed.file.data()) + placed.file.size() - list.o;
  flatbuffers::WriteScalar<uint32_t>(count, plan ? 3 : 4);
  placed.offset = static_cast<size_t>(count - placed.file.data()) + sizeof(uint32_t);
  return placed;
}

TEST(VerifyLimits, OffsetsOfAPlanAreAligned) {
  bool seen[2] = {};
  for (uint32_t shift = 0; shift < 4; ++shift) {
    const Placed placed = Place(true, shift);
    const Status status = Model::FromBuffer(placed.file.data(), placed.file.size()).status();
    const bool aligned = placed.offset % alignof(int64_t) == 0;
    EXPECT_EQ(status.ok(), aligned) << status.message();
    if (!aligned) {
      EXPECT_THAT(status.message(), HasSubstr("the list of offsets is not aligned"));
    }
    seen[aligned] = true;
  }
  EXPECT_TRUE(seen[0] && seen[1]);
}

TEST(VerifyLimits, ElementsAreAligned) {
  bool seen[2] = {};
  for (uint32_t shift = 0; shift < 17; ++shift) {
    const Placed placed = Place(false, shift);
    const Status status = Model::FromBuffer(placed.file.data(), placed.file.size()).status();
    const bool aligned = placed.offset % 64 == 0;
    EXPECT_EQ(status.ok(), aligned) << status.message();
    if (!aligned) {
      EXPECT_THAT(status.message(), HasSubstr("expected an offset that is a multiple of 64"));
    }
    seen[aligned] = true;
  }
  EXPECT_TRUE(seen[0] && seen[1]);
}

}  // namespace
}  // namespace micrort::testing
