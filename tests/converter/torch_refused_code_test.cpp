// Code of TorchScript: statements, expressions and calls that cannot be run.

#include "tests/converter/torch_code_refusals.h"

namespace micrort::testing::torch_refused_code {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

// Whether the sum of x is above 0, which only a run knows.
const char kIf[] = "    if bool(torch.gt(torch.sum(x), 0)):\n";
const char kFor[] = "    for i in range(int(torch.sum(x))):\n";

// Branches inside each other, all of them decided by a run.
std::string NestedBranches(int count) {
  std::string code, indent = "    ";
  for (int i = 0; i < count; ++i, indent += "  ") code += indent + "if bool(torch.gt(torch.sum(x), 0)):\n";
  code += indent + "y = x\n";
  for (int i = 0; i < count; ++i) {
    indent.resize(indent.size() - 2);
    code += indent + "else:\n" + indent + "  y = x\n";
  }
  return code + "    return y\n";
}

const Refusal kStatements[] = {
    {"NumberTakenApart", MICRORT_STATUS(ImportCode("    a, b = 5\n    return x\n")),
     "an integer is taken apart"},
    {"MoreNamesThanValues", MICRORT_STATUS(ImportCode("    a, b = (x,)\n    return a\n")),
     "2 names for 1 values"},
    {"ReturnInABranch",
     MICRORT_STATUS(ImportCode(std::string(kIf) + "      return x\n    else:\n      pass\n    return x\n")),
     "a return inside a branch that the values of inputs decide", kUnsupported},
    {"ExceptionInBothBranches",
     [] {
       const std::string raise = "      ops.prim.RaiseException(\"never\")\n";
       return ImportCode(kIf + raise + "    else:\n" + raise + "    return x\n");
     },
     "the model raises an exception in both branches", kUnsupported},
    {"BranchesInsideEachOther", MICRORT_STATUS(ImportCode(NestedBranches(17))),
     "more than 16 branches and loops inside each other", kUnsupported},
    {"AssignmentToAnElementOfATensor", MICRORT_STATUS(ImportCode("    x[0] = 1\n    return x\n")),
     "an assignment to what is no name, attribute or element", kUnsupported},
    {"RangeThatBeginsWhereARunSays",
     MICRORT_STATUS(ImportCode("    for i in range(int(torch.sum(x)), 3):\n      pass\n    return x\n")),
     "a range whose ends or steps depend on the values of inputs", kUnsupported},
    {"RangeOfFourNumbers",
     MICRORT_STATUS(ImportCode("    for i in range(1, 2, 3, 4):\n      pass\n    return x\n")),
     "a range of 4 numbers"},
    {"RangeWithoutSteps",
     MICRORT_STATUS(ImportCode("    for i in range(0, 5, 0):\n      pass\n    return x\n")),
     "a range with steps of 0"},
    {"LoopOverANumber", MICRORT_STATUS(ImportCode("    for i in 5:\n      pass\n    return x\n")),
     "a loop over an integer", kUnsupported},
    {"LoopOverTuplesOfOne", MICRORT_STATUS(ImportCode("    for a, b in [(x,)]:\n      pass\n    return x\n")),
     "2 names for a tuple"},
    {"LoopThatMakesATuple",
     MICRORT_STATUS(ImportCode("    y = x\n" + std::string(kFor) + "      y = (x, x)\n    return y\n")),
     "'y' is a tensor before the loop and a tuple after an iteration", kUnsupported},
    {"LoopThatMakesIntegers",
     MICRORT_STATUS(
         ImportCode("    y = x\n" + std::string(kFor) + "      y = torch.to(x, 4)\n    return y\n")),
     "a value of the loop changes its type or rank from one iteration to the next", kUnsupported},
    {"ConditionIsAString", MICRORT_STATUS(ImportCode("    if \"yes\":\n      pass\n    return x\n")),
     "a condition is a string"},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedStatements, kStatements);

// `forward` returns this, and may call a method `half` with one argument, which is not optional.
Status ImportCall(const std::string& expression) {
  return ImportWithX(TorchArchive(
      "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n    return " + expression +
      "\n  def half(self: __torch__.Net, y: Tensor) -> Tensor:\n    return torch.mul(y, 0.5)\n"));
}

const Refusal kCalls[] = {
    {"TooManyArguments", MICRORT_STATUS(ImportCall("(self).half(x, x)")),
     "'half' takes 2 arguments, found 3"},
    {"UnknownArgument", MICRORT_STATUS(ImportCall("(self).half(z=x)")), "'half' has no argument 'z'"},
    {"MissingArgument", MICRORT_STATUS(ImportCall("(self).half()")),
     "'half' is called without its argument 'y'"},
    {"CallsWithoutAnEnd", MICRORT_STATUS(ImportCall("(self).forward(x)")),
     "more than 100 calls inside each other", kUnsupported},
    {"ExpressionsAndCallsWithoutAnEnd",
     MICRORT_STATUS(ImportCall(std::string(20, '-') + "((self).forward(x))")),
     "more than 500 calls and expressions inside each other", kUnsupported},
    {"CallOfATensor", MICRORT_STATUS(ImportCall("x(1)")), "a tensor is called as a function"},
    {"MethodOfATensor", MICRORT_STATUS(ImportCall("x.half(1)")), "method 'half' of a tensor"},
    {"UnknownMethod", MICRORT_STATUS(ImportCall("(self).whole(x)")),
     "the code of '__torch__.Net' has no method 'whole'"},
    {"TooManyArgumentsOfAnOperator", MICRORT_STATUS(ImportCall("torch.relu(x, 1)")),
     "2 arguments, at most 1 are known", kUnsupported},
    {"UnknownArgumentOfAnOperator", MICRORT_STATUS(ImportCall("torch.relu(x, slope=1)")),
     "argument 'slope' is not known", kUnsupported},
    {"CompositionForOtherSizes", MICRORT_STATUS(ImportCall("torch.linalg_svdvals(torch.ones([9, 9]))")),
     "singular values of a matrix whose sides are both longer than 8", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedCalls, kCalls);

const Refusal kExpressions[] = {
    {"UnknownType", MICRORT_STATUS(ImportExpression("[x][int(isinstance(x, Device))]")),
     "isinstance of 'Device'", kUnsupported},
    {"AttributeOfATensor", MICRORT_STATUS(ImportExpression("x.grad")), "attribute 'grad' of a tensor"},
    {"ChoiceByARun",
     MICRORT_STATUS(ImportExpression("x if bool(torch.gt(torch.sum(x), 0)) else torch.neg(x)")),
     "a condition depends on the values of inputs", kUnsupported},
    {"ShiftAsAnOperator", MICRORT_STATUS(ImportExpression("torch.add(x, 1 << 2)")), "operator '<<'",
     kUnsupported},
    {"TwoPoints", MICRORT_STATUS(ImportExpression("torch.add(x, 1.2.3)")), "line 5: '1.2.3' is no number"},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedExpressions, kExpressions);

}  // namespace
}  // namespace micrort::testing::torch_refused_code
