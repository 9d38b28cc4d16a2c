// CALL, IF and WHILE, and variables of the subgraphs that they run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/converted.h"
#include "tests/converter/tflite_builder.h"

namespace micrort::testing {
namespace {

using ::testing::HasSubstr;

constexpr auto kBool = fb::TensorType::Bool;
constexpr auto kInt32 = fb::TensorType::Int32;
constexpr auto kResource = fb::TensorType::Resource;

const Quantized kHalves = {{0.5f}, {3}};

// One binary operator of two inputs of one element; gives the number of the subgraph.
int AddBinary(TfliteBuilder* b, const std::string& op, fb::TensorType type = fb::TensorType::Float32,
              fb::TensorType result = fb::TensorType::Float32, const Quantized& q = {}) {
  const int index = b->AddSubgraph();
  const int x = b->Input("x", {1}, type, q), y = b->Input("y", {1}, type, q),
            z = b->Tensor("z", {1}, result, q);
  b->Op(op, {x, y}, {z});
  b->Output(z);
  b->BackToMain();
  return index;
}

Converted Convert(const TfliteBuilder& b) { return Converted("model.tflite", b.Bytes()); }

io::NamedArray One(float x) { return Array<float>({1}, {x}); }

TEST(TfliteCall, StandsForItsSubgraph) {
  TfliteBuilder b;
  const int callee = AddBinary(&b, "SUB");
  const int x = b.Input("a", {1}), y = b.Tensor("y", {1}), z = b.Tensor("z2", {1});
  b.Op("CALL", {x, b.Floats("two", {1}, {2})}, {y}, Calls(callee));
  b.Op("CALL", {y, x}, {z}, Calls(callee));
  b.Output(y).Output(z);
  EXPECT_EQ(Convert(b).Run({One(7)}), "1: 5; 1: -2");
}

TEST(TfliteCall, CyclesAreRefused) {
  TfliteBuilder b;
  const int x = b.Input("x", {1}), y = b.Tensor("y", {1});
  const int first = b.AddSubgraph();
  const int u = b.Input("u", {1}), v = b.Tensor("v", {1});
  b.Op("CALL", {u}, {v}, Calls(first + 1));
  b.Output(v);
  b.AddSubgraph();
  const int s = b.Input("s", {1}), t = b.Tensor("t", {1});
  b.Op("CALL", {s}, {t}, Calls(first));
  b.Output(t);
  b.BackToMain();
  b.Op("CALL", {x}, {y}, Calls(first));
  b.Output(y);
  const ImportedTflite result = ImportTflite(b.Bytes());
  EXPECT_FALSE(result.status.ok());
  EXPECT_THAT(result.status.message(), HasSubstr("run each other"));
}

TEST(TfliteCall, ArgumentsAreChecked) {
  TfliteBuilder b;
  const int callee = AddBinary(&b, "ADD");
  const int x = b.Input("x", {1}), y = b.Tensor("y", {1});
  b.Op("CALL", {x}, {y}, Calls(callee));
  b.Output(y);
  EXPECT_THAT(ImportTflite(b.Bytes()).status.message(), HasSubstr("has 2 inputs, and is given 1"));
  b.graph().operators[0]->inputs = {x, x};
  b.graph().operators[0]->builtin_options.Set(Calls(9));
  EXPECT_THAT(ImportTflite(b.Bytes()).status.message(), HasSubstr("subgraph 9 of 2"));
  b.graph().operators[0]->builtin_options.Set(Calls(callee));
  b.model.subgraphs[1]->tensors[0]->type = kInt32;
  EXPECT_THAT(ImportTflite(b.Bytes()).status.message(), HasSubstr("handed on as Int32"));
}

TEST(TfliteCall, UnsupportedOperatorsInsideAreNamedOnce) {
  TfliteBuilder b;
  const int callee = AddBinary(&b, "NoSuchThing");
  const int x = b.Input("a", {1}), y = b.Tensor("y", {1});
  b.Op("CALL", {x, x}, {y}, Calls(callee));
  b.Output(y);
  const ImportedTflite result = ImportTflite(b.Bytes());
  EXPECT_EQ(result.status.code(), StatusCode::kUnsupported);
  ASSERT_EQ(result.diagnostics.unsupported.size(), 1u);
  EXPECT_EQ(result.diagnostics.unsupported[0].op, "NoSuchThing");
}

TEST(TfliteIf, RunsOneBranch) {
  TfliteBuilder b;
  const int add = AddBinary(&b, "ADD"), mul = AddBinary(&b, "MUL");
  const int c = b.Input("c", {}, kBool), x = b.Input("a", {1}), y = b.Tensor("result", {1});
  b.Op("IF", {c, x, b.Floats("ten", {1}, {10})}, {y}, Branches(add, mul));
  b.Output(y);
  Converted converted = Convert(b);
  EXPECT_EQ(converted.Run({Bool(true), One(3)}), "1: 13");
  EXPECT_EQ(converted.Run({Bool(false), One(3)}), "1: 30");
}

TEST(TfliteIf, BranchThatCannotRunIsAnErrorOnlyIfTaken) {
  TfliteBuilder b;
  const int fails = b.AddSubgraph();
  const int u = b.Input("u", {2}), v = b.Tensor("v", {2});
  b.Op("ADD", {u, b.Floats("three", {3}, {1, 2, 3})}, {v});
  b.Output(v);
  const int runs = b.AddSubgraph();
  const int s = b.Input("s", {2}), t = b.Tensor("t", {2});
  b.Op("NEG", {s}, {t});
  b.Output(t);
  b.BackToMain();
  const int c = b.Input("c", {}, kBool), x = b.Input("x", {2}), y = b.Tensor("y", {2});
  b.Op("IF", {c, x}, {y}, Branches(fails, runs));
  b.Output(y);
  Converted converted = Convert(b);
  const auto run = [&](bool condition) {
    return converted.Run({Bool(condition), Array<float>({2}, {1, -2})});
  };
  EXPECT_EQ(run(false), "2: -1 2");
  EXPECT_THAT(run(true), HasSubstr("then branch: node 'then: node 'v' (ADD)"));
}

TEST(TfliteIf, ConstantConditionsLeaveNoBranch) {
  TfliteBuilder b;
  const int add = AddBinary(&b, "ADD"), mul = AddBinary(&b, "MUL");
  const int c = b.Constant<uint8_t>("c", {1}, kBool, {0}), x = b.Input("a", {1}), y = b.Tensor("r", {1});
  b.Op("IF", {c, x, x}, {y}, Branches(add, mul));
  b.Output(y);
  Converted converted = Convert(b);
  EXPECT_EQ(converted.Run({One(3)}), "1: 9");
  EXPECT_EQ(converted.Count(schema::OpCode::If), 0);
}

TEST(TfliteIf, QuantizedValuesKeepTheirIntegers) {
  TfliteBuilder b;
  const auto type = fb::TensorType::Int8;
  const int add = AddBinary(&b, "ADD", type, type, kHalves), mul = AddBinary(&b, "MUL", type, type, kHalves);
  const int c = b.Input("c", {}, kBool), x = b.Input("a", {1}, type, kHalves),
            y = b.Tensor("result", {1}, type, kHalves);
  b.Op("IF", {c, x, x}, {y}, Branches(add, mul));
  b.Output(y);
  // 7 is 2.0: 4.0 is 11, and so is the product.
  Converted converted = Convert(b);
  EXPECT_EQ(converted.Run({Bool(true), Array<int8_t>({1}, {7})}), "1: 11");
  EXPECT_EQ(converted.Run({Bool(false), Array<int8_t>({1}, {9})}), "1: 21");
}

// i = 0; while (i < n) { i += 1; sum += x; }
TfliteBuilder Summing(const char* op = "WHILE") {
  TfliteBuilder b;
  const int cond = b.AddSubgraph();
  const int i = b.Input("i", {1}, kInt32), s = b.Input("s", {1}), x = b.Input("x", {1}),
            n = b.Input("n", {1}, kInt32), go = b.Tensor("go", {1}, kBool);
  (void)s, (void)x;
  b.Op("LESS", {i, n}, {go});
  b.Output(go);
  const int body = b.AddSubgraph();
  const int i1 = b.Input("i", {1}, kInt32), s1 = b.Input("s", {1}), x1 = b.Input("x", {1}),
            n1 = b.Input("n", {1}, kInt32), i2 = b.Tensor("i2", {1}, kInt32), s2 = b.Tensor("s2", {1});
  b.Op("ADD", {i1, b.Integers("one", {1})}, {i2});
  b.Op("ADD", {s1, x1}, {s2});
  b.Output(i2).Output(s2).Output(x1).Output(n1);
  b.BackToMain();
  const int a = b.Input("a", {1}), count = b.Input("count", {1}, kInt32);
  std::vector<int> out;
  for (const char* name : {"o0", "o2"}) out.push_back(b.Tensor(name, {1}, kInt32));
  const int sum = b.Tensor("sum", {1}), same = b.Tensor("same", {1});
  b.Op(op, {b.Integers("zero", {0}), b.Floats("start", {1}, {100}), a, count}, {out[0], sum, same, out[1]},
       Repeats(cond, body));
  b.Output(sum).Output(out[0]).Output(same);
  return b;
}

TEST(TfliteWhile, RunsAsLongAsItsConditionHolds) {
  Converted converted = Convert(Summing());
  EXPECT_EQ(converted.Run({One(2), Array<int32_t>({1}, {5})}), "1: 110; 1: 5; 1: 2");
  EXPECT_EQ(converted.Run({One(2), Array<int32_t>({1}, {0})}), "1: 100; 1: 0; 1: 2");
}

TEST(TfliteWhile, OfStablehlo) {
  TfliteBuilder b = Summing("STABLEHLO_WHILE");
  fb::OperatorT& loop = *b.graph().operators.back();
  const fb::WhileOptionsT plain = *loop.builtin_options.AsWhileOptions();
  fb::StablehloWhileOptionsT options;
  options.cond_subgraph_index = plain.cond_subgraph_index;
  options.body_subgraph_index = plain.body_subgraph_index;
  loop.builtin_options.Reset();
  loop.builtin_options_2.Set(options);
  Converted converted = Convert(b);
  EXPECT_EQ(converted.Run({One(2), Array<int32_t>({1}, {5})}), "1: 110; 1: 5; 1: 2");
  EXPECT_EQ(converted.Run({One(2), Array<int32_t>({1}, {0})}), "1: 100; 1: 0; 1: 2");
}

TEST(TfliteWhile, WhatTheBodyDoesNotChangeIsNotCarried) {
  ImportedTflite result = ImportTflite(Summing().Bytes());
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  const ir::Node* loop = nullptr;
  for (const auto& node : result.graph().nodes)
    if (node->code == schema::OpCode::Loop) loop = node.get();
  ASSERT_NE(loop, nullptr);
  EXPECT_EQ(loop->as<schema::LoopOptionsT>().carried, 2u);
}

TEST(TfliteWhile, BodiesOfOtherSizesAreRefused) {
  TfliteBuilder b = Summing();
  b.model.subgraphs[2]->outputs.pop_back();
  EXPECT_THAT(ImportTflite(b.Bytes()).status.message(), HasSubstr("expected a body of 4"));
}

fb::VarHandleOptionsT HandleOf(const std::string& variable) {
  fb::VarHandleOptionsT options;
  options.shared_name = variable;
  return options;
}

// A subgraph that adds its input to the variable `total`, which it finds by a handle that it is given.
int AddAccumulation(TfliteBuilder* b, fb::TensorType type = fb::TensorType::Float32,
                    const Quantized& q = {}) {
  const int index = b->AddSubgraph();
  const int handle = b->Input("handle", {}, kResource), x = b->Input("x", {1}, type, q);
  const int before = b->Tensor("before", {1}, type, q), after = b->Tensor("after", {1}, type, q);
  b->Op("READ_VARIABLE", {handle}, {before});
  b->Op("ADD", {before, x}, {after});
  b->Op("ASSIGN_VARIABLE", {handle, after}, {});
  b->Output(after);
  b->BackToMain();
  return index;
}

TEST(TfliteVariables, AreHandedToSubgraphs) {
  TfliteBuilder b;
  const int callee = AddAccumulation(&b);
  const int x = b.Input("a", {1}), handle = b.Tensor("h", {}, kResource), y = b.Tensor("y", {1}),
            z = b.Tensor("z", {1});
  b.Op("VAR_HANDLE", {}, {handle}, HandleOf("total"));
  b.Op("CALL", {handle, x}, {y}, Calls(callee));
  b.Op("READ_VARIABLE", {handle}, {z});
  b.Output(y).Output(z);
  Converted converted = Convert(b);
  EXPECT_EQ(converted.Run({One(2)}), "1: 2; 1: 2");
  EXPECT_EQ(converted.Run({One(3)}), "1: 5; 1: 5");
}

// y = c ? (total += x) : -x
TfliteBuilder ChangingInOneBranch(fb::TensorType type, const Quantized& q) {
  TfliteBuilder b;
  const int change = AddAccumulation(&b, type, q);
  const int leave = b.AddSubgraph();
  b.Input("handle", {}, kResource);
  const int x1 = b.Input("x", {1}, type, q), y1 = b.Tensor("y1", {1}, type, q);
  b.Op("NEG", {x1}, {y1});
  b.Output(y1);
  b.BackToMain();
  const int c = b.Input("c", {}, kBool), x = b.Input("a", {1}, type, q),
            handle = b.Tensor("h", {}, kResource), y = b.Tensor("y", {1}, type, q);
  b.Op("VAR_HANDLE", {}, {handle}, HandleOf("total"));
  b.Op("IF", {c, handle, x}, {y}, Branches(change, leave));
  b.Output(y);
  return b;
}

TEST(TfliteVariables, OneBranchMayChangeThem) {
  Converted converted = Convert(ChangingInOneBranch(fb::TensorType::Float32, {}));
  EXPECT_EQ(converted.Run({Bool(true), One(2)}), "1: 2");
  EXPECT_EQ(converted.Run({Bool(false), One(2)}), "1: -2");
  EXPECT_EQ(converted.Run({Bool(true), One(3)}), "1: 5");
}

TEST(TfliteVariables, OfIntegersKeepTheirQuantization) {
  Converted converted = Convert(ChangingInOneBranch(fb::TensorType::Int8, kHalves));
  // 7 is 2.0, 9 is 3.0.
  EXPECT_EQ(converted.Run({Bool(true), Array<int8_t>({1}, {7})}), "1: 7");
  EXPECT_EQ(converted.Run({Bool(false), Array<int8_t>({1}, {7})}), "1: -1");
  EXPECT_EQ(converted.Run({Bool(true), Array<int8_t>({1}, {9})}), "1: 13");
}

// while (total < limit) total += a, with the variable found by name inside.
TEST(TfliteVariables, IterationsChangeThem) {
  TfliteBuilder b;
  const int cond = b.AddSubgraph();
  b.Input("a", {1});
  const int handle0 = b.Tensor("h", {}, kResource), now = b.Tensor("now", {1}),
            go = b.Tensor("go", {1}, kBool);
  b.Op("VAR_HANDLE", {}, {handle0}, HandleOf("total"));
  b.Op("READ_VARIABLE", {handle0}, {now});
  b.Op("LESS", {now, b.Floats("limit", {1}, {10})}, {go});
  b.Output(go);
  const int body = b.AddSubgraph();
  const int x = b.Input("a", {1}), handle1 = b.Tensor("h", {}, kResource), before = b.Tensor("before", {1}),
            after = b.Tensor("after", {1});
  b.Op("VAR_HANDLE", {}, {handle1}, HandleOf("total"));
  b.Op("READ_VARIABLE", {handle1}, {before});
  b.Op("ADD", {before, x}, {after});
  b.Op("ASSIGN_VARIABLE", {handle1, after}, {});
  b.Output(x);
  b.BackToMain();
  const int a = b.Input("a", {1}), y = b.Tensor("y", {1});
  const int handle = b.Tensor("h", {}, kResource), total = b.Tensor("result", {1});
  b.Op("WHILE", {a}, {y}, Repeats(cond, body));
  b.Op("VAR_HANDLE", {}, {handle}, HandleOf("total"));
  b.Op("READ_VARIABLE", {handle}, {total});
  b.Output(total);
  Converted converted = Convert(b);
  EXPECT_EQ(converted.Run({One(3)}), "1: 12");
  EXPECT_EQ(converted.Run({One(5)}), "1: 12");
}

TEST(TfliteVariables, FirstValuesMayBeComputed) {
  TfliteBuilder b;
  const int negate = b.AddSubgraph();
  const int u = b.Input("u", {1}), v = b.Tensor("v", {1});
  b.Op("NEG", {u}, {v});
  b.Output(v);
  const int init = b.AddSubgraph();
  const int handle0 = b.Tensor("h", {}, kResource), first = b.Tensor("first", {1});
  b.Op("VAR_HANDLE", {}, {handle0}, HandleOf("total"));
  b.Op("CALL", {b.Floats("five", {1}, {5})}, {first}, Calls(negate));
  b.Op("ASSIGN_VARIABLE", {handle0, first}, {});
  b.BackToMain();
  const int accumulate = AddAccumulation(&b);
  fb::CallOnceOptionsT once;
  once.init_subgraph_index = init;
  b.Op("CALL_ONCE", {}, {}, once);
  const int x = b.Input("a", {1}), handle = b.Tensor("h", {}, kResource), y = b.Tensor("y", {1});
  b.Op("VAR_HANDLE", {}, {handle}, HandleOf("total"));
  b.Op("CALL", {handle, x}, {y}, Calls(accumulate));
  b.Output(y);
  ImportedTflite result = ImportTflite(b.Bytes());
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  ASSERT_EQ(result.graph().states.size(), 1u);
  EXPECT_EQ(reinterpret_cast<const float*>(result.graph().states[0].initial->data())[0], -5.0f);
}

}  // namespace
}  // namespace micrort::testing
