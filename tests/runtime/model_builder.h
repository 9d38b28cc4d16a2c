#pragma once
// Small model files for tests.
//
//   ModelBuilder b;
//   const int x = b.Input("x", DType::kFloat32, {-1, 4});
//   const int y = b.Tensor("y", DType::kFloat32, {-1, 4});
//   b.Node(schema::UnaryOptionsT(), {x}, {y});
//   b.Output(y);
//   ModelFile file = b.Finish();        // then Model::FromBuffer(file.data(), file.size())
//
// `model` is open: change anything in it before Finish() to build broken files.

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "kernels/base/dtype.h"
#include "runtime/model/operator_options.h"
#include "schema/micrort_generated.h"

namespace micrort::testing {

inline constexpr DType kF32 = DType::kFloat32;

// Bytes aligned as a mapped file is.
class ModelFile {
 public:
  ModelFile(const void* data, size_t size);

  uint8_t* data() { return bytes_.get(); }
  const uint8_t* data() const { return bytes_.get(); }
  size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(uint8_t* p) const;
  };
  std::unique_ptr<uint8_t, Free> bytes_;
  size_t size_;
};

class ModelBuilder {
 public:
  ModelBuilder();

  int Tensor(const std::string& name, DType dtype, std::vector<int32_t> shape);
  int Input(const std::string& name, DType dtype, std::vector<int32_t> shape);
  void Output(int tensor) { graph().outputs.push_back(tensor); }
  template <typename T>
  int Constant(const std::string& name, std::vector<int32_t> shape, const std::vector<T>& values) {
    const int tensor = Tensor(name, kDTypeOf<T>, std::move(shape));
    std::vector<uint8_t> bytes(values.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    SetData(tensor, std::move(bytes));
    return tensor;
  }
  // The operator is the one that has these options.
  template <typename OptionsT>
  schema::OperatorT& Node(OptionsT options, std::vector<int32_t> inputs, std::vector<int32_t> outputs,
                          const std::string& name = "") {
    auto op = std::make_unique<schema::OperatorT>();
    op->options.Set(std::move(options));
    op->code = OpCodeOf(op->options.type);
    op->inputs = std::move(inputs);
    op->outputs = std::move(outputs);
    op->name = name;
    graph().operators.push_back(std::move(op));
    return *graph().operators.back();
  }
  void Plan(std::vector<int64_t> offsets, uint64_t arena_bytes);
  // A new subgraph, for a body. Everything here builds the one that Use() named last, at first the entry.
  uint32_t AddGraph(const std::string& name);
  void Use(uint32_t graph) { graph_ = graph; }

  schema::SubgraphT& graph() { return *model.subgraphs[graph_]; }
  schema::TensorT& tensor(int i) { return *graph().tensors[static_cast<size_t>(i)]; }
  ModelFile Finish() const;

  schema::ModelT model;

 private:
  void SetData(int tensor, std::vector<uint8_t> bytes);

  uint32_t graph_ = 0;
};

}  // namespace micrort::testing
