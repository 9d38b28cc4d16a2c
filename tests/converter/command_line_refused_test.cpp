// Command lines whose flags do not fit each other, and commands on files that are no models.

#include "converter/cli/command_line.h"
#include "converter/cli/realign_command.h"
#include "converter/cli/resolver_command.h"
#include "tests/refusal.h"
#include "tools/io/file.h"

namespace micrort::testing::command_line_refused {
namespace {

// What converting m.onnx with these flags says.
Status With(std::vector<const char*> flags, const char* output = "m.fb") {
  std::vector<const char*> arguments = {"mnnconvert", "m.onnx"};
  if (output != nullptr) arguments.insert(arguments.end(), {"-o", output});
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  std::vector<char*> argv;
  for (const char* argument : arguments) argv.push_back(const_cast<char*>(argument));
  cli::CommandLine line;
  int exit_code = 0;
  ::testing::internal::CaptureStderr();
  const bool parses = cli::ParseCommandLine(static_cast<int>(argv.size()), argv.data(), &line, &exit_code);
  const std::string said = ::testing::internal::GetCapturedStderr();
  return parses ? Status() : MICRORT_ERROR(kInvalidArgument, "%s", said.c_str());
}

// With --emit cpp of a class.
Status EmitsClass(std::vector<const char*> flags) {
  flags.insert(flags.end(), {"--emit", "cpp", "--cpp-class", "ns::Net"});
  return With(flags);
}

constexpr auto kWrong = StatusCode::kInvalidArgument;

Status RealignsText() {
  const std::string path = ::testing::TempDir() + "/no_model.fb";
  AlignedBytes file;
  MICRORT_RETURN_IF_ERROR(io::WriteFileAtomically(path, std::string(64, 'x')));
  return cli::Realign(path, &file);
}

Status ResolverNamed(const std::string& function) {
  std::string header;
  return cli::ResolverFor({}, function, &header);
}

const Refusal kFlags[] = {
    {"ABatchTwice", MICRORT_STATUS(EmitsClass({"--batch", "4,1,4"})), "--batch: 4 is there twice", kWrong},
    {"ABatchOfNothing", MICRORT_STATUS(EmitsClass({"--batch", "0,1"})),
     "--batch: expected sizes above 0, found 0", kWrong},
    {"AClassOfAFile", MICRORT_STATUS(With({"--cpp-class", "ns::Net"})), "--batch need --emit cpp", kWrong},
    {"ABatchOfAnArray", MICRORT_STATUS(With({"--emit", "array", "--batch", "2"})), "--batch need --emit cpp",
     kWrong},
    {"NoClass", MICRORT_STATUS(With({"--emit", "cpp"})), "--emit cpp needs --cpp-class [NS::]NAME", kWrong},
    {"AClassThatIsAnOperator", MICRORT_STATUS(With({"--emit", "cpp", "--cpp-class", "a::and"})),
     "--cpp-class: expected a class, such as ns::Name, of names that C++ does not use otherwise; found "
     "'a::and'",
     kWrong},
    {"AClassForTwoTargets", MICRORT_STATUS(EmitsClass({"--target", "scalar", "--target", "cortex-m0plus"})),
     "--emit cpp: expected one --target, found 2", kWrong},
    {"AClassWithUnpackedWeights", MICRORT_STATUS(EmitsClass({"--target", "scalar", "--packed-only"})),
     "--packed-only: C++ has packed weights only", kWrong},
    {"AnotherTarget", MICRORT_STATUS(With({"--target", "m68k"})), "found 'm68k'", kWrong},
    {"NoThreads", MICRORT_STATUS(With({"--target-threads", "0"})), "--target-threads: expected 1 to", kWrong},
    {"PackedForAny", MICRORT_STATUS(With({"--target", "portable", "--packed-only"})),
     "--packed-only needs --target", kWrong},
    {"PackedForTwo",
     MICRORT_STATUS(With({"--target", "scalar", "--target", "cortex-m0plus", "--packed-only"})),
     "--packed-only: expected one --target, found 2", kWrong},
    {"ATargetTwice", MICRORT_STATUS(With({"--target", "scalar", "--target", "scalar"})),
     "--target: 'scalar' is given twice", kWrong},
    {"AStateOfNothing", MICRORT_STATUS(With({"--state", "out="})), "--state: expected OUT=IN, found 'out='",
     kWrong},
    {"AListInAFile", MICRORT_STATUS(With({"--list"})), "--list writes nothing: leave out --output", kWrong},
    {"ExpectedOfNoInputs", MICRORT_STATUS(With({"--expect", "y.npy"})), "--expect needs --calib", kWrong},
    {"AChoiceWithoutSamples", MICRORT_STATUS(With({"--quant", "auto"})), "--quant auto needs --calib",
     kWrong},
    {"LossWithoutAChoice", MICRORT_STATUS(With({"--max-loss", "1"})), "--max-loss needs --quant auto",
     kWrong},
    {"AGoalWithoutAChoice", MICRORT_STATUS(With({"--goal", "size"})), "--goal needs --quant auto", kWrong},
    {"LabelsOfNoSamples", MICRORT_STATUS(With({"--quant", "int8", "--verify", "--labels", "y.npy"})),
     "--labels needs --calib", kWrong},
    {"LabelsThatNothingShows", MICRORT_STATUS(With({"--quant", "int8", "--calib", "x", "--labels", "y.npy"})),
     "--labels needs --report, --verify or --quant auto", kWrong},
    {"HalfArithmeticOnFloats", MICRORT_STATUS(With({"--fp16-compute"})),
     "--fp16-compute needs --quant fp16 or auto", kWrong},
    {"HalfActivationsOfFloats", MICRORT_STATUS(With({"--fp16-activations"})),
     "--fp16-activations needs --quant fp16", kWrong},
    {"BytesByFloats", MICRORT_STATUS(With({"--quant", "fp16", "--int8-compute"})),
     "--int8-compute needs --quant int4-weights, auto --goal size, or no --quant and a source with 4-bit",
     kWrong},
    {"ATypeOfNoCaches", MICRORT_STATUS(With({"--kv-type", "f16"})), "--kv-type needs --kv-cache", kWrong},
    {"AChunkOfNoCaches", MICRORT_STATUS(With({"--kv-chunk", "8"})), "--kv-chunk needs --kv-cache", kWrong},
    {"AChunkOfNoTokens", MICRORT_STATUS(With({"--kv-cache", "8", "--kv-chunk", "0"})), "--kv-chunk", kWrong},
    {"SamplesForNothing", MICRORT_STATUS(With({"--calib", "x.npy"})), "--calib needs --quant int8", kWrong},
    {"AMethodForNothing", MICRORT_STATUS(With({"--quant", "int8", "--calib-method", "mse"})),
     "--calib-method needs --quant int8 or int16x8, and --calib", kWrong},
    {"Int16WithoutSamples", MICRORT_STATUS(With({"--quant", "int16x8"})), "--quant int16x8 needs --calib",
     kWrong},
    {"LayersOfAFloatModel", MICRORT_STATUS(With({"--keep-float", "a"})),
     "--keep-float and --layer-types need --quant", kWrong},
    {"AReportAsText", MICRORT_STATUS(With({"--report", "r.txt"})),
     "--report: expected FILE.html or FILE.json, found 'r.txt'", kWrong},
    {"AnArenaOfWords", MICRORT_STATUS(With({"--max-arena", "much"})),
     "--max-arena: expected a number of bytes", kWrong},
    {"ALimitOfNothing", MICRORT_STATUS(With({"--min-snr", "10"})), "--min-snr needs --verify or --expect",
     kWrong},
    {"ALayoutOfText", RealignsText, "not a MicroRT model, or a broken one"},
    {"AResolverNamedAsANumber", MICRORT_STATUS(ResolverNamed("1Ops")),
     "--function: expected a C++ identifier, found '1Ops'", kWrong},
};

MICRORT_EXPECT_REFUSALS(CommandLineRefused, kFlags);

}  // namespace
}  // namespace micrort::testing::command_line_refused
