// Sound files that hold less than any model does can be changed, and lend nothing.

#include "tests/fuzz/model_mutator.h"

#include <gtest/gtest.h>

#include "schema/micrort_generated.h"

namespace micrort::fuzz {
namespace {

std::string Finished(flatbuffers::FlatBufferBuilder& builder, flatbuffers::Offset<schema::Model> model) {
  schema::FinishModelBuffer(builder, model);
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

std::string NoGraphs() {
  flatbuffers::FlatBufferBuilder builder;
  return Finished(builder, schema::CreateModel(builder));
}

std::string OptionsThatAreNamedOnly() {
  flatbuffers::FlatBufferBuilder builder;
  const auto buffers = builder.CreateVector({schema::CreateBuffer(builder)});
  schema::OperatorBuilder op(builder);
  op.add_code(schema::OpCode::Softmax);
  op.add_options_type(schema::Options::SoftmaxOptions);
  const auto operators = builder.CreateVector({op.Finish()});
  schema::SubgraphBuilder graph(builder);
  graph.add_operators(operators);
  const auto graphs = builder.CreateVector({graph.Finish()});
  schema::ModelBuilder model(builder);
  model.add_subgraphs(graphs);
  model.add_buffers(buffers);
  return Finished(builder, model.Finish());
}

TEST(ModelMutator, TakesWhateverIsSound) {
  const std::string bare = OptionsThatAreNamedOnly();
  constexpr int kRounds = 200;
  Random random(1);
  int changed = 0;
  for (int i = 0; i < kRounds; ++i) {
    EXPECT_EQ(MutateModel(NoGraphs(), bare, random), NoGraphs());
    for (const std::string& lender : {NoGraphs(), bare, std::string()})
      changed += MutateModel(bare, lender, random) == bare ? 0 : 1;
  }
  EXPECT_GT(changed, kRounds);
}

}  // namespace
}  // namespace micrort::fuzz
