#include <algorithm>
#include <cctype>

#include "converter/cli/raw_flags.h"
#include "kernels/base/target.h"
#include "runtime/threads/thread_pool.h"
#include "tools/io/near_names.h"

namespace micrort::cli {
namespace {

constexpr char kPhones[] =
    "phones of 2019 and later are --target dotprod, those of 2022 and later i8mm; older 64-bit ones, and the "
    "Raspberry Pi 3 and 4, are neon";
constexpr char kPcs[] =
    "PCs are --target avx2, or avxvnni, avx512 or avx512vnni where the CPU has them; sse41 if it is older";
constexpr char kBoards[] =
    "name the core: --target cortex-m0plus, cortex-m3, cortex-m4, cortex-m7, cortex-m33 or cortex-m55";

// Names that people use for devices, systems and compilers' targets.
constexpr struct {
  const char *name, *meant;
} kAliases[] = {{"arm64", kPhones},
                {"aarch64", kPhones},
                {"armv8", kPhones},
                {"armv8-a", kPhones},
                {"arm64-v8a", kPhones},
                {"arm", kPhones},
                {"android", kPhones},
                {"ios", kPhones},
                {"phone", kPhones},
                {"apple", "Apple's M1, A13 and A14 are --target dotprod; M2, A15 and later i8mm"},
                {"raspberrypi", "the Raspberry Pi 3 and 4 are --target neon, the 5 dotprod"},
                {"rpi", "the Raspberry Pi 3 and 4 are --target neon, the 5 dotprod"},
                {"armv7", "32-bit ARM with NEON is --target armv7-neon"},
                {"armeabi-v7a", "32-bit ARM with NEON is --target armv7-neon"},
                {"armhf", "32-bit ARM with NEON is --target armv7-neon"},
                {"arm32", "32-bit ARM with NEON is --target armv7-neon"},
                {"wasm32", "WebAssembly is --target wasm"},
                {"webassembly", "WebAssembly is --target wasm"},
                {"web", "WebAssembly is --target wasm"},
                {"browser", "WebAssembly is --target wasm"},
                {"x86", kPcs},
                {"x86_64", kPcs},
                {"x86-64", kPcs},
                {"x64", kPcs},
                {"amd64", kPcs},
                {"pc", kPcs},
                {"intel", kPcs},
                {"cortex-m", kBoards},
                {"mcu", kBoards},
                {"stm32", kBoards},
                {"arduino", kBoards},
                {"native", "without --target, the figures are of this machine"},
                {"host", "without --target, the figures are of this machine"},
                {"cpu", "without --target, the file is for any CPU"}};

std::vector<std::string> Names() {
  std::vector<std::string> names = {"portable"};
  const std::string listed = TargetNames();
  for (size_t at = 0; at < listed.size();) {
    const size_t end = std::min(listed.find(", ", at), listed.size());
    names.push_back(listed.substr(at, end - at));
    at = end + 2;
  }
  return names;
}

std::string MeantBy(const std::string& name) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const auto& alias : kAliases) {
    if (lower == alias.name) return std::string("; ") + alias.meant;
  }
  return io::DidYouMean(name, Names());
}

Status ReadTarget(const std::string& name, target::Target* target) {
  target->name = name;
  if (!ParseTarget(name.c_str(), &target->features)) {
    return MICRORT_ERROR(kInvalidArgument, "--target: expected one of portable, %s; found '%s'%s",
                         TargetNames(), name.c_str(), MeantBy(name).c_str());
  }
  if (KnowsKernelsOf(target->features)) return Status();
  return MICRORT_ERROR(kUnsupported, "--target %s: this build leaves its kernels out (MICRORT_ISA_...=OFF)",
                       name.c_str());
}

}  // namespace

Status ReadTargets(const std::vector<std::string>& names, ConvertOptions* options) {
  target::Target& first = options->target;
  if (first.threads < 1 || first.threads > kMaxThreads)
    return MICRORT_ERROR(kInvalidArgument, "--target-threads: expected 1 to %d, found %d", kMaxThreads,
                         first.threads);
  const bool is_portable = names.empty() || (names.size() == 1 && names[0] == "portable");
  if (is_portable && first.packed_only)
    return MICRORT_ERROR(kInvalidArgument, "--packed-only needs --target");
  if (is_portable) return Status();
  if (first.packed_only && names.size() > 1)
    return MICRORT_ERROR(kInvalidArgument, "--packed-only: expected one --target, found %zu", names.size());
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) != name)
      return MICRORT_ERROR(kInvalidArgument, "--target: '%s' is given twice", name->c_str());
    const bool is_first = name == names.begin();
    if (!is_first) options->other_targets.push_back(first);
    MICRORT_RETURN_IF_ERROR(ReadTarget(*name, is_first ? &first : &options->other_targets.back()));
  }
  return Status();
}

}  // namespace micrort::cli
