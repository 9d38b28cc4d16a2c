#include "converter/frontend/tensorflow/complex_parts.h"

#include <algorithm>
#include <map>

#include "converter/frontend/common/text.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::BinaryKind;

enum class Rule {
  kNone,
  kEach,      // linear, or moves elements: each part by itself
  kProduct,   // of two
  kQuotient,  // of two
  kSquare,
  kExp,
  kConjugate,  // moves elements, and turns the sign of imaginary parts
  kTorch,      // PyTorch's function of complex numbers
  kTest,       // the same, which gives truth values
  kReal,       // what the real part gives: shapes
  kComplex,    // of a real one
  kSame,
};

Rule RuleOfCast(const ::tensorflow::NodeDef& node, bool from_complex) {
  const auto to = node.attr().find("DstT");
  const bool to_complex = to != node.attr().end() && to->second.type() == ::tensorflow::DT_COMPLEX64;
  if (to_complex) return from_complex ? Rule::kSame : Rule::kComplex;
  return from_complex ? Rule::kReal : Rule::kNone;
}

Rule RuleOf(const ::tensorflow::NodeDef& node, const TfValues& inputs) {
  const bool any =
      std::any_of(inputs.begin(), inputs.end(), [](const TfValue& input) { return input.is_complex; });
  if (node.op() == "Cast") return RuleOfCast(node, any);
  if (!any) return Rule::kNone;
  static const std::map<Rule, std::set<std::string>> kOps = {
      {Rule::kEach, SetOfWords("Add AddN AddV2 BroadcastTo Concat ConcatV2 Cumsum EnsureShape ExpandDims "
                               "Gather GatherNd GatherV2 Mean MirrorPad Neg Pack Pad PreventGradient "
                               "Reshape Reverse ReverseV2 Roll Select SelectV2 Slice Snapshot Split SplitV "
                               "Squeeze StopGradient StridedSlice Sub Sum Tile Transpose Unpack ZerosLike")},
      {Rule::kProduct, SetOfWords("BatchMatMul BatchMatMulV2 MatMul Mul")},
      {Rule::kConjugate, SetOfWords("ConjugateTranspose")},
      {Rule::kTorch, SetOfWords("Cos Inv Log Reciprocal Rsqrt Sign Sin Sqrt")},
      {Rule::kQuotient, SetOfWords("Div RealDiv")},
      {Rule::kTest, SetOfWords("Equal NotEqual")},
      {Rule::kExp, SetOfWords("Exp")},
      {Rule::kReal, SetOfWords("Rank Shape Size")},
      {Rule::kSquare, SetOfWords("Square")},
  };
  for (const auto& [rule, ops] : kOps) {
    if (ops.count(node.op()) != 0) return rule;
  }
  return Rule::kNone;
}

const char* TorchName(const std::string& op) {
  static const std::map<std::string, const char*> kNames = {
      {"Cos", "cos"},     {"Equal", "eq"},    {"Inv", "reciprocal"},
      {"Log", "log"},     {"NotEqual", "ne"}, {"Reciprocal", "reciprocal"},
      {"Rsqrt", "rsqrt"}, {"Sign", "sgn"},    {"Sin", "sin"},
      {"Sqrt", "sqrt"}};
  return kNames.at(op);
}

class Parts {
 public:
  Parts(const OpImporter& importer, const AttrMap* call, const TfValues& inputs, OpContext& c)
      : importer_(importer), call_(call), inputs_(inputs), c_(c), b_(c.build) {}

  Status Import(Rule rule);

 private:
  using Ids = std::vector<ir::ValueId>;

  ir::ValueId PartOf(ir::ValueId x, int64_t part) { return b_.PickAt(x, c_.value(x).rank() - 1, part); }

  ir::ValueId Joined(ir::ValueId real, ir::ValueId imaginary) {
    const int rank = c_.value(real).rank();
    return b_.Concat({b_.InsertDim(real, rank), b_.InsertDim(imaginary, rank)}, rank);
  }

  // What the operator makes of these parts of its complex inputs, the i-th of which is parts[i % size].
  Result<Ids> Run(const std::vector<int>& parts) {
    Ids tensors = c_.inputs();
    for (size_t i = 0, k = 0; i < tensors.size(); ++i) {
      if (inputs_[i].is_complex) tensors[i] = PartOf(tensors[i], parts[k++ % parts.size()]);
    }
    OpContext real(c_.node(), call_, c_.assembler(), b_, std::move(tensors));
    MICRORT_RETURN_IF_ERROR(importer_.import(real));
    return b_.Checked(real.outputs());
  }

  Status Each();
  Status Product();
  Status Quotient();
  Status Square();
  Status Exp();
  Status Conjugate();
  Status Composed();

  const OpImporter& importer_;
  const AttrMap* call_;
  const TfValues& inputs_;
  OpContext& c_;
  ir::Builder& b_;
};

Status Parts::Each() {
  MICRORT_ASSIGN_OR_RETURN(const Ids real, Run({0}));
  MICRORT_ASSIGN_OR_RETURN(const Ids imaginary, Run({1}));
  for (size_t i = 0; i < real.size(); ++i) c_.SetOutput(i, Joined(real[i], imaginary[i]));
  return b_.status();
}

