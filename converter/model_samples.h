#pragma once
// What a conversion runs models on, to calibrate and to compare: the user's samples, or random ones.

#include <string>
#include <vector>

#include "converter/convert.h"
#include "converter/emit/aligned_bytes.h"
#include "converter/ir/graph.h"
#include "converter/observe/reorder.h"
#include "converter/observe/samples.h"

namespace micrort {

class ModelSamples {
 public:
  // Samples are shaped as the inputs of the source model, which `graph` still is.
  Status Load(const ir::Graph& graph, const ConvertOptions& options, ConvertResult* result);
  // Random ones that `file`, the graph emitted, runs on: one, or, if it keeps state, a few that follow each
  // other.
  Status MakeUp(const ir::Graph& graph, const AlignedBytes& file, CpuFeatures features);

  bool empty() const { return all_.empty(); }
  // In the order of the source model's inputs.
  const std::vector<observe::Sample>& all() const { return all_; }
  // The right answers of options.labels, one a sample; empty without them.
  const std::vector<int64_t>& labels() const { return labels_; }
  // In the order of the graph's inputs as they have become; empty if there is none.
  observe::Sample First(const ir::Graph& graph) const {
    return all_.empty() ? observe::Sample() : observe::ToGraphOrder(all_[0], graph);
  }

 private:
  Status LoadTexts(const std::vector<io::InputSpec>& inputs, const ConvertOptions& options,
                   ConvertResult* result);
  void NoteConverted(const ir::Graph& graph, ConvertResult* result) const;

  std::vector<observe::Sample> all_;
  std::vector<int64_t> labels_;
};

}  // namespace micrort
