#include "serve/repository/model_tensors.h"

#include "runtime/model/schema_text.h"

namespace micrort::serve {

std::vector<TensorSpec> InputsOf(const Model& model) {
  std::vector<TensorSpec> specs;
  for (size_t i = 0; i < model.input_count(); ++i) {
    const TensorView view = model.input(i);
    specs.push_back({view.name, view.dtype, {view.shape.dims, view.shape.dims + view.shape.rank}});
  }
  return specs;
}

std::vector<TensorSpec> OutputsOf(const Model& model) {
  const schema::Subgraph& graph = *schema::GetModel(model.file().data())->subgraphs()->Get(0);
  std::vector<TensorSpec> specs;
  for (int32_t index : CallerOutputs(graph)) {
    const schema::Tensor& tensor = *graph.tensors()->Get(static_cast<uint32_t>(index));
    const Shape shape = ShapeOf(tensor);
    specs.push_back(
        {Text(tensor.name()), static_cast<DType>(tensor.dtype()), {shape.dims, shape.dims + shape.rank}});
  }
  return specs;
}

}  // namespace micrort::serve
