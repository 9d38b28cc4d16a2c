#pragma once
// Compares tensors of the converted model with those of the source model.

#include <string>
#include <unordered_map>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/quantize/equalize.h"
#include "converter/report/compared_tensor.h"
#include "micrort/micrort.h"

namespace micrort::report {

// What a tensor should be, by its name in the source model and in its order of elements.
class ReferenceValues {
 public:
  virtual const std::vector<float>* Find(const std::string& name) const = 0;  // null: unknown

 protected:
  ~ReferenceValues() = default;
};

// Floats of a tensor of the converted model in the order of dimensions that the source has. `scales`: of its
// channels, or none.
std::vector<float> InSourceOrder(const TensorView& tensor, const std::vector<int>& source_order,
                                 const std::vector<float>& scales);

// Over any number of runs. As an observer it compares every tensor that the reference has, as it appears.
class Comparer final : public OpObserver {
 public:
  // All must outlive the comparer. `graph` is the converted one; `scales`: of channels of its values.
  Comparer(const ir::Graph& graph, const ReferenceValues& reference, const quantize::ChannelScales& scales)
      : graph_(graph), reference_(reference), scales_(scales) {}

  void AfterOp(const OpInfo& op) override;

  // Null if the tensors do not fit each other.
  ComparedTensor* Compare(const std::string& name, const TensorView& tensor,
                          const std::vector<float>& expected, const std::vector<int>& source_order);

  // In the order in which they were first compared.
  std::vector<ComparedTensor> TakeCompared();

 private:
  struct Count {
    uint64_t all = 0, clipped = 0;
  };

  std::vector<float> Scaled(const TensorView& tensor, const std::vector<float>& expected,
                            const std::vector<int>& source_order) const;
  const std::vector<float>& ScalesOf(const TensorView& tensor) const;
  void Observe(const TensorView& tensor, const std::vector<float>& expected, ComparedTensor* compared);

  const ir::Graph& graph_;
  const ReferenceValues& reference_;
  const quantize::ChannelScales& scales_;
  std::unordered_map<std::string, size_t> position_;  // in compared_ and counts_
  std::vector<ComparedTensor> compared_;
  std::vector<Count> counts_;
};

}  // namespace micrort::report
