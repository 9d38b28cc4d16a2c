#include "converter/target/pack_weights.h"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "converter/custom/custom_ops.h"
#include "converter/emit/build_model.h"
#include "converter/emit/serialize.h"
#include "converter/ir/budget.h"
#include "converter/observe/dynamic_sizes.h"
#include "kernels/base/packed_revision.h"
#include "runtime/interpreter/input_shapes.h"
#include "runtime/interpreter/kept_state.h"
#include "runtime/interpreter/packed_weights.h"
#include "runtime/interpreter/subgraph.h"
#include "runtime/model/packed_in_file.h"
#include "schema/micrort_generated.h"

namespace micrort::target {
namespace {

class Packing {
 public:
  Packing(const Target& target, PackedReport* report) : target_(target), report_(report) {}

  Status Run(AlignedBytes* file) {
    const schema::Model& source = *schema::GetModel(file->data());
    emit::Unpack(*file, &model_);
    MICRORT_RETURN_IF_ERROR(PrepareAtSomeSizes(source));
    report_->operators = 0;
    for (size_t i = 0; i < subgraphs_.size(); ++i) MICRORT_RETURN_IF_ERROR(PackSubgraph(i));
    if (target_.packed_only) DropPortable();
    model_.target += (model_.target.empty() ? "" : ",") + target_.name;
    model_.packed_revision = kPackedRevision;
    model_.schema_version = std::max(model_.schema_version, emit::kSchemaVersionOfPacked);
    return emit::Serialize(model_, file);
  }

 private:
  // At 1 for dynamic dimensions, if the model can be run so.
  Status PrepareAtSomeSizes(const schema::Model& source) {
    const schema::Subgraph& graph = *source.subgraphs()->Get(0);
    FixedArray<Shape> caller_shapes;
    MICRORT_RETURN_IF_ERROR(DefaultInputShapes(graph, &caller_shapes));
    std::vector<observe::Dims> declared;
    for (size_t i = 0; i < caller_shapes.size(); ++i) {
      const Shape shape = ShapeOf(InputTensor(graph, i));
      declared.emplace_back(shape.dims, shape.dims + shape.rank);
    }
    const auto prepare = [&](const std::vector<observe::Dims>& sizes) {
      for (size_t i = 0; i < sizes.size(); ++i)
        std::copy(sizes[i].begin(), sizes[i].end(), caller_shapes[i].dims);
      return PrepareAt(source, caller_shapes);
    };
    return observe::TryDynamicSizes(declared, prepare,
                                    [](const Status& s) { return s.code() != StatusCode::kInvalidModel; });
  }

  Status PrepareAt(const schema::Model& source, Span<const Shape> caller_shapes) {
    FixedArray<Shape> shapes;
    MICRORT_RETURN_IF_ERROR(WithStateShapes(*source.subgraphs()->Get(0), caller_shapes, &shapes));
    MICRORT_RETURN_IF_ERROR(InitSubgraphs(source, CurrentOps(), &subgraphs_));
    PrepareTarget target = {target_.features, target_.threads};
    target.control = ir::CurrentBudget();
    return subgraphs_[0].Prepare(shapes, {}, target);
  }

  Status PackSubgraph(size_t index) {
    Subgraph& subgraph = subgraphs_[index];
    std::vector<PackRequest> requests(CountPackRequests(subgraph.graph()));
    AddPackRequests(static_cast<int32_t>(index), subgraph.graph(), requests.data());
    for (const PackRequest& request : requests) MICRORT_RETURN_IF_ERROR(PackOne(index, request));
    for (const auto& op : model_.subgraphs[index]->operators)
      report_->operators += op->packed.empty() ? 0 : 1;
    return Status();
  }

