// Scan: a Loop over the slices of its inputs.

#include <algorithm>

#include "converter/frontend/onnx/body_importer.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

// The attributes that a node of opset 9 or later has for each of its scanned inputs or outputs.
struct Scanned {
  std::vector<int> axes;
  std::vector<bool> reversed;
};

struct Scan {
  const ::onnx::GraphProto* body = nullptr;
  size_t states = 0;
  Scanned inputs, outputs;
};

Result<std::vector<int64_t>> ReadList(NodeContext& c, const char* name, size_t count) {
  std::vector<int64_t> out;
  out = c.Ints(name, std::vector<int64_t>(count, 0));
  if (out.size() == count) return out;
  return Invalid("attribute '{}': expected {} entries, found {}", name, count, out.size());
}

Status ReadDirections(NodeContext& c, const char* name, size_t count, Scanned* out) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> directions, ReadList(c, name, count));
  for (const int64_t direction : directions) {
    if (direction != 0 && direction != 1) return Invalid("attribute '{}': direction {}", name, direction);
    out->reversed.push_back(direction == 1);
  }
  return Status();
}

Result<Scan> ReadBody(NodeContext& c, size_t operands) {
  Scan scan;
  scan.body = c.Graph("body");
  if (scan.body == nullptr) return Invalid("attribute 'body' is missing");
  const int64_t scanned = c.Int("num_scan_inputs", 0);
  if (scanned < 1 || static_cast<uint64_t>(scanned) > operands)
    return Invalid("num_scan_inputs: expected 1 to {}, found {}", operands, scanned);
  scan.states = operands - static_cast<size_t>(scanned);
  const auto body_inputs = static_cast<size_t>(scan.body->input_size());
  const auto body_outputs = static_cast<size_t>(scan.body->output_size());
  if (body_inputs == operands && body_outputs >= scan.states && c.output_count() <= body_outputs) return scan;
  return Invalid("expected a body of {} inputs and at least {} outputs, found {} and {}", operands,
                 std::max(scan.states, c.output_count()), body_inputs, body_outputs);
}

// The trip count: the size of the axis of the first scanned input.
ir::ValueId LengthOf(NodeContext& c, ir::ValueId x, int axis) {
  const int64_t size = c.value(x).shape.empty() ? 1 : c.value(x).dim(static_cast<size_t>(axis));
  if (size != ir::kDynamic) return c.build.Integer(size);
  return ScalarAt(c, c.build.ShapeOf(x), axis);
}

Status CheckLengths(const NodeContext& c, const Scan& scan, const std::vector<ir::ValueId>& operands) {
  int64_t length = ir::kDynamic;
  for (size_t i = scan.states; i < operands.size(); ++i) {
    const ir::Value& x = c.value(operands[i]);
    const int64_t size = x.shape[static_cast<size_t>(scan.inputs.axes[i - scan.states])];
    if (size == ir::kDynamic) continue;
    if (length != ir::kDynamic && length != size)
      return Invalid("expected scanned inputs of one length, found {} and {}", length, size);
    length = size;
  }
  return Status();
}

// `outputs`: the states in the end, then what was scanned, stacked along axis 0.
Result<std::vector<ir::ValueId>> AppendLoop(NodeContext& c, const Scan& scan,
                                            const std::vector<ir::ValueId>& operands) {
  MICRORT_RETURN_IF_ERROR(CheckLengths(c, scan, operands));
  const ir::ValueId length = LengthOf(c, operands[scan.states], scan.inputs.axes[0]);
  const auto states_end = operands.begin() + static_cast<std::ptrdiff_t>(scan.states);
  const LoopInputs inputs = {false, {operands.begin(), states_end}};
  std::vector<BodySlice> slices;
  ir::ValueId last = ir::kNoValue;
  for (size_t i = scan.states; i < operands.size(); ++i) {
    const size_t k = i - scan.states;
    if (scan.inputs.reversed[k] && last == ir::kNoValue) last = c.build.Sub(length, c.build.Integer(1));
    slices.push_back({&scan.body->input(static_cast<int>(i)), operands[i], scan.inputs.axes[k],
                      scan.inputs.reversed[k] ? last : ir::kNoValue});
  }
  MICRORT_RETURN_IF_ERROR(c.build.status());
  ImportedBody body;
  MICRORT_RETURN_IF_ERROR(
      BodyImporter(*c.graphs, *scan.body, inputs, slices).Import(&body).WithPrefix("body"));

  return c.build.Checked(AddLoop(c.build, length, ir::kNoValue, inputs.firsts, body, false));
}

// Axis 0 goes to `axis`.
ir::ValueId MovedTo(NodeContext& c, ir::ValueId x, int axis) {
  std::vector<int32_t> permutation;
  for (int32_t d = 1; d < c.value(x).rank(); ++d) permutation.push_back(d);
  permutation.insert(permutation.begin() + axis, 0);
  return c.build.Transpose(x, permutation);
}

