#include "converter/emit/build_model.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "converter/emit/int4_grid.h"
#include "converter/emit/size_rules.h"
#include "converter/ir/op_facts.h"
#include "micrort/version.h"
#include "runtime/model/verify_steps.h"
#include "runtime/ops/op_traits.h"

namespace micrort::emit {
namespace {

struct BytesLess {
  bool operator()(const ir::Bytes* a, const ir::Bytes* b) const {
    if (a->size() != b->size()) return a->size() < b->size();
    return *a < *b;
  }
};

// The buffers of the whole file; equal contents get equal indices.
class BufferTable {
 public:
  explicit BufferTable(FileModel* model) : model_(model) {
    model_->buffers.push_back(std::make_unique<schema::BufferT>());
  }

  uint32_t IndexOf(const std::shared_ptr<const ir::Bytes>& data) {
    const auto [it, is_new] = index_.try_emplace(data.get(), static_cast<uint32_t>(model_->buffers.size()));
    if (is_new) model_->AddBuffer(data);
    return it->second;
  }

 private:
  FileModel* model_;
  std::map<const ir::Bytes*, uint32_t, BytesLess> index_;
};

// Small buffers come first, next to each other: biases and scales, which every run reads, then share few
// pages, and do not keep those of weights in memory that are read once.
void GroupSmallBuffers(FileModel* model) {
  constexpr size_t kSmall = 64 * 1024;
  std::vector<uint32_t> order(model->buffers.size());
  std::iota(order.begin(), order.end(), 0u);
  // Buffer 0 is empty and stays.
  std::stable_partition(order.begin() + 1, order.end(),
                        [&](uint32_t b) { return model->BytesOf(b).size() < kSmall; });
  std::vector<uint32_t> place(order.size());
  std::vector<std::unique_ptr<schema::BufferT>> buffers;
  model->shared.resize(order.size());
  std::vector<FileModel::SharedBytes> shared;
  for (const uint32_t b : order) {
    place[b] = static_cast<uint32_t>(buffers.size());
    buffers.push_back(std::move(model->buffers[b]));
    shared.push_back(std::move(model->shared[b]));
  }
  model->buffers = std::move(buffers);
  model->shared = std::move(shared);
  for (const auto& graph : model->subgraphs) {
    for (const auto& tensor : graph->tensors) tensor->buffer = place[tensor->buffer];
    for (const auto& state : graph->states) state->initial = place[state->initial];
  }
}

uint32_t VersionOf(schema::WeightCompute compute) {
  switch (compute) {
    case schema::WeightCompute::Half:
      return kSchemaVersionOfHalf;
    case schema::WeightCompute::SymmetricInt8:
      return kSchemaVersionOfSymmetric;
    case schema::WeightCompute::GroupedInt8:
      return kSchemaVersionOfGroupedInt8;
    default:
      return kFirstSchemaVersion;
  }
}

uint32_t SchemaVersionOf(const ir::Node& node) {
  uint32_t version = kFirstSchemaVersion;
  if (node.rounding != schema::Rounding::Exact) version = kSchemaVersionOfRounding;
  switch (node.code) {
    case schema::OpCode::Custom:
      return std::max(version, kSchemaVersionOfCustom);
    case schema::OpCode::Append:
      return kSchemaVersionOfCaches;
    case schema::OpCode::Attention:
      return node.as<schema::AttentionOptionsT>().causal ? kSchemaVersionOfCaches : version;
    case schema::OpCode::Cast:
      return node.as<schema::CastOptionsT>().reinterpret ? kSchemaVersionOfReinterpret : version;
    case schema::OpCode::CumulativeSum:
      return node.as<schema::CumulativeSumOptionsT>().product ? kSchemaVersionOfProduct : version;
    case schema::OpCode::Conv2D:
      return std::max(version, VersionOf(node.as<schema::Conv2DOptionsT>().compute));
    case schema::OpCode::DepthwiseConv2D:
      return std::max(version, VersionOf(node.as<schema::DepthwiseConv2DOptionsT>().compute));
    case schema::OpCode::MatMul:
      return std::max(version, VersionOf(node.as<schema::MatMulOptionsT>().compute));
    case schema::OpCode::Recurrent:
      return node.as<schema::RecurrentOptionsT>().compute != schema::WeightCompute::Float
                 ? kSchemaVersionOfStateRounding
                 : version;
    default:
      return version;
  }
}

bool QuantizesInputOfInt4(const ir::Graph& graph, const ir::Node& node) {
  if (!IsLayer(node.code) || graph.value(node.inputs[kLayerWeights]).dtype != DType::kInt4) return false;
  return node.code == schema::OpCode::Conv2D
             ? node.as<schema::Conv2DOptionsT>().compute == schema::WeightCompute::DynamicInt8
             : node.code == schema::OpCode::MatMul &&
                   node.as<schema::MatMulOptionsT>().compute == schema::WeightCompute::DynamicInt8;
}

bool HasInt4ZeroPoints(const ir::Graph& graph, const ir::Node& node) {
  if (!IsLayer(node.code)) return false;
  const ir::Value& weights = graph.value(node.inputs[kLayerWeights]);
  return weights.dtype == DType::kInt4 && !weights.quantization.zero_points.empty();
}

// Identity gives int16 of other integers, too.
bool RoundsInt16(const ir::Graph& graph, const ir::Node& node) {
  const auto is_int16 = [&](ir::ValueId id) { return graph.value(id).dtype == DType::kInt16; };
  return node.rounding == schema::Rounding::Tflite && (is_int16(node.inputs[0]) || is_int16(node.outputs[0]));
}

// Forms of int16 that files of kSchemaVersionOfInt16 do not have.
bool RoundsMoreInt16(const ir::Graph& graph, const ir::Node& node) {
  switch (node.code) {
    case schema::OpCode::Reduce:
    case schema::OpCode::Quantize:
      return true;
    case schema::OpCode::MatMul:
      return graph.value(node.inputs[kLayerWeights]).dtype == DType::kInt16;
    case schema::OpCode::Binary: {
      const auto kind = node.as<schema::BinaryOptionsT>().kind;
      return kind == schema::BinaryKind::PRelu || kind == schema::BinaryKind::Greater;
    }
    default:
      return false;
  }
}

bool HasNarrowCache(const ir::Graph& graph, const ir::Node& node) {
  const auto is_narrow = [&](size_t input) {
    return graph.value(node.inputs[input]).dtype != DType::kFloat32;
  };
  switch (node.code) {
    case schema::OpCode::Append:
      return is_narrow(0);
    case schema::OpCode::Attention:
      return is_narrow(1);
    default:
      return node.code == schema::OpCode::ReadCache;
  }
}

bool HasWindow(const ir::Node& node) {
  if (node.code == schema::OpCode::Append) return node.as<schema::AppendOptionsT>().window != 0;
  return node.code == schema::OpCode::Attention && node.as<schema::AttentionOptionsT>().window != 0;
}

bool HasSoftcapOrSinks(const ir::Node& node) {
  constexpr size_t kSinks = 5;
  return node.code == schema::OpCode::Attention &&
         (node.as<schema::AttentionOptionsT>().softcap != 0 || node.has_input(kSinks));
}

// What takes other tensors of halves has always taken them.
uint32_t SchemaVersionOf(const ir::Graph& graph, const ir::Node& node) {
  if (HasSoftcapOrSinks(node)) return kSchemaVersionOfSoftcaps;
  if (IsLayer(node.code) && node.has_input(kLayerSlopes)) return kSchemaVersionOfSlopes;
  if (HasWindow(node)) return kSchemaVersionOfWindows;
  if (node.code == schema::OpCode::Gather && ir::MovementOf(graph, node) == ir::Movement::kNone)
    return kSchemaVersionOfTables;
  if (HasNarrowCache(graph, node)) return kSchemaVersionOfNarrowCaches;
  if (HasInt4ZeroPoints(graph, node)) return kSchemaVersionOfInt4ZeroPoints;
  if (QuantizesInputOfInt4(graph, node)) return kSchemaVersionOfInt4Products;
  if (RoundsInt16(graph, node))
    return RoundsMoreInt16(graph, node) ? kSchemaVersionOfMoreInt16 : kSchemaVersionOfInt16;
  const bool takes_halves =
      (IsLayer(node.code) || node.code == schema::OpCode::Pool2D || node.code == schema::OpCode::Softmax) &&
      graph.value(node.inputs[0]).dtype == DType::kFloat16;
  return takes_halves ? kSchemaVersionOfHalfTensors : SchemaVersionOf(node);
}

class SubgraphBuilder {
 public:
  SubgraphBuilder(const ir::Graph& graph, BufferTable* buffers, FileModel* model)
      : graph_(graph), buffers_(buffers), model_(model), tensor_of_(graph.value_count(), kNotEmitted) {}

