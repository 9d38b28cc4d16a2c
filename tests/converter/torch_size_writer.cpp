#include "tests/converter/size_writer.h"
#include "tests/converter/torch_archive.h"

namespace micrort::testing {

namespace {

// Numbers are Python's.
class TorchSizeWriter : public SizeWriter {
 public:
  void Input(const std::string& name, const std::vector<std::string>& /*dims*/,
             bool /*is_integer*/) override {
    parameters_ += ", " + name + ": Tensor";
  }

  std::string Constant(int64_t v) override {
    return v < 0 ? "torch.neg(" + std::to_string(-v) + ")" : std::to_string(v);
  }
  std::string SizeOf(const std::string& x, int axis) override {
    return Let("torch.size(" + x + ", " + std::to_string(axis) + ")");
  }
  std::string Arithmetic(const std::string& op, const std::string& a, const std::string& b) override {
    const std::string name = op == "Add"   ? "torch.add"
                             : op == "Sub" ? "torch.sub"
                             : op == "Mul" ? "torch.mul"
                             : op == "Div" ? "torch.floordiv"
                             : op == "Mod" ? "torch.remainder"
                             : op == "Min" ? "ops.prim.min"
                                           : "ops.prim.max";
    return Let(name + "(" + a + ", " + b + ")");
  }
  std::string Choice(const std::string& comparison, const std::string& a, const std::string& b,
                     const std::string& c, const std::string& d) override {
    const std::string y = New();
    Line("if " + Comparison(comparison) + "(" + a + ", " + b + "):");
    Line("  " + y + " = " + c);
    Line("else:");
    Line("  " + y + " = " + d);
    return y;
  }
  std::string Scaled(const std::string& a, float factor, const std::string& rounding) override {
    const std::string name = rounding == "Floor"  ? "torch.floor"
                             : rounding == "Ceil" ? "torch.ceil"
                                                  : "torch.round";
    return Let("int(" + name + "(torch.mul(float(" + a + "), " + std::to_string(factor) + ")))");
  }
  std::string Repeated(const std::string& a, const std::string& trips) override {
    const std::string y = Let(a);
    Line("for i" + y + " in range(" + trips + "):");
    Line("  " + y + " = torch.add(torch.floordiv(" + y + ", 2), 1)");
    return y;
  }

