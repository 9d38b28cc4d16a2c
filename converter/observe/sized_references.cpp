#include "converter/observe/sized_references.h"

#include <algorithm>

#include "converter/emit/build_model.h"
#include "converter/emit/serialize.h"
#include "converter/ir/budget.h"
#include "converter/ir/last_logits.h"
#include "converter/observe/open_sizes.h"
#include "converter/observe/runner.h"
#include "tools/io/tensor_floats.h"

namespace micrort::observe {
namespace {

constexpr uint64_t kSeed = 1001;
// Each is imported on its own, which takes as long as the model is large.
constexpr size_t kMostSizes = 8, kMostSizesOfLarge = 2, kLargeBytes = size_t{64} << 20;

Status RunFixed(const SourceModel& source, const ir::Graph& graph, const std::vector<Dims>& shapes,
                CpuFeatures features, SizedReference* reference) {
  frontend::ImportOptions options = source.options;
  std::vector<io::InputSpec> specs = InputSpecsOf(graph);
  options.input_shapes.clear();
  for (size_t i = 0; i < specs.size(); ++i) {
    specs[i].shape = shapes[i];
    options.input_shapes.emplace_back(specs[i].name, shapes[i]);
    reference->sizes += (i == 0 ? "" : ", ") + specs[i].name + " " + io::ShapeText(shapes[i]);
  }
  ir::Module fixed;
  frontend::ImportDiagnostics diagnostics;
  MICRORT_RETURN_IF_ERROR(
      frontend::ImportModel(source.name, source.bytes, source.format, options, &fixed, &diagnostics));
  // Those of dimensions that are fixed here are no bounds any more.
  for (const ir::MaxSize& bound : source.max_sizes)
    static_cast<void>(ir::BoundSizes({bound}, &fixed.entry()));
  std::vector<std::string> notes;  // of the conversion itself
  if (source.last_logits) MICRORT_RETURN_IF_ERROR(ir::LastLogits(&fixed.entry(), &notes));
  AlignedBytes file;
  MICRORT_RETURN_IF_ERROR(emit::EmitModule(fixed, &file));
  MICRORT_RETURN_IF_ERROR(RandomSample(specs, kSeed, &reference->sample));
  Runner runner;
  MICRORT_RETURN_IF_ERROR(runner.Load(file, features, nullptr));
  MICRORT_RETURN_IF_ERROR(runner.Run(reference->sample));
  for (size_t i = 0; i < runner.interpreter().output_count(); ++i) {
    const TensorView output = runner.interpreter().output(i);
    reference->outputs.push_back(
        {{output.shape.dims, output.shape.dims + output.shape.rank}, io::ToFloats(output)});
  }
  return Status();
}

}  // namespace

std::vector<SizedReference> MakeSizedReferences(const SourceModel& source, ir::Graph& graph,
                                                CpuFeatures features) {
  const auto decides = [&](ir::ValueId id) { return graph.value(id).decides_shapes; };
  if (!graph.states.empty() || std::any_of(graph.inputs.begin(), graph.inputs.end(), decides)) return {};
  // The conversion itself has as much left afterwards as it had.
  const ir::ConversionBudget budget(ir::CurrentLimits());
  std::vector<SizedReference> references;
  const size_t most = source.bytes.size() > kLargeBytes ? kMostSizesOfLarge : kMostSizes;
  for (const std::vector<Dims>& shapes : ChooseOpenSizes(graph, most)) {
    SizedReference reference;
    // Sizes that the source itself does not run with tell nothing.
    if (RunFixed(source, graph, shapes, features, &reference).ok())
      references.push_back(std::move(reference));
  }
  return references;
}

}  // namespace micrort::observe
