// --emit cpp: names of classes, memory that results lie in, and flags of the user's compiler.

#include "tests/aot/emit_cpp_fixture.h"

namespace micrort::test::aot {
namespace {

using ::testing::HasSubstr;

OnnxBuilder Scaled(float factor) {
  OnnxBuilder builder;
  builder.Input("x", {"2"}).Floats("k", {1}, {factor}).Node("Mul", {"x", "k"}, {"y"}).Output("y");
  return builder;
}

// Constants are reached by a symbol of the whole program.
TEST_F(EmitCpp, ClassesDoNotShareSymbols) {
  const std::pair<const char*, float> kinds[] = {{"a::b_c", 2}, {"a_b::c", 3}, {"a::b::c", 5}, {"A", 7}};
  std::string sources = "main.cpp", includes, checks;
  std::filesystem::create_directory(cpp_);
  for (const auto& [name, factor] : kinds) {
    // A folder each, since files are called as the class is.
    const std::string folder = folder_ / ("one" + std::to_string(static_cast<int>(factor)));
    WriteFile(model_, Scaled(factor).Bytes());
    const ProcessResult result = RunProgram(
        "mnnconvert",
        {model_, "-o", folder, "--emit", "cpp", "--cpp-class", name, "--quiet", "--weights-as", "array"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    std::string stem = std::string(name).substr(std::string(name).rfind(':') + 1);
    if (stem == "A") stem = "a";
    sources += " " + folder + "/" + stem + ".cpp " + folder + "/" + stem + "_weights.cpp";
    includes += "#include \"" + folder + "/" + stem + ".h\"\n";
    checks += std::string("{ static ::") + name +
              " net; net.arg0(0) = 1; net.arg0(1) = -1; if (!net.Run() || " +
              "net.result0(0) != " + std::to_string(static_cast<int>(factor)) + ") return " +
              std::to_string(static_cast<int>(factor)) + "; }\n";
  }
  WriteFile(cpp_ + "/main.cpp", includes + "int main() {\n" + checks + "return 0; }\n");
  Shell(Compile(sources));
}

TEST_F(EmitCpp, ClassesOutsideOfNamespaces) {
  OnnxBuilder network;  // element-wise functions that run as one, and another operator
  network.Input("x", {"2", "8"}).Node("Exp", {"x"}, {"e"}).Node("Sqrt", {"e"}, {"s"});
  network.Node("Softmax", {"s"}, {"y"}).Output("y");
  WriteFile(model_, network.Bytes());
  for (const char* name : {"Net", "Memory", "Ports", "Class", "batch1", "IndexOf"}) {
    std::filesystem::remove_all(cpp_);
    Emit(model_, name);
    std::string stem;
    for (const auto& entry : std::filesystem::directory_iterator(cpp_)) {
      if (entry.path().extension() == ".h") stem = entry.path().stem().string();
    }
    EXPECT_EQ(Shell(Compile(stem + ".cpp " + stem + "_test.cpp " + stem + "_weights.S")), "Success\n")
        << name;
  }
}

// What the emitted code uses itself is no trap in a namespace either.
TEST_F(EmitCpp, ClassesNamedLikeItsParts) {
  WriteFile(model_, testing::OneRelu().Bytes());
  for (const char* name : {"app::Memory", "app::Ports", "app::Program", "app::Kernel", "app::loops"}) {
    std::filesystem::remove_all(cpp_);
    Emit(model_, name, {"--weights-as", "array"});
    Shell("cd " + cpp_ + " && for f in *.cpp; do " MICRORT_CXX " -std=c++17 -Wall -Wextra -Werror -I. " +
          "-I" MICRORT_SOURCE_FOLDER " -fsyntax-only $f || exit 1; done");
  }
}

TEST_F(EmitCpp, RefusesNamesThatCppUsesOtherwise) {
  WriteFile(model_, testing::OneRelu().Bytes());
  const auto error = [&](const std::string& name) {
    const ProcessResult result =
        RunProgram("mnnconvert", {model_, "-o", cpp_, "--emit", "cpp", "--cpp-class", name, "--quiet"});
    EXPECT_EQ(result.exit_code, 1) << name;
    return result.err;
  };
  for (const char* name :
       {"a::and", "xor::B", "a::co_await", "a::uint8_t", "a::_B", "a__b::C", "a::9", "a::", ""})
    EXPECT_THAT(error(name), HasSubstr("found '" + std::string(name) + "'"));
  for (const char* name : {"app::kBytes", "app::Run", "app::arg0_data", "AllocMode"})
    EXPECT_THAT(error(name), HasSubstr("the class has a member"));
  EXPECT_FALSE(std::filesystem::exists(cpp_));
}

// The caller may write to results, and every run gives them anew.
TEST_F(EmitCpp, ResultsThatAreConstantsLieInMemory) {
  OnnxBuilder builder;
  builder.Input("x", {"2"}).Floats("k", {3}, {1, 2, 3}).Floats("j", {1}, {9});
  builder.Node("Neg", {"x"}, {"y"}).Node("Identity", {"k"}, {"c"}).Node("Identity", {"j"}, {"d"});
  builder.Output("c").Output("y").Output("d");
  WriteFile(model_, builder.Bytes());
  Emit(model_, "ns::Net");
  WriteFile(cpp_ + "/main.cpp", R"(#include "net.h"
    ns::Net net;
    int main() {
      for (int run = 0; run < 2; ++run) {
        net.arg0(0) = 4;
        net.arg0(1) = 5;
        if (!net.Run() || net.result0(0) != 1 || net.result0(2) != 3 || net.result1(1) != -5) return 1;
        if (net.result2(0) != 9) return 2;
        net.result0(0) = net.result0(2) = net.result2(0) = 77;
      }
      return 0;
    })");
  Shell(Compile("main.cpp net.cpp net_weights.S"));
}

// The model is right, only not for sizes of 1.
TEST_F(EmitCpp, OpenSizesThatCannotBeOneAskForOthers) {
  OnnxBuilder model;
  model.Input("x", {"N"}).Integers("rows", {2}, {2, -1}).Node("Reshape", {"x", "rows"}, {"y"}).Output("y");
  WriteFile(model_, model.Bytes());
  const std::vector<std::string> flags = {model_, "-o",          cpp_,  "--emit",
                                          "cpp",  "--cpp-class", "Net", "--quiet"};
  const ProcessResult result = RunProgram("mnnconvert", flags);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err,
              HasSubstr("dimensions that the model leaves open are 1 in C++, which does not fit it: "
                        "give sizes by --input-shape (node 'y'"));
  Emit(model_, "Net", {"--input-shape", "x=6"});
}

// Infinities and NaN are numbers to the code.
TEST_F(EmitCpp, InexactArithmeticIsAnError) {
  WriteFile(model_, testing::OneRelu().Bytes());
  Emit(model_, "ns::Net");
  const std::string compile =
      "cd " + cpp_ + " && " MICRORT_CXX " -std=c++17 -I. -I" MICRORT_SOURCE_FOLDER " -fsyntax-only net.cpp ";
  std::vector<const char*> wrong = {"-ffast-math", "-Ofast", "-ffinite-math-only"};
#ifndef __clang__  // whose preprocessor is not told of the parts
  wrong.insert(wrong.end(), {"-funsafe-math-optimizations", "-freciprocal-math", "-fno-signed-zeros"});
#endif
  for (const char* flags : wrong) {
    const ProcessResult result = RunCommand({"sh", "-c", compile + flags});
    EXPECT_NE(result.exit_code, 0) << flags;
    EXPECT_THAT(result.err, HasSubstr("compile it with -fno-fast-math"));
  }
  Shell(compile + "-Ofast -fno-fast-math");
  EXPECT_THAT(ReadFile(cpp_ + "/CMakeLists.txt"), HasSubstr("-fno-fast-math"));
}

}  // namespace
}  // namespace micrort::test::aot
