#include "tools/io/program.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "kernels/base/target.h"
#include "tools/io/near_names.h"
#include "tools/io/printable.h"

namespace micrort::io {

int ExitCodeFor(const Status& status) {
  switch (status.code()) {
    case StatusCode::kOk:
      return kExitOk;
    case StatusCode::kInvalidModel:
    case StatusCode::kOutOfRange:  // an index that is data, of the model or of what it was given
      return kExitInvalidModel;
    case StatusCode::kUnsupported:
      return kExitUnsupported;
    default:
      return kExitUsage;
  }
}

int Fail(const char* program, const Status& status) {
  const char* message = status.message()[0] == '\0' ? StatusCodeName(status.code()) : status.message();
  std::fprintf(stderr, "%s: error: %s\n", program, Printable(message).c_str());
  return ExitCodeFor(status);
}

PreprocessFlags::PreprocessFlags(ArgumentParser& parser) {
  static const std::map<std::string, Color> kColors = {
      {"rgb", Color::kRgb}, {"bgr", Color::kBgr}, {"gray", Color::kGray}};
  static const std::map<std::string, ResizeFit> kFits = {
      {"stretch", ResizeFit::kStretch}, {"letterbox", ResizeFit::kLetterbox}, {"crop", ResizeFit::kCrop}};
  const char* group = "Pictures as inputs: (pixel - mean) * scale";
  options_ = {
      parser
          .Add("--mean", &value_.mean, "One value, or one per channel: 127 or 123.7,116.3,103.5 (default 0)")
          .SeparatedBy(',')
          .FiniteNumbers()
          .Group(group),
      parser.Add("--scale", &value_.scale, "One value, or one per channel (default 1)")
          .SeparatedBy(',')
          .FiniteNumbers()
          .NonZero()
          .Group(group),
      parser.AddChoice("--color", kColors, &value_.color, "rgb, bgr or gray (default rgb)").Group(group),
      parser.AddChoice("--resize", kFits, &value_.fit, "stretch, letterbox or crop (default stretch)")
          .Group(group),
  };
}

bool PreprocessFlags::is_given() const {
  return std::any_of(options_.begin(), options_.end(),
                     [](const Option& option) { return option.is_given(); });
}

LimitFlags::LimitFlags(ArgumentParser& parser) {
  const char* group = "Untrusted files";
  memory_ = parser
                .Add("--max-memory", &max_memory_,
                     "Limit of bytes that the model may take\nIt applies to a single tensor and to the sum "
                     "of all memory at a time. Default: 4 GiB, on 32-bit machines 1 GiB.")
                .TypeName("BYTES")
                .Group(group);
  work_ = parser
              .Add("--max-work", &max_work_,
                   "Limit of operations of a run or a conversion (default 10^13)\nPlanning memory may take a "
                   "fiftieth of it.")
              .TypeName("N")
              .Group(group);
}

ModelLimits LimitFlags::limits() const {
  constexpr uint64_t kPlanningShare = 50;
  ModelLimits limits;
  if (memory_.is_given()) limits.max_tensor_bytes = limits.max_memory_bytes = max_memory_;
  if (work_.is_given()) {
    limits.max_work = max_work_;
    limits.max_planning_work = max_work_ / kPlanningShare;
  }
  return limits;
}

void DeclareCustomOps(ArgumentParser& parser, std::vector<std::string>* libraries) {
  parser
      .Add("--custom-ops", libraries,
           "Shared library with operators of your own (docs/custom-operators.md), repeatable")
      .TypeName("LIB.so")
      .Repeatable();
}

IsaFlag::IsaFlag(ArgumentParser& parser) {
  parser.Add("--isa", &name_, std::string("Use at most this instruction set\n") + IsaNames())
      .TypeName("NAME");
}

Status IsaFlag::Features(CpuFeatures* out) const {
  const CpuFeatures available = DetectCpuFeatures();
  *out = available;
  if (name_.empty()) return Status();
  CpuFeatures wanted;
  if (!ParseIsa(name_.c_str(), &wanted)) {
    return MICRORT_ERROR(kInvalidArgument, "--isa: expected one of %s; found '%s'%s", IsaNames(),
                         name_.c_str(), DidYouMean(name_, SplitNames(IsaNames())).c_str());
  }
  if ((wanted & available) != wanted) {
    return MICRORT_ERROR(kUnsupported, "--isa %s: this CPU has only %s", name_.c_str(), IsaName(available));
  }
  *out = AvailableFeatures(wanted);
  return Status();
}

int RunLimited(const char* program, ArgumentParser& parser, int argc, char** argv,
               const std::function<Status(const ModelLimits& limits, CpuFeatures features)>& execute) {
  const LimitFlags limits(parser);
  const IsaFlag isa(parser);
  int exit_code = kExitOk;
  if (!parser.Parse(argc, argv, &exit_code)) return exit_code;
  CpuFeatures features = 0;
  Status status = isa.Features(&features);
  if (status.ok()) status = execute(limits.limits(), features);
  return status.ok() ? kExitOk : Fail(program, status);
}

}  // namespace micrort::io
