#include "tests/converter/onnx_builder.h"
#include "tests/converter/size_writer.h"

namespace micrort::testing {

namespace {

// Numbers are of shape [1].
class OnnxSizeWriter : public SizeWriter {
 public:
  OnnxSizeWriter() : b_(18) {
    b_.Integers("zero", {1}, {0}).Integers("one", {1}, {1}).Integers("rest", {1}, {-1});
  }

  void Input(const std::string& name, const std::vector<std::string>& dims, bool is_integer) override {
    b_.Input(name, dims, is_integer ? ::onnx::TensorProto::INT64 : ::onnx::TensorProto::FLOAT);
  }

  std::string Constant(int64_t v) override {
    const std::string name = New();
    b_.Integers(name, {1}, {v});
    return name;
  }
  std::string SizeOf(const std::string& x, int axis) override {
    return Op("Gather", {Op("Shape", {x}), axis == 0 ? "zero" : "one"});
  }
  std::string Arithmetic(const std::string& op, const std::string& a, const std::string& b) override {
    return Op(op, {a, b});
  }
  std::string Choice(const std::string& comparison, const std::string& a, const std::string& b,
                     const std::string& c, const std::string& d) override {
    return Op("Where", {Op(comparison, {a, b}), c, d});
  }
  std::string Scaled(const std::string& a, float factor, const std::string& rounding) override {
    const std::string name = New();
    b_.Floats(name, {}, {factor});
    const std::string rounded = Op(rounding, {Op("Mul", {AsFloat(a), name})});
    const std::string y = Op("Cast", {rounded});
    b_.Int("to", ::onnx::TensorProto::INT64);
    return y;
  }
  std::string Repeated(const std::string& a, const std::string& trips) override {
    OnnxBuilder body(18);
    body.Input("i", {}, ::onnx::TensorProto::INT64).Input("go", {}, ::onnx::TensorProto::BOOL);
    body.Input("n", {"1"}, ::onnx::TensorProto::INT64).Integers("two", {1}, {2}).Integers("more", {1}, {1});
    body.Node("Div", {"n", "two"}, {"half"}).Node("Add", {"half", "more"}, {"next"});
    body.Node("Identity", {"go"}, {"still"}).Output("still").Output("next");
    return Loop(trips, a, std::move(body));
  }