  Status PackOne(size_t index, const PackRequest& request) {
    const auto op = static_cast<size_t>(request.key.op);
    AlignedBytes bytes(request.key.bytes);
    PackContext context = request.context;
    context.destination = bytes.data();
    const Node& node = subgraphs_[index].graph().nodes[op];
    if (Status s = request.pack(context); !s.ok()) return node.Explain(s);
    auto packed = std::make_unique<schema::PackedWeightsT>();
    packed->layout = request.layout_name;
    packed->slot = static_cast<uint8_t>(request.key.slot);
    packed->buffer = BufferOf(std::make_shared<const ir::Bytes>(bytes.begin(), bytes.end()));
    model_.subgraphs[index]->operators[op]->packed.push_back(std::move(packed));
    return Status();
  }

  // Layers that share their weights share what they are packed into.
  uint32_t BufferOf(const std::shared_ptr<const ir::Bytes>& bytes) {
    const auto [first, last] = packed_.equal_range(bytes->size());
    for (auto it = first; it != last; ++it) {
      if (std::equal(bytes->begin(), bytes->end(), model_.BytesOf(it->second).begin())) return it->second;
    }
    const uint32_t buffer = model_.AddBuffer(bytes);
    packed_.emplace(bytes->size(), buffer);
    report_->packed_bytes += bytes->size();
    return buffer;
  }

  // Whether an operator reads this tensor in packed form alone.
  bool ReadsPackedOnly(size_t index, size_t op, int32_t tensor) {
    const schema::OperatorT& source = *model_.subgraphs[index]->operators[op];
    const Node& node = subgraphs_[index].graph().nodes[op];
    for (size_t i = 0; i < source.inputs.size(); ++i) {
      if (source.inputs[i] != tensor) continue;
      const auto holds = [&](const auto& packed) {
        return node.prepared.packed[packed->slot].input == static_cast<int>(i);
      };
      if (std::none_of(source.packed.begin(), source.packed.end(), holds)) return false;
    }
    return true;
  }

  bool IsReadPackedOnly(size_t index, int32_t tensor) {
    const schema::SubgraphT& graph = *model_.subgraphs[index];
    const auto& outputs = graph.outputs;
    if (std::find(outputs.begin(), outputs.end(), tensor) != outputs.end()) return false;
    for (size_t op = 0; op < graph.operators.size(); ++op) {
      if (!ReadsPackedOnly(index, op, tensor)) return false;
    }
    return true;
  }

  // A buffer goes if that holds for every tensor whose data it has.
  void DropPortable() {
    std::map<uint32_t, std::vector<schema::TensorT*>> readers;
    std::vector<bool> needed(model_.buffers.size());
    for (const auto& state : model_.subgraphs[0]->states) needed[state->initial] = true;
    for (size_t index = 0; index < model_.subgraphs.size(); ++index) {
      const auto& tensors = model_.subgraphs[index]->tensors;
      for (size_t t = 0; t < tensors.size(); ++t) {
        if (tensors[t]->buffer == 0) continue;
        readers[tensors[t]->buffer].push_back(tensors[t].get());
        if (!IsReadPackedOnly(index, static_cast<int32_t>(t))) needed[tensors[t]->buffer] = true;
      }
    }
    for (const auto& [buffer, tensors] : readers) {
      const size_t bytes = model_.BytesOf(buffer).size();
      if (needed[buffer] || bytes == 0) continue;
      for (schema::TensorT* tensor : tensors) tensor->packed_only = true;
      report_->dropped_bytes += bytes;
      model_.Clear(buffer);
    }
  }

  const Target& target_;
  PackedReport* const report_;
  emit::FileModel model_;
  FixedArray<Subgraph> subgraphs_;          // prepared for the target; they read the portable file
  std::multimap<size_t, uint32_t> packed_;  // buffers by size
};

}  // namespace

Status PackWeights(const Target& target, AlignedBytes* file, PackedReport* report) {
  return Packing(target, report).Run(file).WithPrefix("--target %s", target.name.c_str());
}

}  // namespace micrort::target
