#include "tools/bench/tune.h"

#include <cinttypes>
#include <cstdio>
#include <map>

#include "tools/io/file.h"

namespace micrort {
namespace {

// What differs by less is taken for noise, and the estimate decides.
constexpr double kNoise = 0.02;

// All operators with the same types and sizes.
struct TunedLayer {
  std::string algorithm;  // as estimated
  std::string type, shape, node;
  std::map<std::string, double> ms;  // by algorithm
};

const std::string& Fastest(const TunedLayer& layer) {
  const std::string* fastest = &layer.algorithm;
  const double limit = layer.ms.at(layer.algorithm) * (1 - kNoise);
  for (const auto& [algorithm, ms] : layer.ms) {
    if (ms < limit && ms < layer.ms.at(*fastest)) fastest = &algorithm;
  }
  return *fastest;
}

std::map<uint64_t, TunedLayer> LayersOf(const BenchResult& result) {
  std::map<uint64_t, TunedLayer> layers;
  for (const OpRow& op : result.ops) {
    if (op.candidates.empty()) continue;
    TunedLayer& layer =
        layers.try_emplace(op.layer, TunedLayer{op.algorithm, op.type, op.output_shape, op.node, {}})
            .first->second;
    for (const CandidateRow& row : op.candidates) layer.ms[row.algorithm] += row.ms;
  }
  return layers;
}

// Comments are words of a line that is read as printable ASCII.
std::string Comment(const TunedLayer& layer) {
  std::string text = layer.type + " " + layer.shape + " " + layer.node;
  for (char& c : text) c = c >= ' ' && c <= '~' ? c : '?';
  return text;
}

}  // namespace

Status WriteTuned(const BenchResult& result, const std::string& path) {
  const std::map<uint64_t, TunedLayer> layers = LayersOf(result);
  std::string text = "micrort-tuned 1\ncpu " + result.isa + " threads " + std::to_string(result.threads) +
                     " layers " + std::to_string(layers.size()) + "\n";
  size_t changed = 0;
  double saved = 0;
  for (const auto& [key, layer] : layers) {
    const std::string& fastest = Fastest(layer);
    char number[24];
    std::snprintf(number, sizeof number, "%016" PRIx64, key);
    text += std::string(number) + " " + fastest + " " + Comment(layer) + "\n";
    changed += fastest == layer.algorithm ? 0 : 1;
    saved += layer.ms.at(layer.algorithm) - layer.ms.at(fastest);
  }
  MICRORT_RETURN_IF_ERROR(io::WriteFileAtomically(path, text + "end\n"));
  std::fprintf(stderr,
               "micrort-bench: %s: %zu kinds of layers, %zu not as estimated, which saves %.4f ms a run\n",
               path.c_str(), layers.size(), changed, saved);
  return Status();
}

}  // namespace micrort
