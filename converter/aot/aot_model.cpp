#include "converter/aot/aot_model.h"

#include <algorithm>

#include "runtime/interpreter/input_shapes.h"

namespace micrort::aot {

namespace {

// The model may be right, and only not run with open dimensions of 1.
Status WithoutSizes(const Status& misfit) {
  return MICRORT_ERROR(
      kUnsupported,
      "dimensions that the model leaves open are 1 in C++, which does not fit it: give sizes by "
      "--input-shape (%s)",
      misfit.message());
}

}  // namespace

Status AotModel::Init(const AlignedBytes& file, const AotTarget& target, Span<const int> batches) {
  const schema::Subgraph& graph = *schema::GetModel(file.data())->subgraphs()->Get(0);
  if (!batches.empty()) MICRORT_RETURN_IF_ERROR(CheckBatches(graph));
  NoteOpenInputs(graph, !batches.empty());
  programs_ = std::vector<AotProgram>(std::max<size_t>(batches.size(), 1));
  size_t arena_bytes = 0;
  for (size_t i = 0; i < programs_.size(); ++i) {
    const int batch = batches.empty() ? 1 : batches[i];
    if (Status s = programs_[i].Init(file, target, batch, &constants_); !s.ok()) {
      if (!batches.empty()) s = s.WithPrefix("a batch of %d", batch);
      const bool is_misfit =
          s.code() == StatusCode::kInvalidModel || s.code() == StatusCode::kInvalidArgument;
      return is_misfit && !notes_.empty() ? WithoutSizes(s) : s;
    }
    arena_bytes = std::max(arena_bytes, programs_[i].arena_bytes());
  }
  for (AotProgram& program : programs_) MICRORT_RETURN_IF_ERROR(program.PlaceStates(arena_bytes));
  for (const AotProgram& program : programs_) bytes_ = std::max(bytes_, arena_bytes + program.kept_bytes());
  return Status();
}

Status AotModel::CheckBatches(const schema::Subgraph& graph) const {
  const size_t inputs = CallerInputs(graph).size();
  for (size_t i = 0; i < inputs; ++i) {
    if (HasOpenBatch(graph, i)) return Status();
  }
  if (inputs == 0) return MICRORT_ERROR(kInvalidArgument, "--batch: the model has no inputs");
  const schema::Tensor& first = InputTensor(graph, 0);
  return MICRORT_ERROR(kInvalidArgument,
                       "--batch: expected an input whose first dimension is open; found '%.100s', %s",
                       Text(first.name()), ShapeString(ShapeOf(first)).c_str());
}

void AotModel::NoteOpenInputs(const schema::Subgraph& graph, bool has_batch) {
  for (size_t i = 0; i < CallerInputs(graph).size(); ++i) {
    const schema::Tensor& tensor = InputTensor(graph, i);
    const Shape shape = ShapeOf(tensor);
    const int64_t* const first = shape.dims + (has_batch && shape.rank > 0 ? 1 : 0);
    if (std::all_of(first, shape.dims + shape.rank, [](int64_t d) { return d >= 0; })) continue;
    notes_.push_back("--emit cpp: the dynamic dimensions of input '" + std::string(Text(tensor.name())) +
                     "', " + ShapeString(shape).c_str() + (has_batch ? ", behind the first" : "") +
                     ", are 1; --input-shape says otherwise");
  }
}

}  // namespace micrort::aot
