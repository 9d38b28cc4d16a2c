#include "converter/report/summary.h"

#include <cstdio>
#include <map>
#include <set>

#include "converter/custom/custom_ops.h"
#include "converter/emit/file_bytes.h"
#include "converter/ir/budget.h"
#include "converter/report/numbers.h"
#include "kernels/base/target.h"
#include "micrort/micrort.h"
#include "runtime/interpreter/planned_memory.h"
#include "tools/io/device_memory.h"
#include "tools/io/session.h"

namespace micrort::report {
namespace {

std::string Line(const char* title, const std::string& text) {
  char start[32];
  std::snprintf(start, sizeof start, "%-10s ", title);
  return start + text + "\n";
}

// One line a reason, with the layers that it holds for.
std::string ExceptionsText(const std::vector<quantize::Exception>& exceptions) {
  std::vector<std::string> reasons;  // in the order of their first layer
  std::map<std::string, std::vector<std::string>> layers;
  for (const quantize::Exception& e : exceptions) {
    if (layers.count(e.reason) == 0) reasons.push_back(e.reason);
    layers[e.reason].push_back(e.op + " '" + e.node + "'");
  }
  std::string text;
  for (const std::string& reason : reasons) {
    text += "  " + std::to_string(layers[reason].size()) + " " + reason + ":";
    for (const std::string& layer : layers[reason]) text += " " + layer;
    text += "\n";
  }
  return text;
}

std::string QuantizationText(const Summary& summary) {
  const quantize::Report& report = summary.quantization;
  std::string text = std::to_string(report.quantized) + " of " + std::to_string(report.layers) + " layers";
  if (!report.exceptions.empty()) {
    text += summary.quant == QuantMode::kInt8 || summary.quant == QuantMode::kInt16x8 ||
                    summary.quant == QuantMode::kAuto
                ? "; the others have another type:"
                : "; the others keep larger weights:";
  }
  text = Line(QuantFlag(summary.quant), text);
  return text + ExceptionsText(report.exceptions);
}

bool NeedsValues(const Model& model) {
  for (size_t i = 0; i < model.input_count(); ++i) {
    if (model.decides_shapes(i)) return true;
  }
  return false;
}

// Caches that would be no smaller as the others keep float32.
void CountCaches(const ir::Graph& graph, Summary* summary) {
  std::set<std::string> types;
  for (size_t k = 0; k < graph.states.size(); ++k) {
    if (graph.states[k].kind != schema::StateKind::Cache) continue;
    const ir::Value& cache = graph.value(graph.inputs[graph.caller_inputs() + k]);
    summary->cache_bytes += static_cast<uint64_t>(cache.elements()) * SizeOf(cache.dtype);
    types.insert(Name(cache.dtype));
  }
  for (const std::string& type : types)
    summary->cache_type += (summary->cache_type.empty() ? "" : ", ") + type;
}

// Also through a Reshape.
bool IsInput(const ir::Graph& graph, const ir::Graph::Uses& uses, ir::ValueId id) {
  const ir::Node* producer = uses.producer[static_cast<size_t>(id)];
  if (producer == nullptr) return !graph.value(id).is_constant();
  return producer->code == schema::OpCode::Reshape && IsInput(graph, uses, producer->inputs[0]);
}
// Parts of an output are written straight into it.
bool IsOutput(const ir::Graph::Uses& uses, ir::ValueId id) {
  if (uses.is_output[static_cast<size_t>(id)]) return true;
  const ir::Node* reader = uses.single_consumer(id);
  const bool keeps_elements = reader != nullptr && (reader->code == schema::OpCode::Reshape ||
                                                    reader->code == schema::OpCode::Concat);
  return keeps_elements && IsOutput(uses, reader->outputs[0]);
}

bool IsAtEdge(const ir::Graph& graph, const ir::Graph::Uses& uses, const ir::Node& node) {
  return IsInput(graph, uses, node.inputs[0]) || IsOutput(uses, node.outputs[0]);
}

std::string TargetText(const Summary& s) {
  const target::PackedReport& packed = s.packed_for_target;
  std::string text = Grouped(packed.packed_bytes) + " bytes packed in the file for " +
                     std::to_string(packed.operators) + " operators on " + s.target;
  if (packed.dropped_bytes > 0) text += ", instead of " + Grouped(packed.dropped_bytes) + " portable";
  return Line("target", text);
}

// `sample`: null where shapes depend on no values.
Status PlanFor(const Model& model, const Device& device, const observe::Sample* sample,
               PlannedMemory* memory) {
  InterpreterOptions options;
  options.features = device.features;
  options.limits = ir::CurrentLimits();
  options.resolver = &CurrentOps();
  options.threads = device.threads;
  io::InputSizes sizes;
  if (sample != nullptr) {
    sizes = io::SizesOf(model, *sample);
    sizes.Set(&options);
  }
  return PlanMemoryOfDevice(model, options, memory);
}

std::string DeviceText(const Summary& s) {
  return s.device + (s.threads == 1 ? ", one thread" : ", " + std::to_string(s.threads) + " threads");
}

std::string MemoryText(const Summary& s) {
  const std::string bytes = Grouped(s.ram_bytes()) + " bytes on " + s.device + ": ";
  if (s.class_bytes != 0) return bytes + "all in, kBytes of the class";
  if (s.block_bytes != 0) {
    const std::string block =
        s.regions.used_bytes.empty()
            ? "all in, the size of its MemoryBlock"
            : Grouped(s.block_bytes) + " of its MemoryBlock, and the arena in its regions";
    return bytes + block +
           (s.left_out.empty() ? ""
                               : ", of a build with " + target::OptionsFor(s.left_out) +
                                     ": the preset refuses " + std::to_string(s.left_out.size()) + " layers");
  }
  const std::string text = bytes + "the arena and weights packed at loading";
  return s.device_refusal.empty() ? text
                                  : text + "; a build without planning refuses it: " + s.device_refusal;
}

std::string RegionsText(const plan::RegionPlan& plan) {
  std::string text;
  for (size_t i = 0; i < plan.regions.size(); ++i) {
    text += (i == 0 ? "" : "; ") + plan.regions[i].name + " " + Grouped(plan.used_bytes[i]) + " of " +
            Grouped(plan.regions[i].bytes) + " bytes, " + Grouped(plan.touched_bytes[i]) +
            " read or written in a run";
  }
  return text;
}

std::string TransposesText(const Summary& s) {
  return std::to_string(s.transposes - s.edge_transposes) + " transposes inside, " +
         std::to_string(s.edge_transposes) + " at inputs and outputs";
}

}  // namespace

const char* QuantFlag(QuantMode mode) {
  switch (mode) {
    case QuantMode::kNone:
      return "none";
    case QuantMode::kFp16:
      return "fp16";
    case QuantMode::kInt8:
      return "int8";
    case QuantMode::kInt8Weights:
      return "int8-weights";
    case QuantMode::kInt4Weights:
      return "int4-weights";
    case QuantMode::kAuto:
      return "auto";
    case QuantMode::kInt16x8:
      return "int16x8";
  }
  return "";
}

size_t CountNodes(const ir::Graph& graph) {
  size_t count = graph.nodes.size();
  for (const auto& body : ir::BodiesIn(graph)) count += body->nodes.size();
  return count;
}

void CountOperators(const ir::Graph& graph, Summary* summary) {
  summary->ops_after = CountNodes(graph);
  const ir::Graph::Uses uses = graph.ComputeUses();
  for (const auto& node : graph.nodes) {
    if (node->code != schema::OpCode::Transpose) continue;
    ++summary->transposes;
    summary->edge_transposes += IsAtEdge(graph, uses, *node);
  }
  CountCaches(graph, summary);
  for (const ir::ValueId input : graph.inputs) summary->is_dynamic |= !graph.value(input).is_static();
  summary->has_size_rules = graph.input_sizes != nullptr && !graph.input_sizes->rules.empty();
}

Status MeasurePacked(const AlignedBytes& file, const Device& device, const observe::Sample* sample,
                     Summary* summary) {
  MICRORT_ASSIGN_OR_RETURN(const Model model, emit::LoadEmitted(file));
  PlannedMemory memory;
  MICRORT_RETURN_IF_ERROR(PlanFor(model, device, NeedsValues(model) ? sample : nullptr, &memory));
  summary->packed_in_ram_bytes = memory.packed_bytes;
  if ((device.features & kCpuMicrocontroller) == 0) return Status();
  io::DeviceMemory in_block;
  PrepareTarget target;
  target.features = device.features;
  target.control = ir::CurrentBudget();
  const Status status =
      io::MeasureDeviceMemory(*schema::GetModel(file.data()), CurrentOps(), target, &in_block);
  if (status.code() == StatusCode::kUnsupported) {
    summary->device_refusal = status.message();
    return Status();
  }
  MICRORT_RETURN_IF_ERROR(status);
  summary->left_out = target::LayersLeftOut(*schema::GetModel(file.data()), device.name);
  summary->arena_bytes = in_block.arena_bytes;
  const bool in_regions = !summary->regions.used_bytes.empty();
  summary->block_bytes = in_regions ? in_block.block_bytes_beside_arena : in_block.block_bytes;
  return Status();
}

Status MeasureFile(const AlignedBytes& file, const Device& device, const observe::Sample* sample,
                   Summary* summary) {
  MICRORT_ASSIGN_OR_RETURN(const Model model, emit::LoadEmitted(file));
  summary->file_bytes = emit::FileBytes(file);
  summary->weight_bytes = model.weight_bytes();
  summary->device = device.name;
  summary->threads = device.threads;
  const bool needs_values = NeedsValues(model);
  if (needs_values && sample == nullptr) return Status();
  PlannedMemory memory;
  const Status status = PlanFor(model, device, needs_values ? sample : nullptr, &memory);
  const bool is_about_sizes =
      status.code() == StatusCode::kInvalidModel || status.code() == StatusCode::kOutOfRange;
  const bool sizes_misfit = is_about_sizes && summary->is_dynamic;
  if (!status.ok()) return sizes_misfit && !needs_values ? Status() : status;
  summary->is_measured = true;
  summary->packed_bytes = summary->packed_in_ram_bytes = memory.packed_bytes;
  summary->arena_bytes = memory.arena_bytes;
  summary->arena_lower_bound = memory.arena_lower_bound;
  return Status();
}

std::string FixedText(const ir::size::FixedDim& fixed) {
  const std::string name = fixed.name.empty() ? "" : " ('" + fixed.name + "')";
  return "dimension " + std::to_string(fixed.at.dim) + name + " of input '" + fixed.at.input + "' is " +
         std::to_string(fixed.size) + ": node '" + fixed.node + "' needs it";
}

std::string SummaryText(const Summary& s) {
  std::string text;
  for (const frontend::ConstantInput& input : s.constant_inputs) {
    const std::string type =
        input.is_tensor() ? std::string(Name(input.dtype)) + " " + io::ShapeText(input.shape) + " " : "";
    text += Line("constant", "input '" + input.name + "' " + type + "= " + input.value);
  }
  for (const ir::size::FixedDim& fixed : s.fixed_dimensions) text += Line("fixed", FixedText(fixed));
  text += Line("operators", std::to_string(s.ops_before) + " imported, " + std::to_string(s.ops_after) +
                                " written; " + TransposesText(s));
  text += Line("file", Grouped(s.file_bytes) + " bytes, weights " + Grouped(s.weight_bytes));
  if (!s.cache_type.empty())
    text += Line("caches", Grouped(s.cache_bytes) + " bytes of " + s.cache_type + ", in the arena");
  if (s.is_measured) {
    text +=
        Line("arena", Grouped(s.arena_bytes) + " bytes, lower bound " + Grouped(s.arena_lower_bound) + " (" +
                          DeviceText(s) +
                          (s.is_dynamic ? ", dynamic dimensions at " +
                                              std::string(s.has_size_rules ? "the least that fits)" : "1)")
                                        : ")"));
    text += Line("packed", Grouped(s.packed_bytes) + " bytes of weights in the layout of " + s.device);
    text += Line("memory", MemoryText(s));
    if (!s.regions.used_bytes.empty()) text += Line("regions", RegionsText(s.regions));
  } else {
    text += Line("arena", "depends on the inputs' sizes and values");
  }
  if (!s.target.empty()) text += TargetText(s);
  if (s.given_int8 > 0) {
    text += Line("kept", std::to_string(s.given_int8) + " layers are int8 in the source model and stay int8");
  }
  if (s.quant != QuantMode::kNone) text += QuantizationText(s);
  return text;
}

std::string RefusalText(const Summary& s) {
  if (!s.device_refusal.empty()) {
    return "the library of the preset " + s.device + " refuses the model: " + s.device_refusal;
  }
  return s.left_out.empty() ? "" : target::LeftOutText(s.left_out, s.device);
}

std::string UnsupportedText(const std::vector<frontend::UnsupportedOp>& unsupported) {
  std::string text;
  for (const frontend::UnsupportedOp& op : unsupported) {
    text += "  " + op.op + (op.opset == 0 ? "" : " (opset " + std::to_string(op.opset) + ")") + ", " +
            std::to_string(op.nodes.size()) + (op.nodes.size() == 1 ? " node: " : " nodes: ") + op.reason +
            ":";
    for (const std::string& node : op.nodes) text += " '" + node + "'";
    text += "\n";
  }
  return text;
}

}  // namespace micrort::report
