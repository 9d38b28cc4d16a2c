#include "converter/frontend/tensorflow/list_ops.h"

#include <limits>
#include <map>

#include "converter/frontend/tensorflow/tensor_lists.h"
#include "converter/frontend/tensorflow/tensor_types.h"

namespace micrort::frontend::tensorflow {

namespace {

// One node: its inputs, of which some are lists, and what it gives.
class ListContext : public NodeAttributes {
 public:
  ListContext(const ::tensorflow::NodeDef& node, const AttrMap* call, ir::Builder& builder,
              const TfValues& inputs, TfValues* results)
      : NodeAttributes(node, call), build(builder), inputs_(inputs), results_(results) {}

  ir::Builder& build;

  const ir::Value& value(ir::ValueId id) const { return build.graph().value(id); }
  Result<ir::ValueId> Tensor(size_t i) const {
    if (inputs_[i].tensor != ir::kNoValue && !inputs_[i].is_complex) return inputs_[i].tensor;
    return Unsupported("input {} is no tensor that lists hold", i);
  }
  Result<TensorList> List(size_t i) const {
    if (inputs_[i].list != nullptr) return *inputs_[i].list;
    return Unsupported("input {} is no list that we know", i);
  }
  Status Return(ir::ValueId id) {
    results_->push_back(TensorValue(id));
    return build.status();
  }
  Status Return(const Result<ir::ValueId>& id) { return id.ok() ? Return(id.value()) : id.status(); }
  Status ReturnList(TensorList list) {
    results_->push_back(ListValue(std::move(list)));
    return build.status();
  }
  // As int64 of this shape: {} or {1}.
  ir::ValueId Integer(ir::ValueId id, std::vector<int32_t> shape) const {
    if (value(id).dtype != DType::kInt64) id = build.Cast(id, DType::kInt64);
    return value(id).rank() == static_cast<int>(shape.size()) ? id : build.Reshape(id, std::move(shape));
  }
  // The list's elements, zeros if there is nothing else.
  Result<ir::ValueId> Elements(size_t i) const {
    MICRORT_ASSIGN_OR_RETURN(TensorList list, List(i));
    MICRORT_RETURN_IF_ERROR(Fill(build, ir::kNoValue, &list));
    return list.stacked;
  }
  // The shape of elements, from input i.
  void ReadElementShape(size_t i, TensorList* list) const {
    list->has_element_rank = inputs_[i].tensor != ir::kNoValue && value(inputs_[i].tensor).rank() == 1 &&
                             ir::IntegersOf(value(inputs_[i].tensor), &list->element);
  }

 private:
  const TfValues& inputs_;
  TfValues* const results_;
};

// A tensor as one element more: [1, shape].
ir::ValueId AsElement(ListContext& c, ir::ValueId item) { return c.build.InsertDim(item, 0); }

ir::ValueId WithoutFirstDim(ListContext& c, ir::ValueId x) { return c.build.DropDim(x, 0); }

// Whether an index is each of 0, 1 ... in turn, as many as the first dimension of x has.
bool IsEveryIndex(const ListContext& c, ir::ValueId indices, ir::ValueId x) {
  std::vector<int64_t> list;
  if (!ir::IntegersOf(c.value(indices), &list) || c.value(x).rank() == 0) return false;
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i] != static_cast<int64_t>(i)) return false;
  }
  return c.value(x).dim(0) == static_cast<int64_t>(list.size());
}

template <size_t shape_input, size_t length_input>
Status ImportReserve(ListContext& c) {
  TensorList list;
  MICRORT_ASSIGN_OR_RETURN(list.dtype, c.Type("element_dtype", DType::kUnknown));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId length, c.Tensor(length_input));
  c.ReadElementShape(shape_input, &list);
  list.length = c.Integer(length, {1});
  return c.ReturnList(std::move(list));
}

// EmptyTensorList: element_shape, the most elements that it may get.
Status ImportEmpty(ListContext& c) {
  TensorList list;
  MICRORT_ASSIGN_OR_RETURN(list.dtype, c.Type("element_dtype", DType::kUnknown));
  c.ReadElementShape(0, &list);
  list.length = c.build.Integers({0});
  return c.ReturnList(std::move(list));
}

