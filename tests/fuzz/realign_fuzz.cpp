// Model files, through what mnnconvert does with them: --realign and --emit resolver.

#include "converter/cli/realign_command.h"
#include "converter/cli/resolver_command.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/scratch.h"

namespace micrort::fuzz {
namespace {

Status Run(const std::string& bytes) {
  const MemoryFile file(bytes);
  AlignedBytes realigned;
  MICRORT_RETURN_IF_ERROR(cli::Realign(file.path(), &realigned));
  const MemoryFile again(std::string(realigned.begin(), realigned.end()));
  std::string header;
  return cli::ResolverFor({again.path()}, "Operators", &header);
}

std::string Mutate(const std::string& bytes, Random& random) { return kModel.mutate(bytes, random); }

std::string Cross(const std::string& bytes, const std::string& other, Random& random) {
  return kModel.cross(bytes, other, random);
}

}  // namespace

const Harness kRealign = {"realign", Run, Mutate, Cross};

}  // namespace micrort::fuzz
