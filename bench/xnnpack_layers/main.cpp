// xnnpack_layers ROUNDS: our convolutions and XNNPACK's on the same data, in turns, on one thread. Prints
// JSON: an array of {"layer", "algorithm", "ours_ms": [one a round], "peer_ms": [one a round]}. Fails if
// results differ.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "bench/xnnpack_layers/layer.h"
#include "kernels/base/part.h"
#include "micrort/op_resolver.h"

namespace micrort::bench {
namespace {

MICRORT_LINK(AllOps);

constexpr double kTurnMs = 30;
constexpr float kTolerance = 1e-3f;  // relative, or absolute below 1

// Milliseconds of one run, the mean of a turn.
double Turn(Runner* runner) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  double ms = 0;
  int runs = 0;
  do {
    runner->Run();
    ++runs;
    ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  } while (ms < kTurnMs);
  return ms / runs;
}

bool SameResults(Runner* ours, Runner* peer, const LayerData& data) {
  ours->Run();
  const Floats y = data.y;
  peer->Run();
  for (size_t i = 0; i < y.size(); ++i) {
    if (std::abs(y[i] - data.y[i]) > kTolerance * std::max(1.0f, std::abs(data.y[i]))) return false;
  }
  return true;
}

void PrintTimes(const char* key, const std::vector<double>& times) {
  std::printf(", \"%s\": [", key);
  for (size_t i = 0; i < times.size(); ++i) std::printf("%s%.5f", i == 0 ? "" : ", ", times[i]);
  std::printf("]");
}

bool Compare(const Layer& layer, int rounds) {
  LayerData data = MakeData(layer, Type::kFloat);
  const std::unique_ptr<Runner> ours = MakeOurs(layer, Type::kFloat, DetectCpuFeatures(), &data),
                                peer = MakeXnnpack(layer, Type::kFloat, &data);
  if (ours == nullptr || peer == nullptr || !SameResults(ours.get(), peer.get(), data)) {
    std::fprintf(stderr, "xnnpack_layers: error: %s: %s\n", layer.name().c_str(),
                 ours == nullptr || peer == nullptr ? "cannot be made" : "results differ");
    return false;
  }
  std::vector<double> our_times, peer_times;
  for (int round = 0; round < rounds; ++round) {
    if (round % 2 == 0) our_times.push_back(Turn(ours.get()));
    peer_times.push_back(Turn(peer.get()));
    if (round % 2 != 0) our_times.push_back(Turn(ours.get()));
  }
  std::printf("{\"layer\": \"%s\", \"algorithm\": \"%s\"", layer.name().c_str(), ours->algorithm().c_str());
  PrintTimes("ours_ms", our_times);
  PrintTimes("peer_ms", peer_times);
  std::printf("}");
  return true;
}

}  // namespace
}  // namespace micrort::bench

int main(int argc, char** argv) {
  using namespace micrort::bench;
  const int rounds = argc == 2 ? std::atoi(argv[1]) : 0;
  if (rounds < 1) {
    std::fprintf(stderr, "usage: xnnpack_layers ROUNDS\n");
    return 1;
  }
  bool first = true;
  for (const Layer& layer : Layers()) {
    std::printf(first ? "[" : ",\n ");
    first = false;
    if (!Compare(layer, rounds)) return 1;
  }
  std::printf("]\n");
}