// TensorArrayV3: size. Outputs: a handle, and the flow that stands for what is in it; both are the list.
Status ImportArray(ListContext& c) {
  TensorList list;
  MICRORT_ASSIGN_OR_RETURN(list.dtype, c.Type("dtype", DType::kUnknown));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId length, c.Tensor(0));
  const ::tensorflow::AttrValue* shape = c.Find("element_shape");
  list.has_element_rank = shape != nullptr && !shape->shape().unknown_rank() && shape->shape().dim_size() > 0;
  if (list.has_element_rank) {
    for (const auto& dim : shape->shape().dim())
      list.element.push_back(dim.size() < 0 ? ir::kDynamic : dim.size());
  }
  list.length = c.Integer(length, {1});
  MICRORT_RETURN_IF_ERROR(c.ReturnList(list));
  return c.ReturnList(std::move(list));
}

Status ImportFromTensor(ListContext& c) {
  TensorList list;
  MICRORT_ASSIGN_OR_RETURN(list.stacked, c.Tensor(0));
  list.dtype = c.value(list.stacked).dtype;
  if (c.value(list.stacked).rank() == 0) return Invalid("a list from a scalar");
  return c.ReturnList(std::move(list));
}

template <size_t list_input, size_t index_input>
Status ImportGet(ListContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId elements, c.Elements(list_input));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId index, c.Tensor(index_input));
  return c.Return(c.build.Gather(elements, index, 0));
}

template <size_t list_input, size_t index_input, size_t item_input>
Status ImportSet(ListContext& c) {
  MICRORT_ASSIGN_OR_RETURN(TensorList list, c.List(list_input));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId index, c.Tensor(index_input));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId item, c.Tensor(item_input));
  MICRORT_RETURN_IF_ERROR(Fill(c.build, item, &list));
  const ir::ValueId place = c.build.Reshape(c.Integer(index, {}), {1, 1});
  list.stacked = c.build.Add(schema::ScatterNDOptionsT(), {list.stacked, place, AsElement(c, item)});
  return c.ReturnList(std::move(list));
}

// Picks by a list of indices; without one, all.
template <size_t list_input, size_t index_input>
Status ImportGather(ListContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId elements, c.Elements(list_input));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId indices, c.Tensor(index_input));
  return c.Return(IsEveryIndex(c, indices, elements) ? elements : c.build.Gather(elements, indices, 0));
}

Status ImportStack(ListContext& c) { return c.Return(c.Elements(0)); }

Status ScatterInto(ListContext& c, TensorList list, ir::ValueId indices, ir::ValueId items) {
  const bool is_whole = list.stacked == ir::kNoValue && IsEveryIndex(c, indices, items);
  if (is_whole) return c.ReturnList(WithStacked(std::move(list), items));
  if (list.stacked == ir::kNoValue) {
    const ir::ValueId shape = c.build.SizesOf(items, 1, std::numeric_limits<int64_t>::max());
    const ir::ValueId zeros = Zeros(c.build, list, shape);
    list = WithStacked(std::move(list), zeros);
  }
  const ir::ValueId places = c.build.Reshape(indices, {CopyDim(0), 1});
  list.stacked = c.build.Add(schema::ScatterNDOptionsT(), {list.stacked, places, items});
  return c.ReturnList(std::move(list));
}

// TensorArrayScatterV3: handle, indices, items, flow.
Status ImportArrayScatter(ListContext& c) {
  MICRORT_ASSIGN_OR_RETURN(TensorList list, c.List(3));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId indices, c.Tensor(1));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId items, c.Tensor(2));
  return ScatterInto(c, std::move(list), indices, items);
}

