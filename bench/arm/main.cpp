// arm_layers WHO TYPE [--isa NAME] [--quick] [--only TEXT]: runs layers once each, between marks that the
// plugin counts at. WHO is `ours`, `xnnpack` or `same`, which runs both and fails where results differ; TYPE
// is `float`, `half` or `int8`. Prints a line a layer: name, multiply-accumulates, times in mobilenet_v1, in
// resnet50, weights, algorithm, separated by tabs. There are four marks a layer: around packing and around
// the run.
// --quick: the layers of the table in docs/measurements/arm.md alone.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bench/arm/arm_layer.h"
#include "bench/arm/mark.h"
#include "kernels/base/half.h"
#include "kernels/base/target.h"

namespace micrort::bench {
namespace {

struct Arguments {
  bool ours = false, peer = false, quick = false;
  Type type = Type::kFloat;
  CpuFeatures features = DetectCpuFeatures();
  const char* only = "";
};

bool Parse(int argc, char** argv, Arguments* out) {
  if (argc < 3) return false;
  const std::string who = argv[1], type = argv[2];
  out->ours = who == "ours" || who == "same";
  out->peer = who == "xnnpack" || who == "same";
  if (type == "int8") out->type = Type::kInt8;
  if (type == "half") out->type = Type::kHalf;
  if (!(out->ours || out->peer) || (type != "int8" && type != "half" && type != "float")) return false;
  for (int i = 3; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) {
      out->quick = true;
    } else if (std::strcmp(argv[i], "--isa") == 0 && i + 1 < argc) {
      CpuFeatures allowed;
      if (!ParseIsa(argv[++i], &allowed)) return false;
      out->features = AvailableFeatures(allowed);
    } else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
      out->only = argv[++i];
    } else {
      return false;
    }
  }
  return true;
}

std::unique_ptr<Runner> Make(const Arguments& a, bool ours, const Layer& layer, LayerData* data) {
#if MICRORT_BENCH_XNNPACK
  if (!ours) return MakeXnnpack(layer, a.type, data);
#endif
  return ours ? MakeOurs(layer, a.type, a.features, data) : nullptr;
}

// Relative, or absolute below 1.
bool AreClose(float a, float b, float tolerance) {
  return std::abs(a - b) <= tolerance * std::max(1.0f, std::abs(a));
}

bool Same(const LayerData& ours, const LayerData& peer) {
  constexpr float kTolerance = 1e-3f, kHalfTolerance = 0.1f;  // XNNPACK's sums of halves have no end
  for (size_t i = 0; i < ours.y_half.size(); ++i) {
    if (!AreClose(HalfToFloat(ours.y_half[i]), HalfToFloat(peer.y_half[i]), kHalfTolerance)) return false;
  }
  for (size_t i = 0; i < ours.y.size() && ours.y_half.empty(); ++i) {
    if (!AreClose(ours.y[i], peer.y[i], kTolerance)) return false;
  }
  // XNNPACK rounds multipliers in another way.
  for (size_t i = 0; i < ours.y_s8.size(); ++i) {
    if (std::abs(ours.y_s8[i] - peer.y_s8[i]) > 1) return false;
  }
  return true;
}

bool RunLayer(const Arguments& a, bool ours, const ArmLayer& layer, LayerData* data) {
  *data = MakeData(layer.layer, a.type);
  Mark();
  const std::unique_ptr<Runner> runner = Make(a, ours, layer.layer, data);
  Mark();
  if (runner == nullptr) {
    std::fprintf(stderr, "arm_layers: error: %s cannot be made\n", layer.layer.name().c_str());
    return false;
  }
  Mark();
  runner->Run();
  Mark();
  std::printf("%s\t%llu\t%d\t%d\t%zu\t%s\n", layer.layer.name().c_str(),
              static_cast<unsigned long long>(layer.macs()), layer.mobilenet_v1, layer.resnet50,
              layer.layer.weights(), runner->algorithm().c_str());
  return true;
}

bool RunLayer(const Arguments& a, const ArmLayer& layer) {
  LayerData ours, peer;
  if (a.ours && !RunLayer(a, true, layer, &ours)) return false;
  if (a.peer && !RunLayer(a, false, layer, &peer)) return false;
  if (!a.ours || !a.peer || Same(ours, peer)) return true;
  std::fprintf(stderr, "arm_layers: error: %s: results differ\n", layer.layer.name().c_str());
  return false;
}

bool IsQuick(const Layer& layer) {
  const std::vector<Layer> table = Layers();
  return std::any_of(table.begin(), table.end(), [&](const Layer& l) { return l.name() == layer.name(); });
}

}  // namespace
}  // namespace micrort::bench

int main(int argc, char** argv) {
  using namespace micrort::bench;
  Arguments arguments;
  if (!Parse(argc, argv, &arguments)) {
    std::fprintf(
        stderr, "usage: arm_layers ours|xnnpack|same float|half|int8 [--isa NAME] [--quick] [--only TEXT]\n");
    return 1;
  }
  for (const ArmLayer& layer : ArmLayers()) {
    if (arguments.quick && !IsQuick(layer.layer)) continue;
    if (layer.layer.name().find(arguments.only) == std::string::npos) continue;
    if (!RunLayer(arguments, layer)) return 1;
  }
}