  // Appends the graph, then those of its nodes.
  Status Build() {
    // The runtime refuses such a file, so the converter does not build it.
    if (graph_.nodes.size() > kMaxOperators) {
      return MICRORT_ERROR(kUnsupported, "model: expected at most %u operators, found %zu", kMaxOperators,
                           graph_.nodes.size());
    }
    model_->subgraphs.push_back(std::make_unique<schema::SubgraphT>());
    out_ = model_->subgraphs.back().get();
    out_->name = graph_.name;
    MICRORT_RETURN_IF_ERROR(AddTensors(graph_.inputs, &out_->inputs));
    for (const auto& node : graph_.nodes) MICRORT_RETURN_IF_ERROR(AddOperator(*node));
    MICRORT_RETURN_IF_ERROR(AddTensors(graph_.outputs, &out_->outputs));
    AddStates();
    return Status();
  }

 private:
  static constexpr int32_t kNotEmitted = -2;

  void AddStates() {
    if (graph_.states.empty()) return;
    model_->schema_version = std::max(model_->schema_version, kSchemaVersionOfStates);
    for (const ir::State& state : graph_.states) {
      out_->states.push_back(std::make_unique<schema::StateT>());
      out_->states.back()->kind = state.kind;
      if (state.initial != nullptr) out_->states.back()->initial = buffers_->IndexOf(state.initial);
    }
    const std::vector<int32_t> kept(out_->inputs.begin() + static_cast<ptrdiff_t>(graph_.caller_inputs()),
                                    out_->inputs.end());
    for (size_t k = graph_.caller_outputs(); k < out_->outputs.size(); ++k) {
      if (std::find(kept.begin(), kept.end(), out_->outputs[k]) != kept.end())
        out_->outputs[k] = AddCopyOf(out_->outputs[k]);
    }
  }