// TensorListScatter: items, indices, element_shape; V2 knows the number of elements, if it is not negative.
Status ImportScatter(ListContext& c) {
  TensorList list;
  ir::ValueId length = ir::kNoValue;
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId items, c.Tensor(0));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId indices, c.Tensor(1));
  list.dtype = c.value(items).dtype;
  std::vector<int64_t> count;
  if (c.node().op() == "TensorListScatterV2") MICRORT_RETURN_IF_ERROR(Take(c.Tensor(3), &length));
  const bool is_counted =
      length != ir::kNoValue && ir::IntegersOf(c.value(length), &count) && count.size() == 1;
  const bool is_open = length == ir::kNoValue || (is_counted && count[0] < 0);
  if (is_open || (is_counted && count[0] == c.value(items).dim(0))) {
    if (IsEveryIndex(c, indices, items)) return c.ReturnList(WithStacked(std::move(list), items));
  }
  if (is_open) return Unsupported("indices other than 0, 1 ... of a list without a length");
  list.length = c.Integer(length, {1});
  const ir::ValueId shape = c.build.SizesOf(items, 1, std::numeric_limits<int64_t>::max());
  list = WithStacked(list, Zeros(c.build, list, shape));
  return ScatterInto(c, std::move(list), indices, items);
}

ir::ValueId LengthOf(ListContext& c, const TensorList& list) {
  return list.stacked == ir::kNoValue ? list.length : c.build.SizesOf(list.stacked, 0, 1);
}

template <size_t list_input>
Status ImportLength(ListContext& c) {
  MICRORT_ASSIGN_OR_RETURN(TensorList list, c.List(list_input));
  return c.Return(c.build.Cast(c.build.Reshape(LengthOf(c, list), {}), DType::kInt32));
}

Status ImportElementShape(ListContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId elements, c.Elements(0));
  MICRORT_ASSIGN_OR_RETURN(const DType type, c.Type("shape_type", DType::kInt32));
  const ir::ValueId shape = c.build.SizesOf(elements, 1, std::numeric_limits<int64_t>::max());
  return c.Return(c.build.As(shape, type));
}

Status ImportPushBack(ListContext& c) {
  MICRORT_ASSIGN_OR_RETURN(TensorList list, c.List(0));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId item, c.Tensor(1));
  std::vector<int64_t> length;
  const bool is_empty = list.stacked == ir::kNoValue && ir::IntegersOf(c.value(list.length), &length) &&
                        length.size() == 1 && length[0] == 0;
  const ir::ValueId element = AsElement(c, item);
  if (is_empty) return c.ReturnList(WithStacked(std::move(list), element));
  MICRORT_RETURN_IF_ERROR(Fill(c.build, item, &list));
  const ir::ValueId longer = c.build.Concat({list.stacked, element}, 0);
  return c.ReturnList(WithStacked(std::move(list), longer));
}

Status ImportPopBack(ListContext& c) {
  MICRORT_ASSIGN_OR_RETURN(TensorList list, c.List(0));
  MICRORT_RETURN_IF_ERROR(Fill(c.build, ir::kNoValue, &list));
  const ir::ValueId all = list.stacked;
  const ir::ValueId last = c.build.Slice(all, 0, -1, std::numeric_limits<int64_t>::max());
  MICRORT_RETURN_IF_ERROR(c.ReturnList(WithStacked(std::move(list), c.build.Slice(all, 0, 0, -1))));
  return c.Return(WithoutFirstDim(c, last));
}

// Elements one after the other. Outputs: the tensor, and the length of each.
template <size_t list_input>
Status ImportJoin(ListContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId elements, c.Elements(list_input));
  const int rank = c.value(elements).rank();
  if (rank < 2) return Invalid("elements without a dimension to join");
  std::vector<ir::ValueId> sizes = {c.build.Integers({-1})};
  const ir::ValueId shape = c.build.ShapeOf(elements);
  if (rank > 2) sizes.push_back(c.build.Slice(shape, 0, 2, rank));
  const ir::ValueId joined = c.build.Add(schema::ReshapeOptionsT(), {elements, c.build.Concat(sizes, 0)});
  MICRORT_RETURN_IF_ERROR(c.Return(joined));
  return c.Return(c.build.Expand({c.build.Slice(shape, 0, 1, 2), c.build.Slice(shape, 0, 0, 1)}));
}

