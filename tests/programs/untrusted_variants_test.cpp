// The causes of files that hurt, in other sizes, nests and operators than they came in: each model is
// converted and run as a stranger's, and ends soon, with an exit code of its own and a message.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/converter/onnx_builder.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test {
namespace {

using ::micrort::testing::OnnxBuilder;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A tenth of a second is usual.
constexpr ProcessLimits kVariantLimits = {uint64_t{8} << 30, 20};
constexpr int64_t kSizes[] = {1 << 20,   INT32_MAX, int64_t{1} << 33, int64_t{1} << 62,
                              INT64_MAX, -1,        INT64_MIN};

// Converted, and run where it can be.
void ExpectEnd(const std::string& what, const OnnxBuilder& model) {
  const TemporaryFolder folder;
  WriteFile(folder / "model.onnx", model.Bytes());
  const std::string out = folder / "out.fb";
  for (const std::string quant : {"none", "int4-weights"}) {
    SCOPED_TRACE(what + ", --quant " + quant);
    const ProcessResult converted = RunProgram(
        "mnnconvert", {folder / "model.onnx", "-o", out, "--quiet", "--quant", quant}, kVariantLimits);
    EXPECT_THAT(converted.exit_code, AnyOf(0, 2, 3)) << converted.err;
    if (converted.exit_code != 0) {
      EXPECT_THAT(converted.err, HasSubstr("mnnconvert: error: "));
      return;
    }
    const ProcessResult run = RunProgram("micrort-run", {out}, kVariantLimits);
    EXPECT_THAT(run.exit_code, AnyOf(0, 2, 3)) << run.err;
    if (run.exit_code != 0) {
      EXPECT_THAT(run.err, HasSubstr("micrort-run: error: "));
    }
  }
}

// A model that asks for `size`: of what, its name says.
struct Cause {
  const char* name;
  std::function<OnnxBuilder(int64_t size)> make;
};

OnnxBuilder Image(const char* height = "4") {
  return OnnxBuilder(13).Input("x", {"1", "1", height, "4"}).Weights("w", {1, 1, 3, 3});
}

OnnxBuilder Finished(OnnxBuilder& b) { return b.Output("y"); }

const Cause kCauses[] = {
    {"Filled",
     [](int64_t n) {
       OnnxBuilder b;
       b.Integers("n", {2}, {2, n}).Node("ConstantOfShape", {"n"}, {"c"}).Node("Cos", {"c"}, {"y"});
       return Finished(b);
     }},
    {"Range",
     [](int64_t n) {
       OnnxBuilder b;
       b.Integers("n", {}, {n}).Integers("a", {}, {0}).Integers("d", {}, {1});
       b.Node("Range", {"a", "n", "d"}, {"r"}).Node("Cast", {"r"}, {"y"}).Int("to", 1);
       return Finished(b);
     }},
    {"FinelyStepped",
     [](int64_t n) {
       OnnxBuilder b;
       b.Floats("n", {}, {static_cast<float>(n)}).Floats("a", {}, {0}).Floats("d", {}, {1e-4f});
       b.Node("Range", {"a", "n", "d"}, {"y"});
       return Finished(b);
     }},
    {"ExpandedWeights",
     [](int64_t n) {
       OnnxBuilder b;
       b.Weights("c", {1}).Integers("n", {1}, {n}).Node("Expand", {"c", "n"}, {"e"});
       b.Input("x", {"1"}).Node("Add", {"e", "x"}, {"y"});
       return Finished(b);
     }},
    {"Tiled",
     [](int64_t n) {
       OnnxBuilder b;
       b.Input("x", {"3"}).Integers("n", {1}, {n}).Node("Tile", {"x", "n"}, {"y"});
       return Finished(b);
     }},
    {"Padded",
     [](int64_t n) {
       OnnxBuilder b;
       b.Input("x", {"3"}).Integers("n", {2}, {n, 3}).Node("Pad", {"x", "n"}, {"y"});
       return Finished(b);
     }},
    {"OneHot",
     [](int64_t n) {
       OnnxBuilder b;
       b.Integers("i", {3}, {0, 1, 2}).Integers("n", {}, {n}).Floats("v", {2}, {0, 1});
       b.Node("OneHot", {"i", "n", "v"}, {"y"});
       return Finished(b);
     }},
    {"Window",
     [](int64_t n) {
       OnnxBuilder b(17);
       b.Integers("n", {}, {n}).Node("HammingWindow", {"n"}, {"y"});
       return Finished(b);
     }},
    {"Spectrum",
     [](int64_t n) {
       OnnxBuilder b(17);
       b.Input("x", {"1", "4", "1"}).Integers("n", {}, {n}).Node("DFT", {"x", "n"}, {"y"}).Int("axis", 1);
       return Finished(b);
     }},
    {"Resized",
     [](int64_t n) {
       OnnxBuilder b = Image();
       b.Integers("n", {4}, {1, 1, n, n}).Node("Resize", {"x", "", "", "n"}, {"y"});
       return Finished(b);
     }},
    {"Scaled",
     [](int64_t n) {
       OnnxBuilder b = Image();
       b.Floats("n", {4}, {1, 1, static_cast<float>(n), 1})
           .Node("Resize", {"x", "", "n"}, {"y"})
           .String("mode", "cubic");
       return Finished(b);
     }},
    {"Sampled",
     [](int64_t n) {
       OnnxBuilder b(16);
       b.Floats("c", {1, 1, 2, 2}, {1, 2, 3, 4}).Floats("r", {1, 4}, {0, 0, 2, 2}).Integers("i", {1}, {0});
       b.Node("RoiAlign", {"c", "r", "i"}, {"y"}).Int("sampling_ratio", n).Int("output_width", 3);
       return Finished(b);
     }},
    {"PooledRegions",
     [](int64_t n) {
       OnnxBuilder b = Image();
       b.Floats("r", {1, 5}, {0, 0, 0, 2, 2})
           .Node("MaxRoiPool", {"x", "r"}, {"y"})
           .Ints("pooled_shape", {n, 2});
       return Finished(b);
     }},
    {"Positions",
     [](int64_t n) {
       OnnxBuilder b = Image(std::to_string(n).c_str());
       b.Node("MaxPool", {"x"}, {"y", "i"}).Ints("kernel_shape", {1, 1}).Output("i");
       return Finished(b);
     }},
    {"WidePool",
     [](int64_t n) {
       OnnxBuilder b = Image();
       b.Node("AveragePool", {"x"}, {"y"}).Ints("kernel_shape", {n, 1}).Ints("pads", {n / 2, 0, n / 2, 0});
       return Finished(b);
     }},
    {"WideBorder",
     [](int64_t n) {
       OnnxBuilder b = Image();
       b.Node("Conv", {"x", "w"}, {"y"}).Ints("pads", {n, n, n, n});
       return Finished(b);
     }},
    {"FarTaps",
     [](int64_t n) {
       OnnxBuilder b = Image();
       b.Node("Conv", {"x", "w"}, {"y"}).Ints("dilations", {n, n}).Ints("pads", {n, n, n, n});
       return Finished(b);
     }},
    {"Transposed",
     [](int64_t n) {
       OnnxBuilder b = Image();
       b.Node("ConvTranspose", {"x", "w"}, {"y"}).Ints("strides", {n, n});
       return Finished(b);
     }},
    {"Units",
     [](int64_t n) {
       OnnxBuilder b(14);
       b.Input("x", {"3", "1", "2"}).Weights("w", {1, 8, 2}).Weights("r", {1, 8, 2});
       b.Node("LSTM", {"x", "w", "r"}, {"y"}).Int("hidden_size", n);
       return Finished(b);
     }},
    {"Blocks",
     [](int64_t n) {
       OnnxBuilder b;
       b.Input("x", {"1", "4", "2", "2"}).Node("DepthToSpace", {"x"}, {"y"}).Int("blocksize", n);
       return Finished(b);
     }},
    {"Largest",
     [](int64_t n) {
       OnnxBuilder b;
       b.Input("x", {"8"}).Integers("n", {1}, {n}).Node("TopK", {"x", "n"}, {"y", "i"});
       return Finished(b);
     }},
    {"Parts",
     [](int64_t n) {
       OnnxBuilder b;
       b.Input("x", {"8"}).Integers("n", {2}, {n, 1}).Node("Split", {"x", "n"}, {"y", "z"}).Output("z");
       return Finished(b);
     }},
    {"RandomShape",
     [](int64_t n) {
       OnnxBuilder b;
       b.Node("RandomNormal", {}, {"y"}).Ints("shape", {4, n});
       return Finished(b);
     }},
    {"Type",
     [](int64_t n) {
       OnnxBuilder b;
       b.Input("x", {"2", "2"}).Node("EyeLike", {"x"}, {"y"}).Int("dtype", n);
       return Finished(b);
     }},
    {"CastType",
     [](int64_t n) {
       OnnxBuilder b;
       b.Input("x", {"2"}).Node("Cast", {"x"}, {"y"}).Int("to", n);
       return Finished(b);
     }},
    {"Input",
     [](int64_t n) {
       const std::string size = std::to_string(n);
       OnnxBuilder b;
       b.Input("x", {size, size}).Node("Relu", {"x"}, {"y"});
       return Finished(b);
     }},
    {"OuterProduct",
     [](int64_t n) {
       const std::string size = std::to_string(n);
       OnnxBuilder b;
       b.Input("x", {size, "1"}).Input("z", {"1", size}).Node("MatMul", {"x", "z"}, {"y"});
       return Finished(b);
     }},
};

class UntrustedVariants : public ::testing::TestWithParam<Cause> {};

TEST_P(UntrustedVariants, EndInEverySize) {
  for (const int64_t size : kSizes) ExpectEnd("size " + std::to_string(size), GetParam().make(size));
}

INSTANTIATE_TEST_SUITE_P(Sizes, UntrustedVariants, ::testing::ValuesIn(kCauses),
                         [](const auto& info) { return std::string(info.param.name); });

// The body of a loop that hands `node`'s v on as w.
OnnxBuilder Body(const std::function<void(OnnxBuilder&)>& add_nodes) {
  OnnxBuilder b;
  b.Input("i", {}, ::onnx::TensorProto::INT64).Input("c", {}, ::onnx::TensorProto::BOOL).Input("v", {"k"});
  b.Node("Identity", {"c"}, {"d"});
  add_nodes(b);
  return b.Output("d").Output("w");
}

// Loops inside each other, from the outermost on.
OnnxBuilder Nest(const std::vector<int64_t>& trips, bool is_known,
                 const std::function<void(OnnxBuilder&)>& innermost) {
  std::function<void(OnnxBuilder&)> add = innermost;
  for (size_t level = trips.size(); level-- > 1;) {
    add = [inside = Body(add), count = trips[level]](OnnxBuilder& b) {
      b.Integers("n", {}, {count}).Node("Loop", {"n", "", "v"}, {"w"}).Graph("body", inside);
    };
  }
  OnnxBuilder b;
  if (is_known) {
    b.Weights("x", {2});
  } else {
    b.Input("x", {"2"});
  }
  b.Integers("n", {}, {trips[0]}).Node("Loop", {"n", "", "x"}, {"y"}).Graph("body", Body(add));
  return Finished(b);
}

void Negate(OnnxBuilder& b) { b.Node("Neg", {"v"}, {"w"}); }
void Double(OnnxBuilder& b) { b.Node("Concat", {"v", "v"}, {"w"}).Int("axis", 0); }
void Lengthen(OnnxBuilder& b) { b.Integers("p", {2}, {0, 1 << 18}).Node("Pad", {"v", "p"}, {"w"}); }
void AddADimension(OnnxBuilder& b) { b.Integers("a", {1}, {0}).Node("Unsqueeze", {"v", "a"}, {"w"}); }

TEST(UntrustedLoops, EndHoweverTheyAreNested) {
  const std::vector<std::vector<int64_t>> nests = {{INT64_MAX},
                                                   {1 << 20},
                                                   {65536, 65536},
                                                   {1000, 1000, 1000},
                                                   std::vector<int64_t>(12, 10),
                                                   std::vector<int64_t>(30, 2),
                                                   {-1}};
  for (const auto& trips : nests) {
    for (const bool is_known : {false, true})
      ExpectEnd(std::to_string(trips.size()) + " loops of " + std::to_string(trips[0]),
                Nest(trips, is_known, Negate));
  }
}

TEST(UntrustedLoops, EndWhatTheirValuesGrowTo) {
  for (const auto& grow : {Double, Lengthen, AddADimension}) {
    for (const int64_t trips : {int64_t{12}, int64_t{100}, int64_t{1} << 62}) {
      for (const bool is_known : {false, true})
        ExpectEnd("growing " + std::to_string(trips) + " times", Nest({trips}, is_known, grow));
    }
  }
}

TEST(UntrustedGraphs, EndHoweverManyTheyHoldOfAnything) {
  for (const int count : {1000, 6000, 20000}) {
    OnnxBuilder named, mirrored, split;
    std::vector<std::string> parts;
    for (int i = 0; i < count; ++i) {
      const std::string n = std::to_string(i);
      named.Input("x" + n, {"n" + n, "m"}).Node("Relu", {"x" + n}, {"y" + n}).Output("y" + n);
      parts.push_back("p" + n);
    }
    ExpectEnd("names of dimensions: " + std::to_string(count), named);

    // All are alive in the middle.
    mirrored.Input("a0", {"4"});
    for (int i = 1; i < count; ++i)
      mirrored.Node("Sin", {"a" + std::to_string(i - 1)}, {"a" + std::to_string(i)});
    std::string last = "a" + std::to_string(count - 1);
    for (int i = count - 1; i-- > 0;) {
      const std::string next = "b" + std::to_string(i);
      mirrored.Node("Add", {last, "a" + std::to_string(i)}, {next});
      last = next;
    }
    ExpectEnd("tensors alive: " + std::to_string(count), mirrored.Output(last));

    split.Input("x", {std::to_string(count)})
        .Node("Split", {"x"}, parts)
        .Output(parts.front())
        .Output(parts.back());
    ExpectEnd("outputs of a node: " + std::to_string(count), split);
  }
}

TEST(UntrustedGraphs, EndHoweverDeepTheirBranchesAre) {
  for (const int depth : {20, 60, 150}) {
    OnnxBuilder inside = testing::Branch("Relu", {"x"});
    for (int i = 1; i < depth; ++i) {
      OnnxBuilder around;
      around.Node("If", {"c"}, {"r"})
          .Graph("then_branch", inside)
          .Graph("else_branch", testing::Branch("Neg", {"x"}));
      inside = around.Output("r");
    }
    OnnxBuilder b;
    b.Input("x", {"2"}).Input("c", {}, ::onnx::TensorProto::BOOL);
    b.Node("If", {"c"}, {"y"})
        .Graph("then_branch", inside)
        .Graph("else_branch", testing::Branch("Neg", {"x"}));
    ExpectEnd("branches inside each other: " + std::to_string(depth), Finished(b));
  }
}

TEST(UntrustedNames, DoNotReachTheTerminalAsCommands) {
  const std::string evil = "x\x1b]0;title\x07\x1b[31m\n\xc2\x9b";
  const TemporaryFolder folder;
  for (const std::string& op : {std::string("Relu"), std::string("Conv"), evil}) {
    OnnxBuilder b;
    b.Input(evil, {evil}).Node(op, {evil}, {"y" + evil}).Output("y" + evil);
    b.graph().mutable_node(0)->set_name(evil);
    WriteFile(folder / "model.onnx", b.Bytes());
    const ProcessResult r =
        RunProgram("mnnconvert", {folder / "model.onnx", "-o", folder / "out.fb"}, kVariantLimits);
    EXPECT_THAT(r.exit_code, AnyOf(0, 2, 3)) << r.err;
    for (const char* sequence : {"\x1b", "\x07", "\xc2\x9b"})
      EXPECT_THAT(r.out + r.err, Not(HasSubstr(sequence)));
  }
}

}  // namespace
}  // namespace micrort::test
