// Texts that many places of a file share, as no builder of models makes them.

#include "tools/io/file_texts.h"

#include <gmock/gmock.h>

#include "tests/runtime/model_builder.h"
#include "tests/status_matchers.h"

namespace micrort::io::file_texts {
namespace {

using ::testing::HasSubstr;
using testing::IsError;
using testing::IsOk;
using testing::ModelFile;

// So many entries of metadata and operators with one text of so many bytes.
ModelFile Sharing(size_t entries, size_t operators, size_t bytes) {
  flatbuffers::FlatBufferBuilder b;
  const auto text = b.CreateString(std::string(bytes, 'a'));
  const auto entry = schema::CreateMetadata(b, text, text);
  const auto metadata = b.CreateVector(std::vector<flatbuffers::Offset<schema::Metadata>>(entries, entry));

  const std::vector<int32_t> shape = {4};
  std::vector<flatbuffers::Offset<schema::Tensor>> tensors;
  std::vector<flatbuffers::Offset<schema::Operator>> nodes;
  for (size_t i = 0; i <= operators; ++i) {
    tensors.push_back(
        schema::CreateTensorDirect(b, std::to_string(i).c_str(), schema::DType::Float32, &shape));
    if (i == operators) break;
    const auto options = schema::CreateUnaryOptions(b, schema::UnaryKind::Abs).Union();
    const auto at = static_cast<int32_t>(i);
    const auto inputs = b.CreateVector(std::vector<int32_t>{at}),
               outputs = b.CreateVector(std::vector<int32_t>{at + 1});
    nodes.push_back(schema::CreateOperator(b, schema::OpCode::Unary, schema::Options::UnaryOptions, options,
                                           inputs, outputs, text));
  }
  const auto graph_tensors = b.CreateVector(tensors);
  const auto graph_nodes = b.CreateVector(nodes);
  const auto first = b.CreateVector(std::vector<int32_t>{0}),
             last = b.CreateVector(std::vector<int32_t>{static_cast<int32_t>(operators)});
  schema::SubgraphBuilder graph(b);
  graph.add_tensors(graph_tensors);
  graph.add_operators(graph_nodes);
  graph.add_inputs(first);
  graph.add_outputs(last);
  const auto subgraphs = b.CreateVector(std::vector{graph.Finish()});
  const auto buffers = b.CreateVector(std::vector{schema::CreateBuffer(b)});
  schema::ModelBuilder model(b);
  model.add_schema_version(1);
  model.add_metadata(metadata);
  model.add_subgraphs(subgraphs);
  model.add_buffers(buffers);
  schema::FinishModelBuffer(b, model.Finish());
  return {b.GetBufferPointer(), b.GetSize()};
}

Status Check(const ModelFile& file) {
  auto model = Model::FromBuffer(file.data(), file.size());
  return model.ok() ? CheckTexts(*model) : model.status();
}

TEST(FileTexts, EqualNamesMayBeStoredOnce) {
  EXPECT_THAT(Check(Sharing(10, 1000, 1000)), IsOk());
  EXPECT_THAT(Check(Sharing(2, 1, 1 << 20)), IsOk());
}

TEST(FileTexts, ATextThatStandsForManyIsRefused) {
  const char* expected = "names and metadata of";
  EXPECT_THAT(Check(Sharing(100, 1, 1 << 20)), IsError(StatusCode::kInvalidModel, HasSubstr(expected)));
  EXPECT_THAT(Check(Sharing(0, 100, 1 << 20)), IsError(StatusCode::kInvalidModel, HasSubstr(expected)));
}

}  // namespace
}  // namespace micrort::io::file_texts