// Into parts of equal lengths.
template <size_t items_input, size_t lengths_input>
Status ImportSplit(ListContext& c) {
  TensorList list;
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId items, c.Tensor(items_input));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId lengths, c.Tensor(lengths_input));
  std::vector<int64_t> sizes;
  if (!ir::IntegersOf(c.value(lengths), &sizes) || sizes.empty() || c.value(items).rank() == 0)
    return Unsupported("lengths that are not constant");
  std::vector<int32_t> shape = {static_cast<int32_t>(sizes.size()), kInferDim};
  for (const int64_t size : sizes) {
    if (size != sizes[0]) return Unsupported("parts of different lengths");
  }
  for (int i = 1; i < c.value(items).rank(); ++i) shape.push_back(CopyDim(i));
  list.dtype = c.value(items).dtype;
  return c.ReturnList(WithStacked(std::move(list), c.build.Reshape(items, shape)));
}

Status ImportClose(ListContext&) { return Status(); }

struct ListOp {
  size_t inputs;
  Status (*import)(ListContext& c);
};

const std::map<std::string, ListOp>& ListOps() {
  static const std::map<std::string, ListOp> ops = {
      {"EmptyTensorList", {2, ImportEmpty}},
      {"TensorArrayCloseV3", {1, ImportClose}},
      {"TensorArrayConcatV3", {2, ImportJoin<1>}},
      {"TensorArrayGatherV3", {3, ImportGather<2, 1>}},
      {"TensorArrayReadV3", {3, ImportGet<2, 1>}},
      {"TensorArrayScatterV3", {4, ImportArrayScatter}},
      {"TensorArraySizeV3", {2, ImportLength<1>}},
      {"TensorArraySplitV3", {4, ImportSplit<1, 2>}},
      {"TensorArrayV3", {1, ImportArray}},
      {"TensorArrayWriteV3", {4, ImportSet<3, 1, 2>}},
      {"TensorListConcat", {1, ImportJoin<0>}},
      {"TensorListConcatV2", {3, ImportJoin<0>}},
      {"TensorListElementShape", {1, ImportElementShape}},
      {"TensorListFromTensor", {2, ImportFromTensor}},
      {"TensorListGather", {3, ImportGather<0, 1>}},
      {"TensorListGetItem", {3, ImportGet<0, 1>}},
      {"TensorListLength", {1, ImportLength<0>}},
      {"TensorListPopBack", {2, ImportPopBack}},
      {"TensorListPushBack", {2, ImportPushBack}},
      {"TensorListReserve", {2, ImportReserve<0, 1>}},
      {"TensorListScatter", {3, ImportScatter}},
      {"TensorListScatterV2", {4, ImportScatter}},
      {"TensorListSetItem", {3, ImportSet<0, 1, 2>}},
      {"TensorListSplit", {3, ImportSplit<0, 2>}},
      {"TensorListStack", {2, ImportStack}},
  };
  return ops;
}

}  // namespace

bool IsListOp(const std::string& op) { return ListOps().count(op) != 0; }

std::vector<std::string> AllListOps() {
  std::vector<std::string> names;
  for (const auto& entry : ListOps()) names.push_back(entry.first);
  return names;
}

Result<TfValues> ImportListOp(GraphAssembler& assembler, const Scope& scope,
                              const ::tensorflow::NodeDef& node, const TfValues& inputs) {
  const ListOp& op = ListOps().at(node.op());
  if (inputs.size() != op.inputs) return Invalid("expected {} inputs, found {}", op.inputs, inputs.size());
  TfValues results;
  if (!IsComplete(inputs)) return results;
  const std::string name = scope.prefix() + node.name();
  const ir::ValueId first_new = assembler.NextValue();
  ir::Builder builder = assembler.BuilderFor({name, node.op(), 0}, name);
  ListContext c(node, scope.call(), builder, inputs, &results);
  const Status imported = op.import(c);
  MICRORT_RETURN_IF_ERROR(builder.status());
  MICRORT_RETURN_IF_ERROR(imported);
  if (!results.empty() && results.front().tensor != ir::kNoValue)
    assembler.NameResult(name, results.front().tensor, first_new);
  return results;
}

}  // namespace micrort::frontend::tensorflow
