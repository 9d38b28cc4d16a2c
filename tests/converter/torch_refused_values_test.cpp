// Values in the code of TorchScript: numbers and lists, what goes into a model and what comes out.

#include "tests/converter/torch_code_refusals.h"

namespace micrort::testing::torch_refused_values {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

// x and a number.
Status ImportNumber(const std::string& expression) {
  return ImportExpression("torch.add(x, " + expression + ")");
}

const Refusal kNumbers[] = {
    {"DivisionByZero", MICRORT_STATUS(ImportNumber("1 / 0")), "division by zero"},
    {"WordAsANumber", MICRORT_STATUS(ImportNumber("float(\"one\")")), "the string 'one' as a number",
     kUnsupported},
    {"NoneAsANumber", MICRORT_STATUS(ImportNumber("int(None)")), "None as a number", kUnsupported},
    {"LargeFloatAsAnInteger", MICRORT_STATUS(ImportNumber("int(1e30)")), "a number does not fit 64 bits"},
    {"TensorAsANumber", MICRORT_STATUS(ImportNumber("float(x)")), "a tensor of 6 elements as a number"},
    {"DimensionThatATensorHasNot", MICRORT_STATUS(ImportNumber("torch.size(x, 2)")),
     "dimension 2 of a tensor with 2"},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedNumbers, kNumbers);

const Refusal kLists[] = {
    {"PopWhatARunChooses", MICRORT_STATUS(ImportNumber("torch.pop([1, 2], int(torch.argmax(x)))")),
     "an element at a position that a run decides", kUnsupported},
    {"ElementThatARunChooses", MICRORT_STATUS(ImportNumber("[1, 2][int(torch.argmax(x))]")),
     "an element at a position that a run decides", kUnsupported},
    {"ElementOfANumber", MICRORT_STATUS(ImportNumber("5[0]")), "an element of an integer"},
    {"RemoveWhatIsNotThere",
     MICRORT_STATUS(ImportCode("    a = [1]\n    _0 = torch.remove(a, 3)\n    return x\n")),
     "a list has no such element"},
    {"SliceWithoutSteps", MICRORT_STATUS(ImportNumber("torch.len(torch.slice([], None, None, 0))")),
     "a slice with step 0"},
    {"ListRepeatedTooOften", MICRORT_STATUS(ImportNumber("torch.mul([1, 2], 600000)[0]")),
     "a list of more than 1048576 elements", kUnsupported},
    {"TextThatDoubles",
     [] {
       std::string body = "    s = \"ab\"\n";
       for (int i = 0; i < 21; ++i) body += "    s = torch.add(s, s)\n";
       return ImportCode(body + "    return x\n");
     },
     "a text of more than 1048576 characters", kUnsupported},
    {"TextOfManyLongParts",
     MICRORT_STATUS(ImportNumber("torch.len(torch.join(torch.join(\"ab\", [1] * 500), [1] * 5000))")),
     "a text of more than 1048576 characters", kUnsupported},
    {"DictionaryOfManyEntries",
     MICRORT_STATUS(ImportNumber("torch.len(torch.dict(torch.mul([(nan, 1)], 9000)))")),
     "9000 entries at once for a dictionary of up to 9000", kUnsupported},
    {"DictionaryOfTwoLargeOnes",
     MICRORT_STATUS(ImportCode("    d = torch.dict(torch.mul([(nan, 1)], 6000))\n"
                               "    _0 = torch.update(d, d)\n"
                               "    return x\n")),
     "6000 entries at once for a dictionary of up to 12000", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedLists, kLists);

const Refusal kTensors[] = {
    {"StringAmongTensors", MICRORT_STATUS(ImportExpression("torch.cat([x, \"x\"])")),
     "expected a tensor, found a string", kUnsupported},
    {"DynamicDimension", MICRORT_STATUS(ImportExpression("torch.kthvalue(x, 1, 0)[0]", {ir::kDynamic, 3})),
     "dimension 0 must be fixed here", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedOperands, kTensors);

// x, after these lines of code.
Status ImportLines(const std::string& lines) { return ImportCode(lines + "    return x\n"); }

const Refusal kNesting[] = {
    {"ListInsideItself", MICRORT_STATUS(ImportLines("    a = [x]\n    _0 = torch.append(a, [a])\n")),
     "a list inside itself", kUnsupported},
    {"ListThatTakesItself", MICRORT_STATUS(ImportLines("    a = [x]\n    _0 = torch.extend(a, [a])\n")),
     "a list inside itself", kUnsupported},
    {"PartsOfParts",
     MICRORT_STATUS(
         ImportCode("    for i in range(1001):\n      x = torch.transpose(x, 0, 1)\n    return x\n")),
     "a part of a part of a tensor, and so on more than 1000 times", kUnsupported},
    {"DictionaryInsideItself", MICRORT_STATUS(ImportLines("    a = {1: [x]}\n    a[2] = [a]\n")),
     "a dictionary inside itself", kUnsupported},
    {"ModelInsideItself", MICRORT_STATUS(ImportLines("    self.me = {1: self}\n")), "an object inside itself",
     kUnsupported},
    {"MethodInsideItsModel", MICRORT_STATUS(ImportLines("    self.me = self.forward\n")),
     "an object inside itself", kUnsupported},
    {"DeepList", MICRORT_STATUS(ImportLines("    a = [x]\n    for i in range(300):\n      a = [a]\n")),
     "more than 200 lists and objects inside each other", kUnsupported},
    {"DeepListAsAnOutput",
     MICRORT_STATUS(
         ImportCode("    a = [x]\n    b = a\n"
                    "    for i in range(300):\n      c = [x]\n      _0 = torch.append(b, c)\n      b = c\n"
                    "    return a\n")),
     "more than 200 lists and objects inside each other", kUnsupported},
    {"WideTuple", MICRORT_STATUS(ImportLines("    a = (1, 2)\n    for i in range(23):\n      a = (a, a)\n")),
     "look at too many elements of lists", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedNesting, kNesting);

TEST(TorchNesting, ListsThatNothingReadsMayBeDeep) {
  const std::string lines =
      "    a = [x]\n    b = a\n"
      "    for i in range(20000):\n      c = [x]\n      _0 = torch.append(b, c)\n      b = c\n";
  const Status status = ImportLines(lines);
  EXPECT_TRUE(status.ok()) << status.message();
  // All of them are frozen for the branch.
  const std::string branch = "    if bool(torch.gt(torch.sum(x), 0)):\n      x = x\n    else:\n      pass\n";
  EXPECT_TRUE(ImportLines(lines + branch).ok());
}

TEST(TorchNesting, ListsMayBeLong) {
  const Status status =
      ImportLines("    a = [x]\n    for i in range(15000):\n      _0 = torch.append(a, x)\n");
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(TorchNesting, ListsTakeElementsOfThemselves) {
  const std::string lines = "    a = [x]\n    b = torch.extend(a, a)\n";
  EXPECT_TRUE(ImportLines(lines).ok());
}

Status ImportInput(const std::string& type, const InputShapes& shapes = {{"x", {2, 3}}}) {
  frontend::ImportOptions options;
  options.input_shapes = shapes;
  const TorchArchive archive("  def forward(self: __torch__.Net, x: Tensor, y: " + type +
                             ") -> Tensor:\n    return x\n");
  return ImportTorch(archive.Bytes(), options).status;
}

// A tensor of 2x3 zeros.
std::string Zeros(const std::string& key) { return PickledTensor(key, {2, 3}, {3, 1}, 0, 6); }

// An attribute "b.c", and one "c" of the object b, which `forward` replaces.
Status ImportAttributesOfOneName(const std::string& first, const std::string& second) {
  const std::string object = PickledGlobal("__torch__", "Net") + ")\x81}(" + PickledText("c") + second + "ub";
  TorchArchive archive = ArchiveOf("    self.b.c = torch.add(self.b.c, x)\n    return self.b.c\n");
  archive.Attribute("b.c", first).Attribute("b", object);
  for (const char* key : {"data/p", "data/q"}) archive.Entry(key, std::string(24, '\0'));
  return ImportWithX(archive);
}

TEST(TorchStates, AttributesMayLookLikeOthers) {
  const Status of_number = ImportAttributesOfOneName(PickledInt(1), Zeros("q"));
  EXPECT_TRUE(of_number.ok()) << of_number.message();
  const Status of_tensor = ImportAttributesOfOneName(Zeros("p"), Zeros("q"));
  EXPECT_TRUE(of_tensor.ok()) << of_tensor.message();
}

const Refusal kPorts[] = {
    {"InputThatIsAString", MICRORT_STATUS(ImportInput("str")),
     "input 'y': it is a text, which has to be a constant: --input-value y=TEXT", kUnsupported},
    {"OptionOfNothing", MICRORT_STATUS(ImportInput("Optional", {{"x", {2, 3}}, {"y", {2}}})),
     "input 'y': expected Optional of one type, found 0"},
    {"ListOfNothing", MICRORT_STATUS(ImportInput("List")), "input 'y': a type without its elements'"},
    {"ListOfTensorsWithoutShapes", MICRORT_STATUS(ImportInput("List[Tensor]")),
     "give the shape of each of its elements: --input-shape y.0=...", kUnsupported},
    {"NoTensorAsOutput", MICRORT_STATUS(ImportExpression("\"done\"")),
     "the method 'forward' returns no tensor", kUnsupported},
    {"StateThatGrows",
     [] {
       const std::string body = "    self.h = torch.cat([self.h, x])\n    return self.h\n";
       return ImportWithX(ArchiveOf(body).Tensor("h", {1, 3}, {1, 2, 3}));
     },
     "attribute 'h' is kept from run to run, but a run changes its type or shape", kUnsupported},
    {"StateThatIsNoneTheSecondTime",
     [] {
       const std::string body =
           "    y = torch.add(x, self.h)\n"
           "    if int(self.h) is 0:\n      self.h = torch.add(self.h, 1)\n    else:\n      self.h = None\n"
           "    return y\n";
       return ImportWithX(ArchiveOf(body).Tensor("h", {1}, {0}));
     },
     "attribute 'h' is kept from run to run, but a run changes its type or shape", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedPorts, kPorts);

Status ImportFile(const std::string& bytes) { return ImportTorch(bytes, {}).status; }

const Refusal kFiles[] = {
    {"ProgramOfTorchExport", MICRORT_STATUS(ImportFile(ZipOf({{"archive_format", "pt2"}}))),
     "this is a program of torch.export, not TorchScript", kUnsupported},
    {"ModelOfPyTorchOne", MICRORT_STATUS(ImportFile(ZipOf({{"model.json", "{}"}}))),
     "this is TorchScript of PyTorch 1.1 or before", kUnsupported},
    {"NumberInPlaceOfAModule",
     MICRORT_STATUS(ImportWithX(ArchiveOf("    return x\n").Entry("data.pkl", "\x80\x02K\x01."))),
     "data.pkl: expected a module, found an integer"},
    {"PickleWithoutAnArchive",
     MICRORT_STATUS(ImportFile("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.")),
     "this file was written by torch.save of PyTorch 1.5 or before", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedFiles, kFiles);

}  // namespace
}  // namespace micrort::testing::torch_refused_values