  // All states change at once, after a run: one that becomes the value of another, or stays, is copied in it.
  int32_t AddCopyOf(int32_t tensor) {
    auto copy = std::make_unique<schema::TensorT>(*out_->tensors[static_cast<size_t>(tensor)]);
    do {
      copy->name += "/kept";
    } while (graph_.FindValue(copy->name) != ir::kNoValue || IsNamed(copy->name));
    auto op = std::make_unique<schema::OperatorT>();
    schema::UnaryOptionsT identity;
    identity.kind = schema::UnaryKind::Identity;
    op->code = schema::OpCode::Unary;
    op->options.Set(identity);
    op->name = copy->name;
    op->inputs = {tensor};
    op->outputs = {static_cast<int32_t>(out_->tensors.size())};
    out_->tensors.push_back(std::move(copy));
    out_->operators.push_back(std::move(op));
    return out_->operators.back()->outputs[0];
  }

  bool IsNamed(const std::string& name) const {
    return std::any_of(out_->tensors.begin(), out_->tensors.end(),
                       [&](const auto& tensor) { return tensor->name == name; });
  }

  Status AddOperator(const ir::Node& node) {
    auto op = std::make_unique<schema::OperatorT>();
    model_->schema_version = std::max(model_->schema_version, SchemaVersionOf(graph_, node));
    op->code = node.code;
    op->options = node.options;
    op->name = node.name;
    op->rounding = node.rounding;
    MICRORT_RETURN_IF_ERROR(AddBodies(node, op.get()));
    MICRORT_RETURN_IF_ERROR(AddTensors(node.inputs, &op->inputs));
    MICRORT_RETURN_IF_ERROR(AddTensors(node.outputs, &op->outputs));
    out_->operators.push_back(std::move(op));
    return Status();
  }

  Status AddBodies(const ir::Node& node, schema::OperatorT* op) {
    std::vector<uint32_t> indices;
    for (const auto& body : node.bodies) {
      indices.push_back(static_cast<uint32_t>(model_->subgraphs.size()));
      MICRORT_RETURN_IF_ERROR(SubgraphBuilder(*body, buffers_, model_).Build());
    }
    if (auto* branches = op->options.AsIfOptions()) {
      branches->then_graph = indices[0];
      branches->else_graph = indices[1];
    }
    if (auto* loop = op->options.AsLoopOptions()) loop->body = indices[0];
    return Status();
  }