// (a + bi)(c + di) = ac - bd + (ad + bc)i
Status Parts::Product() {
  for (const TfValue& input : inputs_) {
    if (!input.is_complex) return Invalid("complex numbers times others");
  }
  MICRORT_ASSIGN_OR_RETURN(const Ids rr, Run({0, 0}));
  MICRORT_ASSIGN_OR_RETURN(const Ids ii, Run({1, 1}));
  MICRORT_ASSIGN_OR_RETURN(const Ids ri, Run({0, 1}));
  MICRORT_ASSIGN_OR_RETURN(const Ids ir, Run({1, 0}));
  // Conjugate transposes of matrices: the signs of b and d are others.
  const bool minus_b = c_.Bool("adj_x", false), minus_d = c_.Bool("adj_y", false);
  const ir::ValueId real = b_.Binary(minus_b == minus_d ? BinaryKind::Sub : BinaryKind::Add, rr[0], ii[0]);
  const ir::ValueId bc = minus_b ? b_.Neg(ir[0]) : ir[0];
  return c_.Return(Joined(real, b_.Binary(minus_d ? BinaryKind::Sub : BinaryKind::Add, bc, ri[0])));
}

// Times the conjugate, over the square of the length, both measured in the divisor's larger part: its square
// is a number where that of a large or small divisor is none.
Status Parts::Quotient() {
  if (inputs_.size() != 2 || !inputs_[0].is_complex || !inputs_[1].is_complex)
    return Invalid("complex numbers by others");
  const auto product = [&](ir::ValueId x, ir::ValueId y) { return b_.Mul(x, y); };
  const auto magnitude = [&](int part) { return b_.Abs(PartOf(c_.input(1), part)); };
  const ir::ValueId unit = b_.Max(magnitude(0), magnitude(1));
  const auto measured = [&](size_t i, int part) { return b_.Div(PartOf(c_.input(i), part), unit); };
  const ir::ValueId a = measured(0, 0), b = measured(0, 1), c = measured(1, 0), d = measured(1, 1);
  const ir::ValueId length = b_.Add(product(c, c), product(d, d));
  const ir::ValueId real = b_.Add(product(a, c), product(b, d));
  const ir::ValueId imaginary = b_.Sub(product(b, c), product(a, d));
  return c_.Return(Joined(b_.Div(real, length), b_.Div(imaginary, length)));
}

Status Parts::Square() {
  const ir::ValueId a = PartOf(c_.input(0), 0), b = PartOf(c_.input(0), 1);
  const ir::ValueId ab = b_.Mul(a, b);
  const ir::ValueId real = b_.Sub(b_.Mul(a, a), b_.Mul(b, b));
  return c_.Return(Joined(real, b_.Add(ab, ab)));
}

// e^a (cos b + i sin b)
Status Parts::Exp() {
  const ir::ValueId length = b_.Exp(PartOf(c_.input(0), 0)), angle = PartOf(c_.input(0), 1);
  return c_.Return(Joined(b_.Mul(length, b_.Cos(angle)), b_.Mul(length, b_.Sin(angle))));
}

Status Parts::Conjugate() {
  MICRORT_ASSIGN_OR_RETURN(const Ids real, Run({0}));
  MICRORT_ASSIGN_OR_RETURN(const Ids imaginary, Run({1}));
  return c_.Return(Joined(real[0], b_.Neg(imaginary[0])));
}

Status Parts::Composed() {
  Ids operands;
  std::vector<bool> is_complex;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    operands.push_back(c_.input(i));
    is_complex.push_back(inputs_[i].is_complex);
  }
  MICRORT_ASSIGN_OR_RETURN(const Ids results, c_.Torch(TorchName(c_.op()), operands, {}, is_complex));
  return c_.Return(results[0]);
}

Status Parts::Import(Rule rule) {
  switch (rule) {
    case Rule::kEach:
      return Each();
    case Rule::kProduct:
      return Product();
    case Rule::kQuotient:
      return Quotient();
    case Rule::kSquare:
      return Square();
    case Rule::kExp:
      return Exp();
    case Rule::kConjugate:
      return Conjugate();
    case Rule::kTorch:
    case Rule::kTest:
      return Composed();
    case Rule::kReal: {
      MICRORT_ASSIGN_OR_RETURN(const Ids results, Run({0}));
      return c_.Return(results[0]);
    }
    case Rule::kComplex: {
      const bool is_float = c_.x().dtype == DType::kFloat32;
      const ir::ValueId x = is_float ? c_.input() : b_.Cast(c_.input(), DType::kFloat32);
      MICRORT_ASSIGN_OR_RETURN(const Ids zeros, c_.Torch("zeros_like", {x}, {}));
      return c_.Return(Joined(x, zeros[0]));
    }
    case Rule::kSame:
      return c_.Return(c_.input());
    case Rule::kNone:
      break;
  }
  return MICRORT_ERROR(kInternal, "an operator without a rule");
}

}  // namespace

bool WorksOnParts(const ::tensorflow::NodeDef& node, const TfValues& inputs) {
  return RuleOf(node, inputs) != Rule::kNone;
}

Status ImportOnParts(const OpImporter& importer, const AttrMap* call, const TfValues& inputs, OpContext& c,
                     bool* is_complex) {
  const Rule rule = RuleOf(c.node(), inputs);
  *is_complex = rule != Rule::kReal && rule != Rule::kTest;
  return Parts(importer, call, inputs, c).Import(rule);
}

}  // namespace micrort::frontend::tensorflow