Status ReadInputAxes(NodeContext& c, Scan* scan) {
  const size_t count = c.input_count() - scan->states;
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> axes, ReadList(c, "scan_input_axes", count));
  for (size_t k = 0; k < count; ++k) {
    MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(axes[k], c.x(scan->states + k).rank()));
    scan->inputs.axes.push_back(axis);
  }
  return ReadDirections(c, "scan_input_directions", count, &scan->inputs);
}

Status ImportScan9(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Scan scan, ReadBody(c, c.input_count()));
  for (size_t i = 0; i < c.input_count(); ++i) {
    if (!c.has_input(i)) return Invalid("input {} is required, but absent", i);
  }
  MICRORT_RETURN_IF_ERROR(ReadInputAxes(c, &scan));
  const size_t stacked = static_cast<size_t>(scan.body->output_size()) - scan.states;
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> output_axes, ReadList(c, "scan_output_axes", stacked));
  MICRORT_RETURN_IF_ERROR(ReadDirections(c, "scan_output_directions", stacked, &scan.outputs));
  MICRORT_ASSIGN_OR_RETURN(std::vector<ir::ValueId> outputs, AppendLoop(c, scan, c.inputs()));
  for (size_t i = 0; i < c.output_count(); ++i) {
    if (i >= scan.states && c.wants_output(i)) {
      const size_t k = i - scan.states;
      MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(output_axes[k], c.value(outputs[i]).rank()));
      if (scan.outputs.reversed[k]) outputs[i] = c.build.Reversed(outputs[i], {0});
      MICRORT_RETURN_IF_ERROR(c.build.status());
      if (axis != 0) outputs[i] = MovedTo(c, outputs[i], axis);
    }
    c.SetOutput(i, outputs[i]);
  }
  return c.build.status();
}

// In opset 8 the first dimension of everything is a batch, and the second one is scanned.
Status ImportScan8(NodeContext& c) {
  if (c.has_input(0)) return Unsupported("lengths of sequences");
  if (c.input_count() < 2) return Invalid("expected at least 2 inputs, found {}", c.input_count());
  const std::vector<ir::ValueId> batches(c.inputs().begin() + 1, c.inputs().end());
  MICRORT_ASSIGN_OR_RETURN(Scan scan, ReadBody(c, batches.size()));
  const size_t scanned = batches.size() - scan.states;
  scan.inputs.axes.assign(scanned, 0);
  MICRORT_RETURN_IF_ERROR(ReadDirections(c, "directions", scanned, &scan.inputs));
  for (const ir::ValueId id : batches) {
    if (id == ir::kNoValue) return Invalid("an input is required, but absent");
    const ir::Value& x = c.value(id);
    const auto rank = static_cast<size_t>(x.rank());
    if (rank == 0 || x.shape[0] == ir::kDynamic || x.shape[0] != c.value(batches[0]).dim(0))
      return Unsupported("input '{}': expected a batch of fixed size", x.name);
  }
  for (size_t i = scan.states; i < batches.size(); ++i) {
    if (c.value(batches[i]).rank() < 2) return Invalid("input {} has no axis to scan", i + 1);
  }
  std::vector<std::vector<ir::ValueId>> parts(c.output_count());
  for (int64_t b = 0; b < c.value(batches[0]).dim(0); ++b) {
    std::vector<ir::ValueId> operands;
    const ir::ValueId index = c.build.Constant<int64_t>({1}, {b});
    for (const ir::ValueId id : batches) {
      const ir::ValueId item = c.build.Gather(id, index, 0);
      std::vector<int32_t> without_batch;
      for (int32_t d = 1; d < c.value(id).rank(); ++d) without_batch.push_back(-2 - d);
      operands.push_back(c.build.Reshape(item, without_batch));
    }
    MICRORT_RETURN_IF_ERROR(c.build.status());
    MICRORT_ASSIGN_OR_RETURN(std::vector<ir::ValueId> outputs, AppendLoop(c, scan, operands));
    for (size_t i = 0; i < parts.size(); ++i) {
      std::vector<int32_t> with_batch = {1};
      for (int32_t d = 0; d < c.value(outputs[i]).rank(); ++d) with_batch.push_back(-2 - d);
      parts[i].push_back(c.build.Reshape(outputs[i], with_batch));
    }
  }
  for (size_t i = 0; i < parts.size(); ++i)
    c.SetOutput(i, parts[i].size() == 1 ? parts[i][0] : c.build.Concat(parts[i], 0));
  return c.build.status();
}

Status ImportScan(NodeContext& c) { return c.opset() < 9 ? ImportScan8(c) : ImportScan9(c); }

}  // namespace

const ImporterList ScanImporters = {
    {"Scan", 0, -1, ImportScan,
     Types(kAllTypes).Without("lengths of sequences and a dynamic batch (opset 8)")},
};

}  // namespace micrort::frontend::onnx
