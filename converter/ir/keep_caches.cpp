#include "converter/ir/keep_caches.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "converter/ir/build.h"
#include "converter/ir/infer.h"
#include "converter/ir/keep_states.h"

namespace micrort::ir {
namespace {

using schema::OpCode;

constexpr char kKvCacheFlag[] = "--kv-cache";
constexpr char kMask[] = "attention_mask";
// The importer has joined a cache of fixed size with its new rows.
constexpr char kScatter[] = "TensorScatter";

bool Holds(const std::vector<ValueId>& ids, ValueId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

void Drop(ValueId id, std::vector<ValueId>* ids) {
  ids->erase(std::remove(ids->begin(), ids->end(), id), ids->end());
}

// The permutation that moves `axis` behind the batch.
std::vector<int32_t> RowsFirst(int rank, int axis) {
  std::vector<int32_t> order(static_cast<size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  std::rotate(order.begin() + 1, order.begin() + axis, order.begin() + axis + 1);
  return order;
}
// The permutation that undoes `order`.
std::vector<int32_t> Inverse(const std::vector<int32_t>& order) {
  std::vector<int32_t> inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i) inverse[static_cast<size_t>(order[i])] = static_cast<int32_t>(i);
  return inverse;
}

bool KeepsElements(const Node& node) {
  return node.code == OpCode::Cast ||
         (node.code == OpCode::Unary && node.as<schema::UnaryOptionsT>().kind == schema::UnaryKind::Identity);
}

// The elements as they are, all or some.
bool Moves(const Node& node) {
  return KeepsElements(node) || node.code == OpCode::Reshape || node.code == OpCode::Slice;
}

struct Cache {
  ValueId past;       // an input
  ValueId read;       // all of it or a part, [1,...] of float32, as the joint reads it
  ValueId present;    // an output that has what the joint gives
  const Node* joint;  // Concat
  int axis;

  ValueId rows() const { return joint->inputs[1]; }
};

class Keeper {
 public:
  Keeper(int64_t capacity, Graph* graph, std::vector<std::string>* notes)
      : capacity_(capacity), graph_(*graph), notes_(*notes) {}

  Status Run() {
    if (!graph_.states.empty())
      return MICRORT_ERROR(kUnsupported, "%s: the model has states of its own", kKvCacheFlag);
    uses_ = graph_.ComputeUses();
    FindCaches();
    MICRORT_RETURN_IF_ERROR(CheckScattered());
    if (caches_.empty()) {
      return MICRORT_ERROR(kUnsupported,
                           "%s: expected an input that a Concat joins with new rows to an output, "
                           "as past and present of a decoder; found none",
                           kKvCacheFlag);
    }
    for (const Cache& cache : caches_) MICRORT_RETURN_IF_ERROR(Check(cache));
    FixBatch();
    MICRORT_RETURN_IF_ERROR(Count());
    for (const Cache& cache : caches_) MICRORT_RETURN_IF_ERROR(Keep(cache));
    MICRORT_RETURN_IF_ERROR(RemoveDead());
    MICRORT_RETURN_IF_ERROR(ReplaceMask());
    MICRORT_RETURN_IF_ERROR(RemoveDead());
    DropUnread();
    return Infer();
  }

 private:
  void FindCaches() {
    for (const auto& node : graph_.nodes) {
      if (node->code != OpCode::Concat || node->inputs.size() != 2) continue;
      const int axis = node->as<schema::ConcatOptionsT>().axis;
      const Cache cache = {SourceOf(node->inputs[0]), node->inputs[0], OutputOf(node->outputs[0]), node.get(),
                           axis};
      const Value& read = graph_.value(cache.read);
      const bool is_open = read.dim(static_cast<size_t>(axis)) == kDynamic || node->source_op == kScatter;
      const bool grows = axis > 0 && is_open && read.dtype == DType::kFloat32;
      if (grows && Holds(graph_.inputs, cache.past) && cache.present != kNoValue) caches_.push_back(cache);
    }
  }

  // A cache of fixed size that cannot be kept has no meaning beside ones that can.
  Status CheckScattered() const {
    for (const auto& node : graph_.nodes) {
      if (node->code != OpCode::Concat || node->source_op != kScatter) continue;
      const ValueId past = SourceOf(node->inputs[0]);
      const bool is_kept = std::any_of(caches_.begin(), caches_.end(),
                                       [&node](const Cache& cache) { return cache.joint == node.get(); });
      if (is_kept || !Holds(graph_.inputs, past)) continue;
      return MICRORT_ERROR(kUnsupported,
                           "%s: cache '%s', which %s writes: expected mode linear, an input with the first "
                           "position, float32 or float16, and that it is an output",
                           kKvCacheFlag, graph_.value(past).name.c_str(), Describe(*node).c_str());
    }
    return Status();
  }

  // Follows a value to the one that its elements were taken from.
  ValueId SourceOf(ValueId id) const {
    const Node* node = uses_.producer[static_cast<size_t>(id)];
    return node != nullptr && Moves(*node) ? SourceOf(node->inputs[0]) : id;
  }

  // An output that the value is, or a part of; kNoValue: there is none.
  ValueId OutputOf(ValueId id) const {
    if (Holds(graph_.outputs, id)) return id;
    ValueId output = kNoValue;
    for (const Node* next : uses_.consumers[static_cast<size_t>(id)]) {
      const bool passes =
          KeepsElements(*next) || next->code == OpCode::Reshape || next->code == OpCode::Concat;
      if (output == kNoValue && passes) output = OutputOf(next->outputs[0]);
    }
    return output;
  }

  Status Check(const Cache& cache) const {
    const Value &read = graph_.value(cache.read), &rows = graph_.value(cache.rows());
    const char* const name = graph_.value(cache.past).name.c_str();
    for (int d = 0; d < read.rank(); ++d) {
      const int64_t size = read.dim(static_cast<size_t>(d));
      if (d == cache.axis || (d == 0 && (size == kDynamic || size == 1)) || (d > 0 && size > 0)) continue;
      return MICRORT_ERROR(kUnsupported,
                           "%s: dimension %d of '%s' is not fixed, or a batch; --input-shape gives it",
                           kKvCacheFlag, d, name);
    }
    MICRORT_RETURN_IF_ERROR(CheckReaders(cache.past, cache));
    const Value& first = graph_.value(caches_[0].rows());
    const auto count = [](const Value& v, int axis) {
      const auto d = static_cast<size_t>(axis);
      return std::make_pair(v.dim(d), d < v.dim_names.size() ? v.dim_names[d] : std::string());
    };
    if (count(rows, cache.axis) == count(first, caches_[0].axis)) return Status();
    return MICRORT_ERROR(kUnsupported, "%s: '%s' and '%s' do not grow alike", kKvCacheFlag, name,
                         graph_.value(caches_[0].past).name.c_str());
  }

  // Whether joints alone read an input and the values that its elements are moved to.
  Status CheckReaders(ValueId id, const Cache& cache) const {
    const bool is_read =
        std::any_of(caches_.begin(), caches_.end(), [id](const Cache& c) { return c.read == id; });
    for (const Node* node : uses_.consumers[static_cast<size_t>(id)]) {
      const bool is_joint = std::any_of(caches_.begin(), caches_.end(), [node, id](const Cache& c) {
        return c.joint == node && c.read == id;
      });
      if (is_joint || (is_read && node->code == OpCode::Shape)) continue;
      if (!Moves(*node)) {
        return MICRORT_ERROR(kUnsupported, "%s: '%s' is also read by %s", kKvCacheFlag,
                             graph_.value(cache.past).name.c_str(), Describe(*node).c_str());
      }
      MICRORT_RETURN_IF_ERROR(CheckReaders(node->outputs[0], cache));
    }
    return Status();
  }

  // Dimensions of the name that the batch of a cache has are 1.
  void FixBatch() {
    std::vector<std::string> names;
    for (const Cache& cache : caches_) {
      const Value& read = graph_.value(cache.read);
      if (read.shape[0] == kDynamic && !read.dim_names.empty() && !read.dim_names[0].empty())
        names.push_back(read.dim_names[0]);
    }
    for (const ValueId id : graph_.inputs) {
      Value& value = graph_.value(id);
      for (size_t d = 0; d < value.dim_names.size(); ++d) {
        if (value.shape[d] != kDynamic ||
            std::find(names.begin(), names.end(), value.dim_names[d]) == names.end())
          continue;
        value.shape[d] = 1;
        value.dim_names[d].clear();
      }
    }
    if (!names.empty()) notes_.push_back(std::string(kKvCacheFlag) + ": the batch is 1, one sequence");
  }

  Builder Build(const Cache& cache) {
    return Builder(graph_, OriginOf(*cache.joint), graph_.value(cache.rows()).name);
  }

  // The length of all caches, and what follows from it.
  Status Count() {
    Value length;
    length.name = "kv_length";
    length.dtype = DType::kInt64;
    length.has_shape = true;
    length.shape = {1};
    length_ = graph_.AddValue(std::move(length));
    graph_.inputs.push_back(length_);

    Builder build = Build(caches_[0]);
    origin_ = build.origin;
    const ValueId zero = build.Integers({0});
    new_ = NewRows(&build);
    const ValueId room = build.Sub(build.Integers({capacity_}), new_);
    // As many elements as rows are taken, so that sizes can follow; at most as many as leave room for the
    // new.
    std::vector<int64_t> rows(static_cast<size_t>(capacity_));
    std::iota(rows.begin(), rows.end(), 0);
    const ValueId places = build.Add(schema::SliceOptionsT(), {build.Integers(rows), zero, room, zero});
    taken_ = build.Add(schema::SliceOptionsT(), {places, zero, length_, zero});
    AddState(build.Add(length_, new_), length_, nullptr, &graph_, schema::StateKind::Length);
    return build.status();
  }

  // How many rows a run appends, from an input where one tells: the rows themselves may depend on the length.
  ValueId NewRows(Builder* build) const {
    const auto axis = static_cast<size_t>(caches_[0].axis);
    const Value& rows = graph_.value(caches_[0].rows());
    if (rows.dim(axis) != kDynamic) return build->Integers({rows.dim(axis)});
    const std::string name = axis < rows.dim_names.size() ? rows.dim_names[axis] : "";
    for (const ValueId id : graph_.inputs) {
      const std::vector<std::string>& names = graph_.value(id).dim_names;
      const auto at = std::find(names.begin(), names.end(), name);
      if (name.empty() || at == names.end()) continue;
      return build->Slice(build->ShapeOf(id), 0, at - names.begin(), at - names.begin() + 1);
    }
    return build->Slice(build->ShapeOf(caches_[0].rows()), 0, caches_[0].axis, caches_[0].axis + 1);
  }

  Status Keep(const Cache& cache) {
    Builder build = Build(cache);
    ReplaceShapes(cache, &build);
    Drop(cache.present, &graph_.outputs);
    const std::vector<int32_t> order = RowsFirst(graph_.value(cache.read).rank(), cache.axis);
    const bool moves = cache.axis != 1;
    const ValueId state = AddCache(cache), rows = moves ? build.Transpose(cache.rows(), order) : cache.rows();
    const ValueId present = build.Add(schema::AppendOptionsT(), {state, length_, rows, taken_});
    graph_.ReplaceUses(cache.joint->outputs[0], moves ? build.Transpose(present, Inverse(order)) : present);
    AddState(present, state, nullptr, &graph_, schema::StateKind::Cache);
    return build.status();
  }

  // It has the name of the input that it stands for.
  ValueId AddCache(const Cache& cache) {
    const std::string name = graph_.value(cache.past).name;
    if (graph_.FindValue(name) == cache.past) graph_.Rename(cache.past, name + "/input");
    Value state;
    state.name = name;
    state.dtype = DType::kFloat32;
    state.has_shape = true;
    state.shape = graph_.value(cache.read).shape;
    state.shape[0] = 1;
    state.shape.erase(state.shape.begin() + cache.axis);
    state.shape.insert(state.shape.begin() + 1, capacity_);
    const ValueId id = graph_.AddValue(std::move(state));
    graph_.inputs.push_back(id);
    return id;
  }

  // Readers of the former cache's shape get one in which the taken rows are counted.
  void ReplaceShapes(const Cache& cache, Builder* build) {
    const std::vector<int64_t> shape = graph_.value(cache.read).shape;
    for (const Node* node : uses_.consumers[static_cast<size_t>(cache.read)]) {
      if (node->code != OpCode::Shape) continue;
      std::vector<ValueId> sizes;
      for (size_t d = 0; d < shape.size(); ++d) {
        const bool is_taken = static_cast<int>(d) == cache.axis;
        sizes.push_back(is_taken ? build->ShapeOf(taken_) : build->Integers({d == 0 ? 1 : shape[d]}));
      }
      const auto options = node->as<schema::ShapeOptionsT>();
      graph_.ReplaceUses(node->outputs[0],
                         build->Slice(build->Concat(sizes, 0), 0, options.start, options.end));
    }
  }

  // Nodes that nobody reads, some of which do not fit what inputs are now.
  Status RemoveDead() {
    if (!graph_.Sort())
      return MICRORT_ERROR(kUnsupported, "%s: how many rows a run appends depends on the caches",
                           kKvCacheFlag);
    std::vector<bool> is_read(graph_.value_count(), false);
    for (const ValueId id : graph_.outputs) is_read[static_cast<size_t>(id)] = true;
    for (auto node = graph_.nodes.rbegin(); node != graph_.nodes.rend(); ++node) {
      const auto& outputs = (*node)->outputs;
      const bool lives = std::any_of(outputs.begin(), outputs.end(), [&](ValueId id) {
        return id != kNoValue && is_read[static_cast<size_t>(id)];
      });
      for (const ValueId id : (*node)->inputs) {
        if (lives && id != kNoValue) is_read[static_cast<size_t>(id)] = true;
      }
      if (!lives) node->reset();
    }
    graph_.nodes.erase(std::remove(graph_.nodes.begin(), graph_.nodes.end(), nullptr), graph_.nodes.end());
    return Status();
  }

  // All tokens so far are seen.
  Status ReplaceMask() {
    const ValueId mask = graph_.FindValue(kMask);
    if (mask == kNoValue || !Holds(graph_.inputs, mask) || !IsRead(graph_, mask)) return Status();
    const Value& value = graph_.value(mask);
    if (value.rank() != 2 || value.shape[1] != kDynamic) return Status();
    Builder build(graph_, origin_, kMask);
    const ValueId total = build.Add(build.ShapeOf(taken_), new_);
    const ValueId one = build.Cast(build.Integers({1}), value.dtype);
    graph_.ReplaceUses(mask, build.Expand({one, build.Concat({build.Integers({1}), total}, 0)}));
    return build.status();
  }

  // Importers have left out what follows from caches, too.
  void DropUnread() {
    std::string names;
    const std::vector<ValueId> given(graph_.inputs.begin(),
                                     graph_.inputs.begin() + static_cast<ptrdiff_t>(graph_.caller_inputs()));
    for (const ValueId id : given) {
      if (IsRead(graph_, id) || Holds(graph_.outputs, id)) continue;
      Drop(id, &graph_.inputs);
      const auto is_past = [id](const Cache& cache) { return cache.past == id; };
      if (std::none_of(caches_.begin(), caches_.end(), is_past))
        names += (names.empty() ? "'" : ", '") + graph_.value(id).name + "'";
    }
    if (!names.empty())
      notes_.push_back(std::string(kKvCacheFlag) +
                       ": not needed beside the caches, and no input any more: " + names);
  }

  Status Infer() {
    ShapeInference inference(graph_);
    for (const auto& node : graph_.nodes) {
      if (Status s = inference.Visit(*node); !s.ok())
        return s.WithPrefix("%s: %s", kKvCacheFlag, Describe(*node).c_str());
    }
    inference.FixInputs();
    return Status();
  }

  const int64_t capacity_;
  Graph& graph_;
  std::vector<std::string>& notes_;
  Graph::Uses uses_;  // of the source
  std::vector<Cache> caches_;
  Origin origin_;  // of the first cache
  ValueId length_ = kNoValue;
  ValueId new_ = kNoValue;    // [1]: how many rows a run appends
  ValueId taken_ = kNoValue;  // [P]
};

}  // namespace

Status KeepCaches(int64_t capacity, Graph* graph, std::vector<std::string>* notes) {
  return Keeper(capacity, graph, notes).Run();
}

}  // namespace micrort::ir
