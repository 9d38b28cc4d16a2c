// TorchScript's code that is no code, and tensors in it that cannot be read any more.

#include "tests/converter/torch_file_refusals.h"

namespace micrort::testing::torch_refused_source {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

// A method of these statements, indented by four spaces. The first one is at line 5.
Status Forward(const std::string& statements) {
  return ImportedWithTwo(
      TorchArchive("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n" + statements).Bytes());
}

std::string Nested(int blocks) {
  std::string text, indent = "    ";
  for (int i = 0; i < blocks; ++i, indent += " ") text += indent + "if True:\n";
  return text + indent + "y = x\n    return x\n";
}

std::string Elifs(int branches) {
  std::string text = "    if True:\n      y = x\n";
  for (int i = 0; i < branches; ++i) text += "    elif True:\n      y = x\n";
  return text + "    return x\n";
}

const Refusal kSource[] = {
    {"LinesBetweenBlocks",
     MICRORT_STATUS(Forward("    if True:\n        y = x\n      z = x\n    return x\n")),
     "code/__torch__.py: line 7: its indentation fits no block"},
    {"StringsWithoutAnEnd", MICRORT_STATUS(Forward("    y = \"a\n    return x\n")),
     "line 5: a string without an end"},
    {"StringsToTheEndOfTheFile", MICRORT_STATUS(Forward("    y = 'a")), "line 5: a string without an end"},
    {"AnotherEscape", MICRORT_STATUS(Forward("    y = \"\\q\"\n    return x\n")),
     "line 5: '\\q' in a string"},
    {"AnotherCharacter", MICRORT_STATUS(Forward("    y = $\n    return x\n")),
     "line 5: character 0x24 is not expected"},
    {"AZeroCharacter", MICRORT_STATUS(Forward("    return x" + std::string(1, '\0') + "\n")),
     "line 5: character 0x00 is not expected"},
    {"ANumberWithLetters", MICRORT_STATUS(Forward("    y = 12z\n    return x\n")),
     "line 5: '12z' is no number"},
    {"ANumberWithTwoPoints", MICRORT_STATUS(Forward("    y = 1.2.3\n    return x\n")),
     "line 5: '1.2.3' is no number"},
    {"BlocksInsideEachOther", MICRORT_STATUS(Forward(Nested(100))),
     "line 104: more than 100 blocks inside each other", kUnsupported},
    {"BranchesOfOneAnother", MICRORT_STATUS(Forward(Elifs(100))),
     "line 203: more than 100 blocks inside each other", kUnsupported},
    {"TwoValuesInALine", MICRORT_STATUS(Forward("    return x x\n")),
     "expected the end of the line, found 'x'"},
    {"AViewOfWhatIsChanged",
     MICRORT_STATUS(Forward("    y = torch.clone(x)\n"
                            "    n = int(torch.argmax(torch.select(x, 0, 0)))\n"
                            "    parts = torch.split(y, [n, 3 - n], 1)\n"
                            "    _0 = torch.add_(y, 1)\n"
                            "    return torch.relu(parts[0])\n")),
     "a view is read of what was changed in place", kUnsupported},
};

MICRORT_EXPECT_REFUSALS(TorchRefusedSource, kSource);

}  // namespace
}  // namespace micrort::testing::torch_refused_source