  Status AddTensors(const std::vector<ir::ValueId>& ids, std::vector<int32_t>* indices) {
    for (const ir::ValueId id : ids) {
      if (id != ir::kNoValue && tensor_of_[static_cast<size_t>(id)] == kNotEmitted) {
        MICRORT_RETURN_IF_ERROR(AddTensor(id));
      }
      indices->push_back(id == ir::kNoValue ? -1 : tensor_of_[static_cast<size_t>(id)]);
    }
    return Status();
  }

  Status AddTensor(ir::ValueId id) {
    const ir::Value& value = graph_.value(id);
    auto tensor = std::make_unique<schema::TensorT>();
    tensor->name = value.name;
    tensor->dtype = static_cast<schema::DType>(value.dtype);
    for (const int64_t d : value.shape) {
      if (d > std::numeric_limits<int32_t>::max()) {
        return MICRORT_ERROR(kUnsupported,
                             "tensor '%s': a dimension of %lld is over the file's limit of 2^31 - 1",
                             value.name.c_str(), static_cast<long long>(d));
      }
      tensor->shape.push_back(static_cast<int32_t>(d));
    }
    for (const std::string& name : value.dim_names) {
      tensor->dim_names.push_back(ir::ReadableDim(name));
    }
    tensor->decides_shapes = value.decides_shapes;
    tensor->max_shape = LargestSizes(value);
    if (!tensor->max_shape.empty())
      model_->schema_version = std::max(model_->schema_version, kSchemaVersionOfMaxShape);
    if (!value.quantization.empty()) tensor->quantization = MakeQuantization(value.quantization);
    if (value.dtype == DType::kInt4 && MakeNarrow(tensor->quantization.get()))
      model_->schema_version = std::max(model_->schema_version, kSchemaVersionOfHalfScales);
    if (value.is_constant()) tensor->buffer = buffers_->IndexOf(value.data);
    tensor_of_[static_cast<size_t>(id)] = static_cast<int32_t>(out_->tensors.size());
    out_->tensors.push_back(std::move(tensor));
    return Status();
  }

  // The bounds that the user stated, without those of dimensions that have become fixed.
  static std::vector<int32_t> LargestSizes(const ir::Value& value) {
    std::vector<int32_t> largest = value.max_shape;
    largest.resize(largest.empty() ? 0 : value.shape.size());
    bool states_any = false;
    for (size_t d = 0; d < largest.size(); ++d) {
      if (value.shape[d] >= 0) largest[d] = 0;
      states_any = states_any || largest[d] != 0;
    }
    return states_any ? largest : std::vector<int32_t>();
  }

  static std::unique_ptr<schema::QuantizationT> MakeQuantization(const ir::Quantization& q) {
    auto out = std::make_unique<schema::QuantizationT>();
    out->scales = q.scales;
    out->zero_points = q.zero_points;
    out->group = q.group;
    out->axis = q.axis;
    return out;
  }

  const ir::Graph& graph_;
  BufferTable* buffers_;
  FileModel* model_;
  std::vector<int32_t> tensor_of_;  // by ValueId
  schema::SubgraphT* out_ = nullptr;
};

}  // namespace

Status BuildModel(const ir::Module& module, FileModel* model) {
  model->schema_version = kFirstSchemaVersion;
  model->producer = "mnnconvert";
  model->producer_version = MICRORT_VERSION;
  model->source_format = module.source_format;
  for (const auto& [key, value] : module.metadata) {
    model->metadata.push_back(std::make_unique<schema::MetadataT>());
    model->metadata.back()->key = key;
    model->metadata.back()->value = value;
  }
  {
    BufferTable buffers(model);
    MICRORT_RETURN_IF_ERROR(SubgraphBuilder(*module.graphs[0], &buffers, model).Build());
    model->subgraphs[0]->size_rules = MakeSizeRules(*module.graphs[0]);
    if (!model->subgraphs[0]->size_rules.empty())
      model->schema_version = std::max(model->schema_version, kSchemaVersionOfSizeRules);
  }
  GroupSmallBuffers(model);
  return Status();
}

}  // namespace micrort::emit
