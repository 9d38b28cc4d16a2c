// Who chooses the algorithm of a layer: the estimate, a chooser, the file's limit of scratch.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/runtime/layer_model.h"

namespace micrort {
namespace {

using testing::AlgorithmObserver;
using ::testing::HasSubstr;
using testing::LayerModel;
using testing::ModelBuilder;
using testing::ModelFile;
using testing::NamedChooser;
using ::testing::StartsWith;

class AlgorithmChoice : public ::testing::Test {
 protected:
  // Runs the layer on a ramp.
  Status Run(const ModelBuilder& b, InterpreterOptions options) {
    const ModelFile file = b.Finish();
    auto model = Model::FromBuffer(file.data(), file.size());
    if (!model.ok()) return model.status();
    options.observer = &observer_;
    auto interpreter = Interpreter::Create(*model, options);
    if (!interpreter.ok()) return interpreter.status();
    arena_bytes_ = interpreter->arena_bytes();
    const TensorView x = interpreter->input(0);
    for (size_t i = 0; i < x.elements(); ++i) x.as<float>()[i] = static_cast<float>(i % 17) - 8;
    MICRORT_RETURN_IF_ERROR(interpreter->Run());
    const TensorView y = interpreter->output(0);
    output_.assign(y.as<float>(), y.as<float>() + y.elements());
    return Status();
  }
  // The scratch that the layer needs with each algorithm, on so many threads.
  std::vector<AlgorithmInfo> Algorithms(int threads) {
    const NamedChooser chooser("");
    InterpreterOptions options;
    options.threads = threads;
    options.chooser = &chooser;
    EXPECT_TRUE(Run(LayerModel(), options).ok());
    return chooser.infos;
  }
  static AlgorithmInfo Smallest(const std::vector<AlgorithmInfo>& infos) {
    return *std::min_element(infos.begin(), infos.end(), [](const AlgorithmInfo& a, const AlgorithmInfo& b) {
      return a.scratch_bytes < b.scratch_bytes;
    });
  }

  AlgorithmObserver observer_;
  std::vector<float> output_;
  size_t arena_bytes_ = 0;
};

TEST_F(AlgorithmChoice, IsTheCheapestByEstimateWithoutAChooser) {
  ASSERT_TRUE(Run(LayerModel(), {}).ok());
  const std::string by_default = observer_.algorithm;
  const std::vector<AlgorithmInfo> infos = Algorithms(1);
  ASSERT_GE(infos.size(), 3u);
  for (size_t i = 1; i < infos.size(); ++i) EXPECT_LE(infos[0].cost, infos[i].cost);
  EXPECT_EQ(by_default, infos[0].name);
}

TEST_F(AlgorithmChoice, FollowsTheChooserAndComputesTheSame) {
  std::vector<float> gemm;
  for (const char* name :
       {"implicit_gemm_f32/", "winograd_2x2_f32/", "winograd_4x4_f32/", "winograd_6x6_f32/"}) {
    const NamedChooser chooser(name);
    InterpreterOptions options;
    options.chooser = &chooser;
    ASSERT_TRUE(Run(LayerModel(), options).ok());
    EXPECT_THAT(observer_.algorithm, StartsWith(name));
    EXPECT_EQ(observer_.layer, chooser.question.layer);
    if (gemm.empty()) gemm = output_;
    EXPECT_THAT(output_, ::testing::Pointwise(::testing::FloatNear(2e-3f), gemm));
  }
}

TEST_F(AlgorithmChoice, TellsTheChooserForWhatItIs) {
  const NamedChooser chooser("");
  InterpreterOptions options;
  options.threads = 3;
  options.features = 0;
  options.chooser = &chooser;
  ASSERT_TRUE(Run(LayerModel(), options).ok());
  EXPECT_STREQ(IsaName(chooser.question.features), "scalar");
  EXPECT_EQ(chooser.question.cheapest, 0u);
  EXPECT_NE(chooser.question.layer, 0u);
  for (const AlgorithmInfo& info : chooser.infos) EXPECT_THAT(info.name, HasSubstr("/scalar"));
}

TEST_F(AlgorithmChoice, BeyondTheListIsAnError) {
  class Beyond final : public AlgorithmChooser {
   public:
    Status Choose(const LayerAlgorithms& layer, size_t* choice) const override {
      *choice = layer.algorithms.size();
      return Status();
    }
  };
  const Beyond chooser;
  InterpreterOptions options;
  options.chooser = &chooser;
  EXPECT_EQ(Run(LayerModel(), options).code(), StatusCode::kInvalidArgument);
}

TEST_F(AlgorithmChoice, KeepsToTheScratchThatTheFileAllows) {
  const AlgorithmInfo smallest = Smallest(Algorithms(1));
  ModelBuilder b = LayerModel();
  b.graph().operators[0]->max_scratch = static_cast<int64_t>(smallest.scratch_bytes);
  ASSERT_TRUE(Run(b, {}).ok());
  EXPECT_EQ(observer_.algorithm, smallest.name);
  const size_t limited = arena_bytes_;
  ASSERT_TRUE(Run(LayerModel(), {}).ok());
  EXPECT_LT(limited, arena_bytes_);
}

TEST_F(AlgorithmChoice, GoesBackToOneThreadWhereMoreNeedMoreScratch) {
  ASSERT_TRUE(Run(LayerModel(), {}).ok());
  const std::vector<float> expected = output_;
  const AlgorithmInfo alone = Smallest(Algorithms(1));
  if (Smallest(Algorithms(4)).scratch_bytes == alone.scratch_bytes) GTEST_SKIP() << "a build without threads";
  ModelBuilder b = LayerModel();
  b.graph().operators[0]->max_scratch = static_cast<int64_t>(alone.scratch_bytes);
  InterpreterOptions options;
  options.threads = 4;
  ASSERT_TRUE(Run(b, options).ok());
  EXPECT_EQ(observer_.algorithm, alone.name);
  EXPECT_THAT(output_, ::testing::Pointwise(::testing::FloatNear(2e-3f), expected));
}

TEST_F(AlgorithmChoice, NamesTheScratchWhereNoneFits) {
  const AlgorithmInfo smallest = Smallest(Algorithms(1));
  for (const int threads : {1, 3}) {
    // Threads have blocks of their own, but smaller ones: together they may take less than a single thread.
    const uint64_t all_threads = Smallest(Algorithms(threads)).scratch_bytes;
    ModelBuilder b = LayerModel();
    b.graph().operators[0]->max_scratch =
        static_cast<int64_t>(std::min<uint64_t>(all_threads, smallest.scratch_bytes)) - 1;
    InterpreterOptions options;
    options.threads = threads;
    const Status status = Run(b, options);
    EXPECT_EQ(status.code(), StatusCode::kOutOfMemory);
    EXPECT_THAT(status.message(), HasSubstr("'layer'"));
    EXPECT_THAT(status.message(), HasSubstr(std::to_string(smallest.scratch_bytes)));
  }
}

}  // namespace
}  // namespace micrort
