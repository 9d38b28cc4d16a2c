#include "tests/fuzz/model_mutator.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "kernels/base/dtype.h"
#include "runtime/model/operator_options.h"
#include "schema/micrort_generated.h"

namespace micrort::fuzz {

namespace {

using schema::ModelT;
using schema::OperatorT;
using schema::SubgraphT;
using schema::TensorT;

// What grows further only gets slower.
constexpr size_t kMostOperators = 60;
constexpr int64_t kMostBufferBytes = 1 << 14;

template <typename T>
T& Any(std::vector<T>& from, Random& random) {
  return from[Below(from.size(), random)];
}
bool OneIn(size_t n, Random& random) { return Below(n, random) == 0; }

int32_t Dimension(Random& random) {
  return OneIn(8, random) ? static_cast<int32_t>(BoundaryInteger(random))
                          : static_cast<int32_t>(Below(9, random));
}

bool IsAligned(const flatbuffers::Vector<int64_t>* list) {
  return list == nullptr || reinterpret_cast<uintptr_t>(list->data()) % alignof(int64_t) == 0;
}

// Flatbuffers' verifier does not look at this, and unpacking relies on it.
bool ListsAreAligned(const schema::Operator& op) {
  if (const auto* slice = op.options_as_SliceOptions())
    return IsAligned(slice->starts()) && IsAligned(slice->ends()) && IsAligned(slice->steps());
  if (const auto* pad = op.options_as_PadOptions()) return IsAligned(pad->pads());
  const auto* custom = op.options_as_CustomOptions();
  if (custom == nullptr || custom->attributes() == nullptr) return true;
  return std::all_of(custom->attributes()->begin(), custom->attributes()->end(),
                     [](const schema::CustomAttribute* attribute) { return IsAligned(attribute->ints()); });
}
bool ListsAreAligned(const schema::Subgraph& graph) {
  if (graph.plan() != nullptr && !IsAligned(graph.plan()->offsets())) return false;
  return graph.operators() == nullptr ||
         std::all_of(graph.operators()->begin(), graph.operators()->end(),
                     [](const schema::Operator* op) { return ListsAreAligned(*op); });
}
bool ListsAreAligned(const schema::Model& model) {
  return model.subgraphs() == nullptr ||
         std::all_of(model.subgraphs()->begin(), model.subgraphs()->end(),
                     [](const schema::Subgraph* graph) { return ListsAreAligned(*graph); });
}

// Null where that cannot be done.
std::unique_ptr<ModelT> Unpack(const std::string& bytes) {
  const std::vector<uint8_t> aligned(bytes.begin(), bytes.end());
  const schema::Model& file = *schema::GetModel(aligned.data());
  if (!ListsAreAligned(file)) return nullptr;
  std::unique_ptr<ModelT> model(file.UnPack());
  // What names options and has none can be neither copied nor packed.
  for (auto& graph : model->subgraphs) {
    for (auto& op : graph->operators) {
      if (op->options.value == nullptr) op->options.Reset();
    }
  }
  return model;
}

// Null where nothing can be lent.
std::unique_ptr<ModelT> Lender(const std::string& bytes) {
  std::unique_ptr<ModelT> model = bytes.empty() ? nullptr : Unpack(bytes);
  return model == nullptr || model->subgraphs.empty() ? nullptr : std::move(model);
}

std::string Pack(const ModelT& model) {
  flatbuffers::FlatBufferBuilder builder;
  schema::FinishModelBuffer(builder, schema::Model::Pack(builder, &model));
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

class ModelMutator {
 public:
  ModelMutator(ModelT& model, Random& random)
      : model_(model), random_(random), graph_(*Any(model.subgraphs, random)) {}

  void Change(const ModelT* other) {
    switch (Below(13, random_)) {
      case 0:
        return Reconnect();
      case 1:
        return Reshape();
      case 2:
        return Retype();
      case 3:
        return ChangeOrder();
      case 4:
        return Remove();
      case 5:
        return Repeat();
      case 6:
        return TakeOptions();
      case 7:
        return ChangePorts();
      case 8:
        return Quantize();
      case 9:
        return ChangeElements();
      case 10:
        return MakeConstantOrNot();
      default:
        return other == nullptr ? Repeat() : Lend(*other);
    }
  }
  // Plans and stated shapes hold for the model as it was.
  void Repair() {
    for (auto& graph : model_.subgraphs) {
      if (!OneIn(6, random_)) graph->plan.reset();
      if (!OneIn(6, random_)) graph->programs.clear();
    }
    if (OneIn(2, random_)) ForgetShapes();
    if (!OneIn(4, random_)) FitBuffers();
  }

 private:
  bool has_operators() const { return !graph_.operators.empty(); }
  bool has_tensors() const { return !graph_.tensors.empty(); }
  int32_t AnyTensor() {
    return OneIn(20, random_) ? static_cast<int32_t>(BoundaryInteger(random_))
                              : static_cast<int32_t>(Below(graph_.tensors.size() + 1, random_)) - 1;
  }

  void Reconnect() {
    if (!has_operators()) return;
    OperatorT& op = *Any(graph_.operators, random_);
    std::vector<int32_t>& list = OneIn(4, random_) ? op.outputs : op.inputs;
    const size_t way = list.empty() ? 0 : Below(4, random_);
    if (way == 0) list.push_back(AnyTensor());
    if (way == 1) list.pop_back();
    if (way >= 2) Any(list, random_) = AnyTensor();
  }
  void Reshape() {
    if (!has_tensors()) return;
    std::vector<int32_t>& shape = Any(graph_.tensors, random_)->shape;
    const size_t way = shape.empty() ? 0 : Below(6, random_);
    if (way == 0)
      shape.insert(shape.begin() + static_cast<int>(Below(shape.size() + 1, random_)), Dimension(random_));
    if (way == 1) shape.erase(shape.begin() + static_cast<int>(Below(shape.size(), random_)));
    if (way == 2) std::shuffle(shape.begin(), shape.end(), random_);
    if (way >= 3) Any(shape, random_) = Dimension(random_);
  }
  void Retype() {
    if (!has_tensors()) return;
    const auto type = static_cast<schema::DType>(Below(static_cast<size_t>(schema::DType::MAX) + 1, random_));
    const schema::DType from = Any(graph_.tensors, random_)->dtype;
    const bool all = OneIn(2, random_);
    if (!all) {
      Any(graph_.tensors, random_)->dtype = type;
      return;
    }
    for (auto& tensor : graph_.tensors) {
      if (tensor->dtype == from) tensor->dtype = type;
    }
  }
  void ChangeOrder() {
    if (has_operators()) std::swap(Any(graph_.operators, random_), Any(graph_.operators, random_));
  }
  void Remove() {
    if (has_operators())
      graph_.operators.erase(graph_.operators.begin() +
                             static_cast<int>(Below(graph_.operators.size(), random_)));
  }
  int32_t AddTensor(const TensorT& like) {
    graph_.tensors.push_back(std::make_unique<TensorT>(like));
    graph_.tensors.back()->name += "'" + std::to_string(graph_.tensors.size());
    return static_cast<int32_t>(graph_.tensors.size()) - 1;
  }
  // An operator once more, with outputs of its own, which may be the graph's.
  void Repeat() {
    if (!has_operators() || graph_.operators.size() > kMostOperators) return;
    const OperatorT& repeated = *Any(graph_.operators, random_);
    auto op = std::make_unique<OperatorT>(repeated);
    for (int32_t& output : op->outputs) {
      if (output < 0 || static_cast<size_t>(output) >= graph_.tensors.size()) continue;
      output = AddTensor(TensorT(*graph_.tensors[static_cast<size_t>(output)]));
      if (OneIn(2, random_)) graph_.outputs.push_back(output);
    }
    graph_.operators.push_back(std::move(op));
  }
  void TakeOptions() {
    if (!has_operators()) return;
    OperatorT &to = *Any(graph_.operators, random_), &from = *Any(graph_.operators, random_);
    to.options = from.options;
    if (!OneIn(4, random_)) to.code = from.code;
  }
  void ChangePorts() {
    std::vector<int32_t>& list = OneIn(2, random_) ? graph_.inputs : graph_.outputs;
    const size_t way = list.empty() ? 0 : Below(3, random_);
    if (way == 0) list.push_back(AnyTensor());
    if (way == 1) list.pop_back();
    if (way == 2) Any(list, random_) = AnyTensor();
  }
  void Quantize() {
    if (!has_tensors()) return;
    TensorT& tensor = *Any(graph_.tensors, random_);
    if (tensor.quantization != nullptr && OneIn(3, random_)) return tensor.quantization.reset();
    if (tensor.quantization == nullptr) tensor.quantization = std::make_unique<schema::QuantizationT>();
    auto& q = *tensor.quantization;
    q.axis = OneIn(3, random_) ? Dimension(random_) : -1;
    const size_t count =
        q.axis >= 0 && static_cast<size_t>(q.axis) < tensor.shape.size() && !OneIn(8, random_)
            ? static_cast<size_t>(std::clamp(tensor.shape[static_cast<size_t>(q.axis)], 0, 64))
            : 1 + Below(2, random_);
    q.scales.assign(count, OneIn(4, random_) ? static_cast<float>(BoundaryReal(random_)) : 0.5f);
    q.zero_points.assign(OneIn(2, random_) ? count : 0, OneIn(2, random_) ? 0 : Dimension(random_));
    if (OneIn(8, random_)) q.group = Dimension(random_);
  }
  void ChangeElements() {
    auto& buffer = *Any(model_.buffers, random_);
    const std::string changed = MutateBytes({buffer.data.begin(), buffer.data.end()}, random_);
    const size_t size = buffer.data.size();
    buffer.data.assign(changed.begin(), changed.end());
    if (!OneIn(4, random_)) buffer.data.resize(size);
  }
  void MakeConstantOrNot() {
    if (!has_tensors()) return;
    TensorT& tensor = *Any(graph_.tensors, random_);
    if (tensor.buffer != 0) {
      tensor.buffer = OneIn(2, random_) ? 0 : static_cast<uint32_t>(Below(model_.buffers.size(), random_));
      return;
    }
    tensor.buffer = static_cast<uint32_t>(model_.buffers.size());
    model_.buffers.push_back(std::make_unique<schema::BufferT>());
    for (int32_t& dim : tensor.shape) dim = std::clamp(dim, 0, 8);
  }
  // An operator of another model, on tensors of this one where their types fit.
  void Lend(const ModelT& other) {
    const SubgraphT& source = *other.subgraphs.front();
    if (source.operators.empty() || graph_.operators.size() > kMostOperators) return;
    const OperatorT& lent = *source.operators[Below(source.operators.size(), random_)];
    auto op = std::make_unique<OperatorT>(lent);
    op->packed.clear();
    for (std::vector<int32_t>* list : {&op->inputs, &op->outputs}) {
      for (int32_t& tensor : *list) {
        if (tensor >= 0 && static_cast<size_t>(tensor) < source.tensors.size())
          tensor = Adopt(other, *source.tensors[static_cast<size_t>(tensor)], list == &op->inputs);
      }
    }
    for (const int32_t output : op->outputs) {
      if (output >= 0 && OneIn(2, random_)) graph_.outputs.push_back(output);
    }
    const size_t at =
        OneIn(2, random_) ? graph_.operators.size() : Below(graph_.operators.size() + 1, random_);
    graph_.operators.insert(graph_.operators.begin() + static_cast<int>(at), std::move(op));
  }
  int32_t Adopt(const ModelT& other, const TensorT& tensor, bool is_read) {
    if (is_read && tensor.buffer == 0) {
      const size_t start = Below(graph_.tensors.size() + 1, random_);
      for (size_t i = 0; i < graph_.tensors.size(); ++i) {
        const size_t at = (start + i) % graph_.tensors.size();
        if (graph_.tensors[at]->dtype == tensor.dtype &&
            graph_.tensors[at]->shape.size() == tensor.shape.size())
          return static_cast<int32_t>(at);
      }
    }
    const int32_t added = AddTensor(TensorT(tensor));
    TensorT& own = *graph_.tensors[static_cast<size_t>(added)];
    if (tensor.buffer != 0 && tensor.buffer < other.buffers.size()) {
      own.buffer = static_cast<uint32_t>(model_.buffers.size());
      model_.buffers.push_back(std::make_unique<schema::BufferT>(*other.buffers[tensor.buffer]));
    } else if (is_read) {
      graph_.inputs.push_back(added);
    }
    return added;
  }
  void ForgetShapes() {
    for (auto& graph : model_.subgraphs) {
      for (size_t i = 0; i < graph->tensors.size(); ++i) {
        TensorT& tensor = *graph->tensors[i];
        const auto& inputs = graph->inputs;
        const bool is_input =
            std::find(inputs.begin(), inputs.end(), static_cast<int32_t>(i)) != inputs.end();
        if (tensor.buffer == 0 && !is_input) std::fill(tensor.shape.begin(), tensor.shape.end(), -1);
      }
    }
  }
  void FitBuffers() {
    for (auto& graph : model_.subgraphs) {
      for (auto& tensor : graph->tensors) {
        if (tensor->buffer == 0 || tensor->buffer >= model_.buffers.size() || tensor->packed_only) continue;
        int64_t bytes = static_cast<int64_t>(SizeOf(static_cast<DType>(tensor->dtype)));
        for (const int32_t dim : tensor->shape) bytes = std::min(kMostBufferBytes, bytes * std::max(dim, 0));
        model_.buffers[tensor->buffer]->data.resize(static_cast<size_t>(bytes));
      }
    }
  }

  ModelT& model_;
  Random& random_;
  SubgraphT& graph_;
};

}  // namespace

std::string MutateModel(const std::string& bytes, const std::string& other, Random& random) {
  const std::unique_ptr<ModelT> model = Unpack(bytes);
  const std::unique_ptr<ModelT> lender = Lender(other);
  if (model == nullptr) return MutateBytes(bytes, random);
  if (model->subgraphs.empty() || model->buffers.empty()) return bytes;
  for (size_t times = 1 + Below(3, random); times > 0; --times) {
    ModelMutator mutator(*model, random);
    mutator.Change(lender.get());
    if (times == 1) mutator.Repair();
  }
  return Pack(*model);
}

}  // namespace micrort::fuzz
