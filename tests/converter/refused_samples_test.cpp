// What samples, labels and expected values of a conversion do not fit, and what is too far from them.

#include "converter/ir/infer.h"
#include "converter/observe/expected_values.h"
#include "converter/observe/labels.h"
#include "converter/observe/runnable_sample.h"
#include "converter/report/expect.h"
#include "converter/report/min_snr.h"
#include "tests/converter/converted.h"
#include "tests/converter/graph_testing.h"
#include "tests/refusal.h"
#include "tests/tools/temporary_folder.h"
#include "tools/io/file.h"
#include "tools/io/npy.h"

namespace micrort::testing::refused_samples {
namespace {

constexpr auto kWrong = StatusCode::kInvalidArgument, kUnsupported = StatusCode::kUnsupported;

Status WriteArray(const std::string& path, const io::NamedArray& array) {
  const std::vector<uint8_t> npy = io::FormatNpy(array.dtype, array.shape, array.data.data());
  return io::WriteFileAtomically(path, std::string(npy.begin(), npy.end()));
}

// Two samples of tensors of a network whose outputs are `y` and `z`, of constants `w`, and `open`, of which
// nothing is known; FILE stands for an array of this shape.
Status Expects(std::vector<std::string> arguments, std::vector<int64_t> shape = {2, 3}) {
  TestGraph network;
  const ir::ValueId x = network.Input("x", {1, 3});
  network.Weights("w", {3});
  ir::Value open;
  open.name = "open";
  network.graph.AddValue(std::move(open));
  network.Output(network.Relu("y", x));
  network.Output(network.Relu("z", x));
  MICRORT_RETURN_IF_ERROR(ir::InferShapes(network.graph));
  const TemporaryFolder folder;
  MICRORT_RETURN_IF_ERROR(WriteArray(folder.File("a.npy"), Counting(std::move(shape))));
  for (std::string& argument : arguments) {
    const size_t file = argument.find("FILE");
    if (file != std::string::npos) argument.replace(file, 4, folder.File("a.npy"));
  }
  std::vector<observe::ExpectedTensor> expected;
  std::vector<std::string> files;
  return observe::LoadExpected(arguments, network.graph, 2, &expected, &files);
}

Status LoadsThreeLabels() {
  const TemporaryFolder folder;
  MICRORT_RETURN_IF_ERROR(WriteArray(folder.File("labels.npy"), Integers({1, 2, 3})));
  std::vector<int64_t> labels;
  return observe::LoadLabels(folder.File("labels.npy"), 2, &labels);
}

// Of OneRelu(), whose output has four elements.
Status ComparesWithThreeElements() {
  OnnxBuilder builder = OnnxBuilder().Input("x", {"1", "4"}).Node("Relu", {"x"}, {"y"});
  Converted model(builder);
  MICRORT_RETURN_IF_ERROR(model.status());
  Imported imported = Import(builder);
  const std::vector<observe::Sample> samples = {{Counting({1, 4})}};
  const std::vector<observe::ExpectedTensor> expected = {{"y", {{1, 2, 3}}}};
  const quantize::ChannelScales scales;
  std::vector<report::ComparedTensor> compared;
  std::vector<std::string> missing;
  return report::CompareWithExpected(
      {&model.result().file, &imported.graph(), &samples, &expected, &scales, 0, false}, &compared, &missing);
}

// Of 7919 elements, which no size that is tried comes to.
Status RunsAtAnOddSize() {
  OnnxBuilder builder;
  builder.Input("x", {"7919"}).Node("Neg", {"x"}, {"y"});
  const Converted model(builder);
  MICRORT_RETURN_IF_ERROR(model.status());
  observe::Sample sample;
  return observe::RunnableSample(model.result().file, {{"x", DType::kFloat32, {-1}}}, 1, 0, &sample);
}

// With errors as large as what is expected.
std::vector<report::ComparedTensor> Noise() {
  report::ComparedTensor tensor;
  tensor.name = "y";
  tensor.is_float = true;
  const float expected[] = {1, 2}, found[] = {2, 0};
  tensor.similarity.Add(expected, found, 2);
  return {tensor};
}

const Refusal kSamples[] = {
    {"ValuesOfWhichOutput", MICRORT_STATUS(Expects({"FILE"})),
     "--expect: the model has 2 outputs; expected NAME=FILE, found", kWrong},
    {"ValuesOfAConstant", MICRORT_STATUS(Expects({"w=FILE"})), "--expect: 'w' is a constant", kWrong},
    {"ValuesOfAnyShape", MICRORT_STATUS(Expects({"open=FILE"})),
     "--expect: the shape of 'open' is not known before it is computed", kWrong},
    {"ValuesTwice", MICRORT_STATUS(Expects({"y=FILE", "y=FILE"})), "--expect: 'y' is given twice", kWrong},
    {"ValuesOfMoreSamples", MICRORT_STATUS(Expects({"z=FILE"}, {3, 3})),
     "'z': expected 2 samples, as --calib has, found 3", kWrong},
    {"LabelsOfMoreSamples", LoadsThreeLabels, "expected 2 labels, one a sample, found 3", kWrong},
    {"ValuesOfMoreElements", ComparesWithThreeElements, "--expect: output 'y': expected 3 elements, found 4",
     kWrong},
    {"SizesThatNoneFits", RunsAtAnOddSize, "the model runs at none of the sizes that were tried", kWrong},
    {"OutputsOfNoise", MICRORT_STATUS(report::CheckOutputs(Noise(), QuantMode::kNone, {})),
     "but at least 25 dB are expected (the default of this --quant)", kUnsupported},
    {"ExpectedThatIsNotFound", MICRORT_STATUS(report::CheckExpected(Noise(), QuantMode::kNone, 3.0)),
     "--expect: 1 of 1 tensors have less than 3 dB (--min-snr)", kUnsupported},
};

MICRORT_EXPECT_REFUSALS(RefusedSamples, kSamples);

}  // namespace
}  // namespace micrort::testing::refused_samples