  std::string Slice(const std::string& x, int axis, const std::string& begin, const std::string& end,
                    int step) override {
    return Op("Slice", {x, begin, end, Constant(axis), Constant(step)});
  }
  std::string Pad(const std::string& x, int axis, const std::string& before,
                  const std::string& behind) override {
    const std::vector<std::string> all = axis == 0 ? std::vector<std::string>{before, "zero", behind, "zero"}
                                                   : std::vector<std::string>{"zero", before, "zero", behind};
    return Op("Pad", {x, List(all)});
  }
  std::string Tile(const std::string& x, const std::string& rows, const std::string& columns) override {
    return Op("Tile", {x, List({rows, columns})});
  }
  std::string Concat(const std::string& a, const std::string& b, int axis) override {
    const std::string y = Op("Concat", {a, b});
    b_.Int("axis", axis);
    return y;
  }
  std::string Reshape(const std::string& x, const std::string& rows, const std::string& columns) override {
    return Op("Reshape", {x, List({Inferred(rows), Inferred(columns)})});
  }
  std::string Transpose(const std::string& x) override { return Op("Transpose", {x}); }
  std::string Multiply(const std::string& x, const std::string& number) override {
    return Op("Mul", {x, AsFloat(number)});
  }
  std::string Plus(const std::string& a, const std::string& b) override { return Op("Add", {a, b}); }
  std::string MatMul(const std::string& a, const std::string& b) override { return Op("MatMul", {a, b}); }
  std::string Range(const std::string& n) override {
    const std::string from = Scalar("zero"), step = Scalar("one");
    return Op("Unsqueeze", {AsFloat(Op("Range", {from, Scalar(n), step})), "zero"});
  }
  std::string Filled(const std::string& rows, const std::string& columns, float v) override {
    const std::string zeros = Op("ConstantOfShape", {List({rows, columns})}), name = New();
    b_.Floats(name, {}, {v});
    return Op("Add", {zeros, name});
  }
  std::string Masked(const std::string& x, const std::string& columns, const std::string& n) override {
    const std::string name = New();
    b_.Floats(name, {}, {0});
    return Op("Where", {Op("Less", {Range(columns), AsFloat(n)}), x, name});
  }
  std::string Sum(const std::string& x, int axis) override { return Op("ReduceSum", {x, Constant(axis)}); }
  std::string Pooled(const std::string& x) override {
    const std::string y = Op("MaxPool", {Op("Unsqueeze", {x, "zero"})});
    b_.Ints("kernel_shape", {3}).Ints("strides", {2}).Ints("pads", {1, 1});
    return Op("Squeeze", {y, "zero"});
  }
  std::string Convolved(const std::string& x) override {
    const std::string w = New();
    b_.Floats(w, {1, 1, 1, 3}, {1, 2, -1});
    const std::string places = New();
    b_.Integers(places, {2}, {0, 1});
    const std::string y = Op("Conv", {Op("Unsqueeze", {x, places}), w});
    b_.Ints("strides", {1, 2}).String("auto_pad", "SAME_UPPER");
    return Op("Squeeze", {y, places});
  }
  std::string Column(const std::string& x, const std::string& position) override {
    const std::string y = Op("Gather", {x, position});
    b_.Int("axis", 1);
    return y;
  }
  std::string Largest(const std::string& x, const std::string& k) override {
    const std::string y = New();
    b_.Node("TopK", {x, k}, {y, New()});
    return y;
  }
  std::string IfSliced(const std::string& x, const std::string& a, const std::string& b,
                       const std::string& n) override {
    OnnxBuilder then_graph(18), else_graph(18);
    then_graph.Node("Slice", {x, "zero", n, "one"}, {"sliced"}).Output("sliced");
    else_graph.Node("Identity", {x}, {"whole"}).Output("whole");
    const std::string y = Op("If", {Scalar(Op("Less", {a, b}))});
    b_.Graph("then_branch", std::move(then_graph)).Graph("else_branch", std::move(else_graph));
    return y;
  }
  std::string Looped(const std::string& x, const std::string& trips) override {
    OnnxBuilder body(18);
    body.Input("i", {}, ::onnx::TensorProto::INT64).Input("go", {}, ::onnx::TensorProto::BOOL);
    body.Input("v", {"", ""}).Floats("unit", {}, {1}).Node("Add", {"v", "unit"}, {"next"});
    body.Node("Identity", {"go"}, {"still"}).Output("still").Output("next");
    return Loop(trips, x, std::move(body));
  }
  std::string Cumulated(const std::string& x, int axis) override {
    return Op("CumSum", {x, Scalar(Constant(axis))});
  }
  std::string Resized(const std::string& x, const std::string& columns) override {
    const std::string y = Op("Resize", {x, "", "", List({SizeOf(x, 0), columns})});
    b_.String("mode", "nearest").String("coordinate_transformation_mode", "asymmetric");
    b_.String("nearest_mode", "floor");
    return y;
  }
  std::string LowerTriangle(const std::string& x, const std::string& diagonal) override {
    const std::string y = Op("Trilu", {x, Scalar(diagonal)});
    b_.Int("upper", 0);
    return y;
  }
  std::string Clipped(const std::string& x, const std::string& largest) override {
    return Op("Min", {x, AsFloat(largest)});
  }
  std::string Integers(const std::string& i, const std::string& number) override {
    return Op("Mul", {i, number});
  }

  std::string Bytes(const std::string& tensor, const std::string& integers,
                    const std::string& number) override {
    b_.Node("Identity", {tensor}, {"y"}).Node("Identity", {integers}, {"k"});
    b_.Node("Identity", {number}, {"n"}).Output("y").Output("k").Output("n");
    return b_.Bytes();
  }
  bool states_types() const override { return true; }
  std::string file() const override { return "model.onnx"; }

 private:
  std::string New() { return "v" + std::to_string(count_++); }
  std::string Op(const std::string& op, const std::vector<std::string>& inputs) {
    const std::string name = New();
    b_.Node(op, inputs, {name});
    return name;
  }
  std::string AsFloat(const std::string& x) {
    const std::string y = Op("Cast", {x});
    b_.Int("to", ::onnx::TensorProto::FLOAT);
    return y;
  }
  std::string List(const std::vector<std::string>& numbers) {
    const std::string y = Op("Concat", numbers);
    b_.Int("axis", 0);
    return y;
  }
  std::string Scalar(const std::string& number) { return Op("Squeeze", {number, "zero"}); }
  static std::string Inferred(const std::string& number) { return number == "-1" ? "rest" : number; }
  std::string Loop(const std::string& trips, const std::string& start, OnnxBuilder body) {
    const std::string y = Op("Loop", {Scalar(trips), "", start});
    b_.Graph("body", std::move(body));
    return y;
  }

  OnnxBuilder b_;
  int count_ = 0;
};

}  // namespace

std::unique_ptr<SizeWriter> MakeOnnxSizeWriter() { return std::make_unique<OnnxSizeWriter>(); }

}  // namespace micrort::testing
