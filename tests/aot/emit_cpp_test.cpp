// mnnconvert --emit cpp: the class that it writes.

#include "tests/aot/emit_cpp_fixture.h"

namespace micrort::test::aot {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(EmitCpp, ComputesTheProductOfTfcompilesExample) {
  OnnxBuilder builder;
  builder.Input("x_hold", {"2", "3"}).Input("y_hold", {"3", "2"});
  builder.Node("MatMul", {"x_hold", "y_hold"}, {"x_y_prod"}).Output("x_y_prod");
  WriteFile(model_, builder.Bytes());
  Emit(model_, "foo::bar::MatMulComp");
  const std::string main = std::string(MICRORT_SOURCE_FOLDER) + "/tests/aot/matmul/main.cpp";
  EXPECT_EQ(Shell(Compile(main + " mat_mul_comp.cpp mat_mul_comp_weights.S")), "Success\n");
  EXPECT_EQ(FilesIn(cpp_), (std::vector<std::string>{"CMakeLists.txt", "mat_mul_comp.cpp", "mat_mul_comp.h",
                                                     "mat_mul_comp_benchmark.cpp", "mat_mul_comp_test.cpp",
                                                     "mat_mul_comp_weights.S", "mat_mul_comp_weights.bin"}));
}

TEST_F(EmitCpp, ComputesTheProductOfAGraphDef) {
  const std::string text =
      "node { name: 'x_hold' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } "
      "attr { key: 'shape' value { shape { dim { size: 2 } dim { size: 3 } } } } }\n"
      "node { name: 'y_hold' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } "
      "attr { key: 'shape' value { shape { dim { size: 3 } dim { size: 2 } } } } }\n"
      "node { name: 'x_y_prod' op: 'MatMul' input: 'x_hold' input: 'y_hold' "
      "attr { key: 'T' value { type: DT_FLOAT } } }\n";
  WriteFile(folder_ / "graph.pbtxt", text);
  Emit(folder_ / "graph.pbtxt", "foo::bar::MatMulComp", {"--from", "tensorflow"});
  const std::string main = std::string(MICRORT_SOURCE_FOLDER) + "/tests/aot/matmul/main.cpp";
  EXPECT_EQ(Shell(Compile(main + " mat_mul_comp.cpp mat_mul_comp_weights.S")), "Success\n");
}

// An image network with what layers, copies and element-wise operators there are.
OnnxBuilder Network() {
  OnnxBuilder b;
  b.Input("x", {"1", "4", "8", "8"});
  b.Weights("w0", {8, 4, 3, 3}).Weights("b0", {8}).Weights("w1", {8, 1, 3, 3}).Weights("w2", {4, 8, 1, 1});
  b.Node("Conv", {"x", "w0", "b0"}, {"c0"}).Ints("pads", {1, 1, 1, 1});
  b.Node("Relu", {"c0"}, {"r0"});
  b.Node("Conv", {"r0", "w1"}, {"c1"}).Ints("pads", {1, 1, 1, 1}).Int("group", 8);
  b.Node("Sigmoid", {"c1"}, {"s1"});
  b.Node("MaxPool", {"s1"}, {"m0"}).Ints("kernel_shape", {2, 2}).Ints("strides", {2, 2});
  b.Node("AveragePool", {"s1"}, {"m1"}).Ints("kernel_shape", {2, 2}).Ints("strides", {2, 2});
  b.Node("Mul", {"m0", "m1"}, {"p"});
  b.Node("Sin", {"p"}, {"sin"});
  b.Floats("scales", {4}, {1, 1, 1.5f, 0.5f}).Integers("chosen", {4}, {0, 3, 3, 1});
  b.Node("Resize", {"sin", "", "scales"}, {"wide"}).String("mode", "linear");
  b.Node("Resize", {"wide", "", "back"}, {"again"}).String("mode", "nearest");
  b.Floats("back", {4}, {1, 1, 0.75f, 2});
  b.Node("Gather", {"again", "chosen"}, {"picked"}).Int("axis", 2);
  b.Node("Concat", {"picked", "m0"}, {"joined"}).Int("axis", 1);
  b.Integers("pads", {8}, {0, 0, 1, 0, 0, 0, 0, 1});
  b.Node("Pad", {"joined", "pads"}, {"padded"});
  b.Node("Transpose", {"padded"}, {"t"}).Ints("perm", {0, 3, 1, 2});
  b.Node("ReduceMean", {"t"}, {"mean"}).Ints("axes", {1}).Int("keepdims", 0);
  b.Weights("scale", {5}).Weights("shift", {5});
  b.Node("LayerNormalization", {"mean", "scale", "shift"}, {"n"});
  b.Integers("shape", {2}, {1, 80});
  b.Node("Reshape", {"n", "shape"}, {"flat"});
  b.Weights("w3", {80, 10}).Weights("b3", {10});
  b.Node("MatMul", {"flat", "w3"}, {"product"});
  b.Node("Add", {"product", "b3"}, {"sum"});
  b.Node("Softmax", {"sum"}, {"y"});
  b.Output("y");
  return b;
}

TEST_F(EmitCpp, GivesTheBitsOfTheInterpreter) {
  OnnxBuilder network = Network();
  network.model.mutable_opset_import(0)->set_version(17);
  WriteFile(model_, network.Bytes());
  ExpectAsInterpreter(model_, "net_weights.S");
}

TEST_F(EmitCpp, GivesTheBitsOfTheInterpreterInInt8) {
  OnnxBuilder network = Network();
  network.model.mutable_opset_import(0)->set_version(17);
  WriteFile(model_, network.Bytes());
  WriteFile(folder_ / "sample.npy", NpyOf(Input()));
  ExpectAsInterpreter(model_, "net_weights.cpp",
                      {"--quant", "int8", "--calib", folder_ / "sample.npy", "--weights-as", "array",
                       "--thread-pool", "none", "--target", "scalar"});
}

TEST_F(EmitCpp, GivesTheBitsOfTheInterpreterInInt16) {
  OnnxBuilder network = Network();
  network.model.mutable_opset_import(0)->set_version(17);
  WriteFile(model_, network.Bytes());
  WriteFile(folder_ / "sample.npy", NpyOf(Input()));
  ExpectAsInterpreter(model_, "net_weights.S", {"--quant", "int16x8", "--calib", folder_ / "sample.npy"});
}

// The sum of all inputs so far.
TEST_F(EmitCpp, KeepsStateFromRunToRun) {
  OnnxBuilder builder;
  builder.Input("x", {"1", "2"}).Input("sum_before", {"1", "2"});
  builder.Node("Add", {"x", "sum_before"}, {"sum"}).Node("Neg", {"sum"}, {"y"}).Output("y").Output("sum");
  WriteFile(model_, builder.Bytes());
  Emit(model_, "ns::Sum", {"--state", "sum=sum_before"});
  WriteFile(cpp_ + "/main.cpp", R"(#include "sum.h"
    int main() {
      ns::Sum sum;
      for (int i = 1; i <= 3; ++i) {
        sum.arg_x(0, 0) = static_cast<float>(i);
        sum.arg_x(0, 1) = 10;
        if (!sum.Run()) return 1;
      }
      if (sum.result_y(0, 0) != -6 || sum.var_sum_before(0, 1) != 30) return 2;
      sum.ResetState();
      sum.arg0(0, 0) = 5;
      sum.arg0(0, 1) = 0;
      return sum.Run() && sum.result0(0, 0) == -5 && sum.result0(0, 1) == 0 ? 0 : 3;
    })");
  Shell(Compile("main.cpp sum.cpp sum_weights.S"));
  Shell(Compile("sum_test.cpp sum.cpp sum_weights.S"));
}

// Sums of rows and of columns: the second result has the batch in the middle.
OnnxBuilder OpenBatch() {
  OnnxBuilder b;
  b.Input("x", {"n", "2"}).Weights("w", {2, 3}).Node("MatMul", {"x", "w"}, {"y"}).Output("y");
  b.Node("Transpose", {"x"}, {"turned"}).Ints("perm", {1, 0}).Node("Neg", {"turned"}, {"z"}).Output("z");
  b.Integers("axis", {1}, {1}).Node("Unsqueeze", {"x", "axis"}, {"wide"});
  b.Floats("two", {1}, {2}).Node("Mul", {"wide", "two"}, {"twice"});
  return b.Node("Transpose", {"twice"}, {"t"}).Ints("perm", {1, 0, 2}).Output("t");
}

TEST_F(EmitCpp, ComputesSeveralBatchesWithOneClass) {
  OnnxBuilder network = OpenBatch();
  network.model.mutable_opset_import(0)->set_version(17);
  WriteFile(model_, network.Bytes());
  Emit(model_, "ns::Net", {"--batch", "4,1"});
  EXPECT_EQ(Shell(Compile("net_test.cpp net.cpp net_weights.S")), "Success\n");
  WriteFile(cpp_ + "/main.cpp", R"(#include "net.h"
    using ns::Net;
    static_assert(Net::kBatches[0] == 1 && Net::kBatches[1] == 4 && Net::kArg0Shape[0] == 4);
    static_assert(Net::kResult1Shapes[0][1] == 1 && Net::kResult1Shapes[1][1] == 4);
    // The first result and the second of sample i of n.
    bool Computes(Net& net, int n, float* y) {
      if (net.batch() != n || net.arg0_count() != 2 * n || net.result_y_size() != 12 * n) return false;
      for (int i = 0; i < n; ++i) {
        net.arg0(i, 0) = static_cast<float>(i + 1);
        net.arg_x(i, 1) = -1;
      }
      if (!net.Run()) return false;
      for (int i = 0; i < n; ++i) {
        y[i] = net.result0(i, 2);
        if (net.result1(0, i) != -static_cast<float>(i + 1) || net.result1(1, i) != 1) return false;
        if (net.result2(0, i, 0) != 2 * static_cast<float>(i + 1)) return false;
      }
      return true;
    }
    int main() {
      Net net;
      float four[4], one[1];
      if (!Computes(net, 4, four)) return 1;
      if (!net.set_batch(1) || !Computes(net, 1, one) || one[0] != four[0]) return 2;
      if (net.set_batch(2) || net.error_msg()[0] == 0 || net.batch() != 1) return 3;
      return net.set_batch(4) && Computes(net, 4, four) ? 0 : 4;
    })");
  Shell(Compile("main.cpp net.cpp net_weights.S"));
}

// What is emitted for a batch gives the bits that the interpreter gives for it.
TEST_F(EmitCpp, EachBatchGivesTheBitsOfTheInterpreter) {
  OnnxBuilder network = OpenBatch();
  network.model.mutable_opset_import(0)->set_version(17);
  WriteFile(model_, network.Bytes());
  Emit(model_, "ns::Net", {"--batch", "1,2,4"});
  const std::string program = Compile("net_test.cpp net.cpp net_weights.S");
  ASSERT_EQ(RunProgram("mnnconvert", {model_, "-o", folder_ / "model.fb", "--quiet"}).exit_code, 0);
  for (const size_t batch : {1, 2, 4}) {
    const std::string input = Input().substr(0, batch * 2 * sizeof(float));
    WriteFile(folder_ / "x.bin", input);
    WriteFile(folder_ / "x.npy", NpyOf(input, std::to_string(batch) + ", 2"));
    Shell(program + " " + folder_.path() + " " + (folder_ / "x.bin"));
    ASSERT_EQ(RunProgram("micrort-run", {folder_ / "model.fb", "--input", "#0=" + (folder_ / "x.npy"),
                                         "--output-dir", folder_.path()})
                  .exit_code,
              0);
    const std::string expected = ReadFile(folder_ / "y.npy"), found = ReadFile(folder_ / "result0.bin");
    ASSERT_EQ(found.size(), batch * 3 * sizeof(float));
    ASSERT_GT(expected.size(), found.size());
    EXPECT_TRUE(expected.substr(expected.size() - found.size()) == found);
  }
}

TEST_F(EmitCpp, RefusesBatchesThatTheModelCannotHave) {
  WriteFile(model_, OpenBatch().Bytes());
  const auto error = [&](const std::string& batch, const std::string& model, int exit_code) {
    const ProcessResult result = RunProgram("mnnconvert", {model, "-o", cpp_, "--emit", "cpp", "--cpp-class",
                                                           "ns::Net", "--quiet", "--batch", batch});
    EXPECT_EQ(result.exit_code, exit_code);
    return result.err;
  };
  EXPECT_THAT(error("0,1", model_, 1), HasSubstr("--batch: expected sizes above 0, found 0"));
  EXPECT_THAT(error("4,4", model_, 1), HasSubstr("--batch: 4 is there twice"));
  EXPECT_THAT(error("many", model_, 1), HasSubstr("--batch"));
  OnnxBuilder fixed;
  fixed.Input("x", {"1", "2"}).Node("Neg", {"x"}, {"y"}).Output("y");
  WriteFile(folder_ / "fixed.onnx", fixed.Bytes());
  EXPECT_THAT(error("1,4", folder_ / "fixed.onnx", 1),
              HasSubstr("--batch: expected an input whose first dimension is open; found 'x', 1x2"));
  EXPECT_FALSE(std::filesystem::exists(cpp_));
}

// Indices are data, and checked as they are used.
TEST_F(EmitCpp, FailsWhereAnIndexIsOutside) {
  OnnxBuilder builder;
  builder.Input("i", {"2"}, ::onnx::TensorProto::INT64).Floats("table", {3}, {5, 6, 7});
  builder.Node("Gather", {"table", "i"}, {"y"}).Output("y");
  WriteFile(model_, builder.Bytes());
  Emit(model_, "ns::Table", {"--thread-pool", "single"});
  WriteFile(cpp_ + "/main.cpp", R"(#include <cstring>
    #include "table.h"
    int main() {
      ns::Table table;
      table.set_thread_pool(nullptr);
      table.arg0(0) = 2;
      table.arg0(1) = -3;
      if (!table.Run() || table.result0(0) != 7 || table.result0(1) != 5) return 1;
      table.arg0(0) = 3;
      table.arg0(1) = 0;
      return !table.Run() && std::strstr(table.error_msg(), "Gather") != nullptr ? 0 : 2;
    })");
  Shell(Compile("main.cpp table.cpp table_weights.S"));
}

TEST_F(EmitCpp, ComputesTheSameWithTheCallersThreads) {
  OnnxBuilder network = Network();
  network.model.mutable_opset_import(0)->set_version(17);
  WriteFile(model_, network.Bytes());
  Emit(model_, "ns::Net", {"--target-threads", "2"});
  WriteFile(cpp_ + "/main.cpp", R"(#include <cstring>
    #include "kernels/base/parallel.h"
    #include "net.h"
    class Workers final : public micrort::Parallel {
     public:
      explicit Workers(int n) : n_(n) {}
      int workers() const override { return n_; }
      void Run(size_t tiles, TileFn fn, void* context) const override {
        for (size_t t = tiles; t > 0; --t) fn(context, t - 1, static_cast<int>(t) % n_);
      }
     private:
      int n_;
    };
    ns::Net alone, shared;
    int main() {
      for (int i = 0; i < ns::Net::arg0_count(); ++i)
        alone.arg0_data()[i] = shared.arg0_data()[i] = static_cast<float>(i % 17) / 8 - 1;
      const Workers two(2), three(3);
      shared.set_thread_pool(&three);
      if (shared.Run() || std::strstr(shared.error_msg(), "kThreads") == nullptr) return 1;
      shared.set_thread_pool(&two);
      if (!alone.Run() || !shared.Run()) return 2;
      return std::memcmp(alone.result0_data(), shared.result0_data(), ns::Net::result0_size()) == 0 ? 0 : 3;
    })");
  Shell(Compile("main.cpp net.cpp net_weights.S"));
}

TEST_F(EmitCpp, NeedsNoHeap) {
  OnnxBuilder network = Network();
  network.model.mutable_opset_import(0)->set_version(17);
  WriteFile(model_, network.Bytes());
  Emit(model_, "ns::Net");
  const std::string program =
      Compile("-ffunction-sections -Wl,--gc-sections net.cpp net_test.cpp net_weights.S");
  const std::string symbols = Shell("nm -C " + program);
  EXPECT_THAT(symbols, HasSubstr("RunPool2D"));
  EXPECT_THAT(symbols, HasSubstr("main"));
  for (const char* heap : {"malloc", "calloc", "operator new", "aligned_alloc"})
    EXPECT_THAT(symbols, Not(HasSubstr(heap)));
}

TEST_F(EmitCpp, SaysWhichOperatorItCannotEmitAndWritesNothing) {
  OnnxBuilder builder;
  builder.Input("n", {}, ::onnx::TensorProto::INT64).Integers("from", {}, {0}).Integers("by", {}, {1});
  builder.Node("Range", {"from", "n", "by"}, {"y"}).Output("y");
  WriteFile(model_, builder.Bytes());
  const ProcessResult result = RunProgram("mnnconvert", {model_, "-o", cpp_, "--emit", "cpp", "--cpp-class",
                                                         "ns::Net", "--max-size", "y=8", "--quiet"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("(Range)"));
  EXPECT_FALSE(std::filesystem::exists(cpp_));
}

TEST_F(EmitCpp, RefusesFlagsThatDoNotBelongTogether) {
  WriteFile(model_, testing::OneRelu().Bytes());
  const auto error = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {model_, "-o", cpp_});
    const ProcessResult result = RunProgram("mnnconvert", flags);
    EXPECT_EQ(result.exit_code, 1);
    return result.err;
  };
  EXPECT_THAT(error({"--emit", "cpp"}), HasSubstr("--cpp-class"));
  EXPECT_THAT(error({"--cpp-class", "a::B"}), HasSubstr("--emit cpp"));
  EXPECT_THAT(error({"--emit", "cpp", "--cpp-class", "a::9"}), HasSubstr("ns::Name"));
  EXPECT_THAT(error({"--emit", "cpp", "--cpp-class", "a::B", "--target", "avx2,scalar"}),
              HasSubstr("one --target"));
  WriteFile(cpp_, "a file");
  EXPECT_THAT(error({"--emit", "cpp", "--cpp-class", "a::B"}), HasSubstr("expected a folder"));
}

// The kernels are there for any target that this machine is; the code asks before it computes.
TEST_F(EmitCpp, TellsOfAnotherCpu) {
  WriteFile(model_, testing::OneRelu().Bytes());
  Emit(model_, "ns::Net", {"--target", "dotprod"});
  const std::string program = Compile("net.cpp net_test.cpp net_weights.S");
  const ProcessResult result = RunCommand({program});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("not of the class that the code was made for: dotprod"));
}

}  // namespace
}  // namespace micrort::test::aot
