// TorchScript archives: one entry changes, the directory follows.

#include <cstring>
#include <iterator>
#include <map>

#include "tests/converter/torch_archive.h"
#include "tests/fuzz/convert_and_run.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/seeds.h"

namespace micrort::fuzz {
namespace {

using testing::TorchArchive;

std::string Forward(const std::string& body) {
  return "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n" + body;
}

uint64_t Little(const std::string& bytes, size_t at, size_t count) {
  uint64_t v = 0;
  for (size_t i = 0; i < count; ++i)
    v |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[at + i])) << (8 * i);
  return v;
}

// Stored entries in the order of the file, up to the first thing that is none.
std::map<std::string, std::string> Entries(const std::string& bytes) {
  constexpr size_t kHeader = 30, kSizeAt = 18, kNameAt = 26, kExtraAt = 28;
  const std::string folder = "net/";
  std::map<std::string, std::string> entries;
  size_t at = 0;
  while (bytes.size() - at >= kHeader && bytes.compare(at, 4, "PK\x03\x04") == 0) {
    const size_t size = Little(bytes, at + kSizeAt, 4), name = Little(bytes, at + kNameAt, 2);
    const size_t data = at + kHeader + name + Little(bytes, at + kExtraAt, 2);
    if (data > bytes.size() || size > bytes.size() - data || name <= folder.size()) break;
    entries[bytes.substr(at + kHeader + folder.size(), name - folder.size())] = bytes.substr(data, size);
    at = data + size;
  }
  return entries;
}

std::string Mutate(const std::string& bytes, Random& random) {
  std::string archive = bytes;
  const testing::InputShapes shapes = testing::TakeInputShapes(&archive);
  std::map<std::string, std::string> entries = Entries(archive);
  if (entries.empty() || Below(10, random) == 0) return MutateBytes(bytes, random);
  auto entry = std::next(entries.begin(), static_cast<std::ptrdiff_t>(Below(entries.size(), random)));
  entry->second = MutateBytes(entry->second, random);
  return testing::WithInputShapes(testing::ZipOf(entries), shapes);
}

Status Run(const std::string& bytes) {
  ConvertOptions options = OptionsFor(frontend::SourceFormat::kTorchscript);
  std::string archive = bytes;
  for (auto& [name, dims] : testing::TakeInputShapes(&archive))
    options.input_shapes.push_back({name, std::move(dims)});
  return ConvertAndRun(archive, options);
}

}  // namespace

std::vector<std::string> TorchscriptSeeds() {
  const std::string layers =
      "    y = torch.linear(x, self.w, self.b)\n"
      "    _0 = torch.relu(torch.transpose(y, 0, 1))\n"
      "    return torch.cat([torch.reshape(_0, [1, -1]), torch.slice(y, 1, 0, 1, 1)], 1)\n";
  const std::string loops =
      "    y = x\n"
      "    for i in range(3):\n"
      "      if torch.eq(torch.remainder(i, 2), 0):\n"
      "        y0 = torch.add(y, x)\n"
      "      else:\n"
      "        y0 = torch.mul(y, i)\n"
      "      y = y0\n"
      "    return y\n";
  const std::string archives[] = {
      TorchArchive(Forward(layers)).Tensor("w", {2, 3}, {1, 2, 3, 4, 5, 6}).Tensor("b", {2}, {1, 2}).Bytes(),
      TorchArchive(Forward(loops)).Bytes()};
  std::vector<std::string> seeds;
  for (const std::string& archive : archives)
    seeds.push_back(testing::WithInputShapes(archive, {{"x", {1, 3}}}));
  return seeds;
}

const Harness kTorchscript = {"torchscript", Run, Mutate};

}  // namespace micrort::fuzz