  std::string Slice(const std::string& x, int axis, const std::string& begin, const std::string& end,
                    int step) override {
    return Let("torch.slice(" + x + ", " + std::to_string(axis) + ", " + begin + ", " + end + ", " +
               std::to_string(step) + ")");
  }
  std::string Pad(const std::string& x, int axis, const std::string& before,
                  const std::string& behind) override {
    return Let("torch.pad(" + x + ", [" + (axis == 0 ? "0, 0, " : "") + before + ", " + behind + "])");
  }
  std::string Tile(const std::string& x, const std::string& rows, const std::string& columns) override {
    return Let("torch.repeat(" + x + ", [" + rows + ", " + columns + "])");
  }
  std::string Concat(const std::string& a, const std::string& b, int axis) override {
    return Let("torch.cat([" + a + ", " + b + "], " + std::to_string(axis) + ")");
  }
  std::string Reshape(const std::string& x, const std::string& rows, const std::string& columns) override {
    return Let("torch.reshape(" + x + ", [" + rows + ", " + columns + "])");
  }
  std::string Transpose(const std::string& x) override { return Let("torch.t(" + x + ")"); }
  std::string Multiply(const std::string& x, const std::string& number) override {
    return Let("torch.mul(" + x + ", " + number + ")");
  }
  std::string Plus(const std::string& a, const std::string& b) override {
    return Let("torch.add(" + a + ", " + b + ")");
  }
  std::string MatMul(const std::string& a, const std::string& b) override {
    return Let("torch.matmul(" + a + ", " + b + ")");
  }
  std::string Range(const std::string& n) override {
    return Let("torch.unsqueeze(torch.to(torch.arange(" + n + "), 6), 0)");
  }
  std::string Filled(const std::string& rows, const std::string& columns, float v) override {
    return Let("torch.full([" + rows + ", " + columns + "], " + std::to_string(v) + ")");
  }
  std::string Masked(const std::string& x, const std::string& columns, const std::string& n) override {
    return Let("torch.masked_fill(" + x + ", torch.ge(torch.arange(" + columns + "), " + n + "), 0.)");
  }
  std::string Sum(const std::string& x, int axis) override {
    return Let("torch.sum(" + x + ", [" + std::to_string(axis) + "], True)");
  }
  std::string Pooled(const std::string& x) override {
    return Let("torch.squeeze(torch.max_pool1d(torch.unsqueeze(" + x + ", 0), [3], [2], [1]), 0)");
  }
  std::string Convolved(const std::string& x) override {
    return Let("torch.squeeze(torch.conv1d(torch.unsqueeze(" + x +
               ", 1), torch.tensor([[[1., 2., -1.]]]), None, [2], [1]), 1)");
  }
  std::string Column(const std::string& x, const std::string& position) override {
    return Let("torch.unsqueeze(torch.select(" + x + ", 1, " + position + "), 1)");
  }
  std::string Largest(const std::string& x, const std::string& k) override {
    const std::string y = New();
    Line(y + ", " + New() + " = torch.topk(" + x + ", " + k + ")");
    return y;
  }
  std::string IfSliced(const std::string& x, const std::string& a, const std::string& b,
                       const std::string& n) override {
    const std::string y = New();
    Line("if torch.lt(" + a + ", " + b + "):");
    Line("  " + y + " = torch.slice(" + x + ", 1, 0, " + n + ")");
    Line("else:");
    Line("  " + y + " = " + x);
    return y;
  }
  std::string Looped(const std::string& x, const std::string& trips) override {
    const std::string y = Let(x);
    Line("for i" + y + " in range(" + trips + "):");
    Line("  " + y + " = torch.add(" + y + ", 1)");
    return y;
  }
  std::string Cumulated(const std::string& x, int axis) override {
    return Let("torch.cumsum(" + x + ", " + std::to_string(axis) + ")");
  }
  std::string Resized(const std::string& x, const std::string& columns) override {
    return Let("torch.squeeze(torch.upsample_nearest1d(torch.unsqueeze(" + x + ", 0), [" + columns +
               "]), 0)");
  }
  std::string LowerTriangle(const std::string& x, const std::string& diagonal) override {
    return Let("torch.tril(" + x + ", " + diagonal + ")");
  }
  std::string Clipped(const std::string& x, const std::string& largest) override {
    return Let("torch.clamp(" + x + ", None, " + largest + ")");
  }
  std::string Integers(const std::string& i, const std::string& number) override {
    return Let("torch.mul(" + i + ", " + number + ")");
  }

  std::string Bytes(const std::string& tensor, const std::string& integers,
                    const std::string& number) override {
    Line("return (" + tensor + ", " + integers + ", torch.tensor([" + number + "]))");
    return TorchArchive("  def forward(self: __torch__.Net" + parameters_ +
                        ") -> Tuple[Tensor, Tensor, Tensor]:\n" + body_)
        .Bytes();
  }
  bool states_types() const override { return false; }
  std::string file() const override { return "model.pt"; }

 private:
  std::string New() { return "v" + std::to_string(count_++); }
  void Line(const std::string& text) { body_ += "    " + text + "\n"; }
  std::string Let(const std::string& expression) {
    const std::string y = New();
    Line(y + " = " + expression);
    return y;
  }
  static std::string Comparison(const std::string& name) {
    return name == "Less" ? "torch.lt" : name == "Equal" ? "torch.eq" : "torch.gt";
  }

  std::string parameters_, body_;
  int count_ = 0;
};

}  // namespace

std::unique_ptr<SizeWriter> MakeTorchSizeWriter() { return std::make_unique<TorchSizeWriter>(); }

}  // namespace micrort::testing
