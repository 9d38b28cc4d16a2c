// micrort-info: what is in a model file.

#include <cstdio>

#include "micrort/micrort.h"
#include "tools/info/describe.h"
#include "tools/info/dot.h"
#include "tools/info/onnx.h"
#include "tools/info/plan.h"
#include "tools/info/program.h"
#include "tools/info/sized.h"
#include "tools/io/board.h"
#include "tools/io/file.h"
#include "tools/io/program.h"
#include "tools/io/session.h"
#include "tools/io/standard_streams.h"

namespace micrort {
namespace {

constexpr char kExample[] = "micrort-info mobilenet.fb --plan";

struct Flags {
  std::string model, onnx;
  std::vector<std::string> input_shapes;
  bool json = false, plan = false, program = false, dot = false;
};

void PrintBoard(const io::Board& board, std::FILE* out) {
  std::fprintf(out, "board     %s: %s\n", board.target.c_str(), io::MemoryText(board).c_str());
  std::fprintf(out, "cycles    %s\n", io::CyclesText(board).c_str());
}

Status Execute(const Flags& flags, const ModelLimits& limits, CpuFeatures features) {
  std::vector<InputShape> shapes(flags.input_shapes.size());
  for (size_t i = 0; i < shapes.size(); ++i)
    MICRORT_RETURN_IF_ERROR(io::ParseInputShape(flags.input_shapes[i], &shapes[i]));
  if (!shapes.empty() && !flags.plan && !flags.program) {
    return MICRORT_ERROR(kInvalidArgument,
                         "--input-shape: memory is planned for it: add --plan or --program");
  }
  MICRORT_ASSIGN_OR_RETURN(Model model, io::OpenModel(flags.model));
  if (!flags.onnx.empty()) {
    MICRORT_RETURN_IF_ERROR(io::CheckOutputFiles({flags.onnx}, {flags.model}));
    Result<std::string> onnx = ToOnnx(model);
    if (!onnx.ok()) return onnx.status().WithPrefix("%s", flags.model.c_str());
    return io::WriteFileAtomically(flags.onnx, *onnx);
  }
  PlanReport plan;
  nlohmann::ordered_json program;
  if (flags.plan || flags.program) {
    MICRORT_ASSIGN_OR_RETURN(const Interpreter interpreter, CreateOfSizes(model, shapes, features, limits));
    if (flags.plan) plan = DescribePlan(interpreter);
    if (flags.program) program = DescribeProgram(interpreter);
  }
  if (flags.dot) {
    std::fputs(ToDot(DescribeModel(flags.model, model)).c_str(), stdout);
    return Status();
  }
  io::Board board;
  MICRORT_RETURN_IF_ERROR(io::DescribeBoard(model, limits, &board));
  if (flags.json) {
    nlohmann::ordered_json document = DescribeModel(flags.model, model);
    if (!board.is_empty()) document["board"] = io::BoardJson(board);
    if (flags.plan) document["plan"] = PlanToJson(plan);
    if (flags.program) document["program"] = program;
    using Json = nlohmann::ordered_json;
    std::printf("%s\n", document.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
    return Status();
  }
  PrintModel(DescribeModel(flags.model, model), stdout);
  if (!board.is_empty()) PrintBoard(board, stdout);
  if (flags.plan) PrintPlan(plan, stdout);
  if (flags.program) PrintProgram(program, stdout);
  return Status();
}

int Main(int argc, char** argv) {
  io::ArgumentParser parser("micrort-info",
                            "Prints a MicroRT model: graph, tensors, quantization, metadata, memory plan.",
                            kExample);
  Flags flags;
  parser.Add("model", &flags.model, "Model file (.fb)").Required().TypeName("OUT.fb");
  const io::Option json = parser.AddFlag("--json", &flags.json, "Print one JSON object");
  const io::Option plan = parser.AddFlag(
      "--plan", &flags.plan, "Add the memory plan: arena bytes, lower bound, where every tensor lies");
  const io::Option program = parser.AddFlag(
      "--program", &flags.program,
      "Add the steps that run on this machine: calls, operators, tensors with their places, scratch");
  io::Option dot = parser.AddFlag("--dot", &flags.dot,
                                  "Print the graph for Graphviz: micrort-info model.fb --dot | dot -Tsvg");
  dot.Excludes(json).Excludes(plan);
  parser
      .Add("--onnx", &flags.onnx,
           "Write the graph as an ONNX file for viewers such as Netron, with operators of the domain micrort")
      .TypeName("OUT.onnx")
      .Excludes(json)
      .Excludes(plan)
      .Excludes(program)
      .Excludes(dot);
  parser
      .Add(
          "--input-shape", &flags.input_shapes,
          "NAME=1x3x224x224, repeatable: the size of an input that --plan and --program are for; NAME may be "
          "a position, #0. Dimensions that the model leaves open are 1 without it, or the least that its "
          "rules "
          "allow")
      .Repeatable()
      .TypeName("SHAPE");
  return io::RunLimited(
      "micrort-info", parser, argc, argv,
      [&](const ModelLimits& limits, CpuFeatures features) { return Execute(flags, limits, features); });
}

}  // namespace
}  // namespace micrort

int main(int argc, char** argv) { return micrort::io::RunMain("micrort-info", micrort::Main, argc, argv); }
