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

constexpr char kA32[] = "32-bit ARM with NEON is --target armv7-neon";
constexpr char kWasm[] = "WebAssembly is --target wasm";
constexpr char kRaspberries[] =
    "the Raspberry Pi 3 and 4 are --target neon, the 5 is dotprod; 32-bit systems are armv7-neon";
constexpr char kApple[] = "Apple's M1, A13 and A14 are --target dotprod; M2, A15 and later are i8mm";
constexpr char kHere[] = "without --target, the figures are of this machine";
constexpr char kNoKernels[] = "without --target, the file runs on it by portable code";
constexpr char kCortexA[] =
    "Cortex-A35, A53, A57, A72 and A73 are --target neon; A55, A75 and later are dotprod; A510, A710, X2 and "
    "later are i8mm; 32-bit ones are armv7-neon";

// Names that people use for devices, systems and compilers' targets; * stands for any end.
constexpr struct {
  const char *name, *meant;
} kAliases[] = {{"arm64*", kPhones},
                {"aarch64*", kPhones},
                {"armv8*", kPhones},
                {"armv9*", kPhones},
                {"arm", kPhones},
                {"android*", kPhones},
                {"ios", kPhones},
                {"phone", kPhones},
                {"snapdragon*", kPhones},
                {"apple*", kApple},
                {"iphone*", kApple},
                {"macos", kApple},
                {"m1", kApple},
                {"m2", kApple},
                {"raspberry*", kRaspberries},
                {"rpi*", kRaspberries},
                {"armv7*", kA32},
                {"armeabi*", kA32},
                {"armhf", kA32},
                {"arm32", kA32},
                {"cortex-a*", kCortexA},
                {"wasm*", kWasm},
                {"webassembly", kWasm},
                {"simd128", kWasm},
                {"web", kWasm},
                {"browser", kWasm},
                {"x86*", kPcs},
                {"x64", kPcs},
                {"amd64", kPcs},
                {"i686", kPcs},
                {"pc", kPcs},
                {"intel", kPcs},
                {"linux", kPcs},
                {"windows", kPcs},
                {"cortex-m", kBoards},
                {"mcu", kBoards},
                {"stm32*", kBoards},
                {"arduino*", kBoards},
                {"teensy*", kBoards},
                {"nrf52*", "the nRF52 is --target cortex-m4"},
                {"nrf53*", "the nRF53 is --target cortex-m33"},
                {"rp2040", "the RP2040 is --target cortex-m0plus"},
                {"rp2350", "the RP2350 is --target cortex-m33"},
                {"pico*", "the Raspberry Pi Pico is --target cortex-m0plus, the Pico 2 is cortex-m33"},
                {"esp32*", kNoKernels},
                {"riscv*", kNoKernels},
                {"xtensa*", kNoKernels},
                {"native", kHere},
                {"host", kHere},
                {"cpu", "without --target, the file is for any CPU"}};

bool Matches(const std::string& pattern, const std::string& name) {
  const bool is_begin = pattern.back() == '*';
  return is_begin ? name.compare(0, pattern.size() - 1, pattern, 0, pattern.size() - 1) == 0
                  : name == pattern;
}

std::string MeantBy(const std::string& name) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const auto& alias : kAliases) {
    if (Matches(alias.name, lower)) return std::string("; ") + alias.meant;
  }
  return io::DidYouMean(name, io::SplitNames(std::string("portable, ") + TargetNames()));
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
