#include "tools/io/program.h"

#include <cstdio>
#include <iostream>

namespace micrort::io {

int ExitCodeFor(const Status& status) {
  switch (status.code()) {
    case StatusCode::kOk:
      return kExitOk;
    case StatusCode::kInvalidModel:
      return kExitInvalidModel;
    case StatusCode::kUnsupported:
      return kExitUnsupported;
    default:
      return kExitUsage;
  }
}

int Fail(const char* program, const Status& status) {
  const char* message = status.message()[0] == '\0' ? StatusCodeName(status.code()) : status.message();
  std::fprintf(stderr, "%s: error: %s\n", program, message);
  return ExitCodeFor(status);
}

bool ParseCommandLine(CLI::App& app, int argc, char** argv, const std::string& example, int* exit_code) {
  app.set_version_flag("--version", app.get_name() + " " MICRORT_VERSION);
  app.footer("\nExample:\n  " + example);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    *exit_code = app.exit(e, std::cout, std::cerr);
    return false;
  } catch (const CLI::ParseError& e) {
    std::fprintf(stderr, "%s: error: %s\nTry '%s --help'.\n", app.get_name().c_str(), e.what(),
                 app.get_name().c_str());
    *exit_code = kExitUsage;
    return false;
  }
  return true;
}

PreprocessFlags::PreprocessFlags(CLI::App& app) {
  static const std::map<std::string, Color> kColors = {
      {"rgb", Color::kRgb}, {"bgr", Color::kBgr}, {"gray", Color::kGray}};
  static const std::map<std::string, ResizeFit> kFits = {
      {"stretch", ResizeFit::kStretch}, {"letterbox", ResizeFit::kLetterbox}, {"crop", ResizeFit::kCrop}};
  const char* group = "Pictures as input: value = (pixel - mean) * scale";
  app.add_option("--mean", value_.mean,
                 "One value or one a channel, e.g. 127 or 123.7,116.3,103.5 (default 0)")
      ->delimiter(',')
      ->group(group);
  app.add_option("--scale", value_.scale, "One value or one a channel (default 1)")
      ->delimiter(',')
      ->group(group);
  AddChoice(app, "--color", kColors, &value_.color, "rgb, bgr or gray (default rgb)")->group(group);
  AddChoice(app, "--resize", kFits, &value_.fit, "stretch, letterbox or crop (default stretch)")
      ->group(group);
}

IsaFlag::IsaFlag(CLI::App& app) {
  app.add_option("--isa", name_, std::string("Use at most this instruction set: ") + IsaNames())
      ->type_name("NAME");
}

Status IsaFlag::Features(CpuFeatures* out) const {
  const CpuFeatures available = DetectCpuFeatures();
  *out = available;
  if (name_.empty()) return Status();
  CpuFeatures wanted;
  if (!ParseIsa(name_.c_str(), &wanted)) {
    return MICRORT_ERROR(kInvalidArgument, "--isa: expected one of %s; found '%s'", IsaNames(),
                         name_.c_str());
  }
  if ((wanted & available) != wanted) {
    return MICRORT_ERROR(kUnsupported, "--isa %s: this CPU has only %s", name_.c_str(), IsaName(available));
  }
  *out = wanted;
  return Status();
}

}  // namespace micrort::io
