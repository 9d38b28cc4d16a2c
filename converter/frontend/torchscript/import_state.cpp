#include "converter/frontend/torchscript/import_state.h"

#include "runtime/model/verify.h"

namespace micrort::frontend::torchscript {

namespace {

// No real model comes near.
constexpr int64_t kMaxWork = 1000000;

}  // namespace

std::string ImportState::NodeName(const std::string& op) {
  std::string name = frame == nullptr || frame->path.empty() ? op : frame->path + "/" + op;
  const int count = ++node_names[name];
  return count == 1 ? name : name + "_" + std::to_string(count);
}

Status ImportState::CountWork() {
  if (++work_ <= kMaxWork) return Status();
  return MICRORT_ERROR(kUnsupported, "more than %lld statements are run; is there a loop without an end?",
                       static_cast<long long>(kMaxWork));
}

DecidedByRun::DecidedByRun(ImportState& state)
    : state_(state), node_names_(state.node_names), frozen_(state.frozen.Save()) {
  for (const auto& [name, value] : state.frame->names) state.frozen.Add(value);
}

DecidedByRun::~DecidedByRun() { state_.frozen.Restore(frozen_); }

Status DecidedByRun::CheckDepth() const {
  if (state_.table.assembler().depth() < kMaxNesting) return Status();
  return MICRORT_ERROR(kUnsupported, "more than %u branches and loops inside each other", kMaxNesting);
}

}  // namespace micrort::frontend::torchscript
