#include "tests/serve/repository_fixture.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "onnx/onnx_pb.h"

namespace micrort::test {
namespace {

using Type = onnx::TensorProto;

onnx::ModelProto NewModel() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  auto* opset = model.add_opset_import();
  opset->set_domain("");
  opset->set_version(13);
  model.mutable_graph()->set_name("g");
  return model;
}

// A dimension of -1 is open.
void Declare(onnx::ValueInfoProto* value, const std::string& name, int type,
             const std::vector<int64_t>& dims) {
  value->set_name(name);
  auto* tensor = value->mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(type);
  tensor->mutable_shape();
  int open = 0;
  for (int64_t dim : dims) {
    auto* to = tensor->mutable_shape()->add_dim();
    if (dim < 0) {
      to->set_dim_param("d" + std::to_string(open++));
    } else {
      to->set_dim_value(dim);
    }
  }
}

onnx::NodeProto* AddNode(onnx::ModelProto* model, const std::string& op,
                         const std::vector<std::string>& inputs, const std::string& output) {
  auto* node = model->mutable_graph()->add_node();
  node->set_op_type(op);
  node->set_name(op + "_" + output);
  for (const std::string& input : inputs) node->add_input(input);
  node->add_output(output);
  return node;
}

void Convert(const onnx::ModelProto& model, const TemporaryFolder& repository, const std::string& name,
             int version, std::vector<std::string> flags = {}) {
  const TemporaryFolder folder;
  std::ofstream(folder / "model.onnx", std::ios::binary) << model.SerializeAsString();
  const std::string target = repository / (name + "/" + std::to_string(version));
  std::filesystem::create_directories(target);
  flags.insert(flags.begin(), {folder / "model.onnx", "-o", target + "/model.fb", "--quiet"});
  const ProcessResult result = RunProgram("mnnconvert", flags);
  ASSERT_EQ(result.exit_code, 0) << result.err;
}

}  // namespace

void AddReluModel(const TemporaryFolder& repository, const std::string& name, int version, float bias) {
  onnx::ModelProto model = NewModel();
  Declare(model.mutable_graph()->add_input(), "x", Type::FLOAT, {-1, 4});
  Declare(model.mutable_graph()->add_output(), "y", Type::FLOAT, {-1, 4});
  auto* constant = model.mutable_graph()->add_initializer();
  constant->set_name("bias");
  constant->set_data_type(Type::FLOAT);
  constant->add_dims(1);
  constant->add_float_data(bias);
  AddNode(&model, "Relu", {"x"}, "r");
  AddNode(&model, "Add", {"r", "bias"}, "y");
  Convert(model, repository, name, version);
}

void AddTypesModel(const TemporaryFolder& repository, const std::string& name) {
  onnx::ModelProto model = NewModel();
  const std::pair<const char*, int> types[] = {
      {"BOOL", Type::BOOL},     {"UINT8", Type::UINT8}, {"UINT16", Type::UINT16}, {"UINT32", Type::UINT32},
      {"UINT64", Type::UINT64}, {"INT8", Type::INT8},   {"INT16", Type::INT16},   {"INT32", Type::INT32},
      {"INT64", Type::INT64},   {"FP32", Type::FLOAT},  {"FP64", Type::DOUBLE},   {"FP16", Type::FLOAT16}};
  for (const auto& [type, number] : types) {
    const std::string in = std::string("in_") + type, out = std::string("out_") + type;
    Declare(model.mutable_graph()->add_input(), in, number, {2});
    Declare(model.mutable_graph()->add_output(), out, number, {4});
    auto* axis = AddNode(&model, "Concat", {in, in}, out)->add_attribute();
    axis->set_name("axis");
    axis->set_type(onnx::AttributeProto::INT);
    axis->set_i(0);
  }
  Convert(model, repository, name, 1);
}

void AddZeroOutModel(const TemporaryFolder& repository, const std::string& name) {
  onnx::ModelProto model = NewModel();
  auto* opset = model.add_opset_import();
  opset->set_domain("com.acme");
  opset->set_version(1);
  Declare(model.mutable_graph()->add_input(), "to_zero", Type::INT32, {-1, -1});
  Declare(model.mutable_graph()->add_output(), "zeroed", Type::INT32, {-1, -1});
  AddNode(&model, "ZeroOut", {"to_zero"}, "zeroed")->set_domain("com.acme");
  Convert(
      model, repository, name, 1,
      {"--custom-domain", "com.acme", "--custom-ops", std::string(MICRORT_PROGRAMS_FOLDER) + "/zero_out.so"});
}

void AddDigitsModel(const TemporaryFolder& repository, const std::string& name) {
  const std::string target = repository / (name + "/1");
  std::filesystem::create_directories(target);
  const ProcessResult result = RunProgram(
      "mnnconvert", {SourceFile("examples/meter_reader/meter_digits.onnx"), "-o", target + "/model.fb",
                     "--quiet", "--verify", "--calib", SourceFile("examples/meter_reader/calibration"),
                     "--scale", "0.0039", "--resize", "crop"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
}

void AddGatherModel(const TemporaryFolder& repository, const std::string& name) {
  onnx::ModelProto model = NewModel();
  Declare(model.mutable_graph()->add_input(), "x", Type::INT64, {-1, 1});
  Declare(model.mutable_graph()->add_output(), "y", Type::FLOAT, {-1, 1});
  auto* table = model.mutable_graph()->add_initializer();
  table->set_name("table");
  table->set_data_type(Type::FLOAT);
  table->add_dims(8);
  for (int i = 0; i < 8; ++i) table->add_float_data(static_cast<float>(10 * i));
  AddNode(&model, "Gather", {"table", "x"}, "y");
  Convert(model, repository, name, 1);
}

void AddRangeModel(const TemporaryFolder& repository, const std::string& name) {
  onnx::ModelProto model = NewModel();
  Declare(model.mutable_graph()->add_input(), "x", Type::FLOAT, {-1, 4});
  Declare(model.mutable_graph()->add_input(), "s", Type::INT64, {-1});
  Declare(model.mutable_graph()->add_output(), "y", Type::FLOAT, {-1, 4});
  for (const int64_t value : {0, 1}) {
    auto* constant = model.mutable_graph()->add_initializer();
    constant->set_name(value == 0 ? "zero" : "one");
    constant->set_data_type(Type::INT64);
    constant->add_int64_data(value);
  }
  const auto reduce = [&](const char* op, const char* from, const char* to) {
    auto* keep = AddNode(&model, op, {from}, to)->add_attribute();
    keep->set_name("keepdims");
    keep->set_type(onnx::AttributeProto::INT);
    keep->set_i(0);
  };
  reduce("ReduceMax", "s", "limit");
  AddNode(&model, "Range", {"zero", "limit", "one"}, "range");
  auto* type = AddNode(&model, "Cast", {"range"}, "numbers")->add_attribute();
  type->set_name("to");
  type->set_type(onnx::AttributeProto::INT);
  type->set_i(Type::FLOAT);
  reduce("ReduceSum", "numbers", "total");
  AddNode(&model, "Add", {"x", "total"}, "y");
  Convert(model, repository, name, 1);
}

void AddLoopModel(const TemporaryFolder& repository, const std::string& name) {
  onnx::ModelProto model = NewModel();
  Declare(model.mutable_graph()->add_input(), "t", Type::INT64, {});
  Declare(model.mutable_graph()->add_input(), "x", Type::FLOAT, {4});
  Declare(model.mutable_graph()->add_output(), "y", Type::FLOAT, {4});
  auto* loop = AddNode(&model, "Loop", {"t", "", "x"}, "y")->add_attribute();
  loop->set_name("body");
  loop->set_type(onnx::AttributeProto::GRAPH);
  onnx::ModelProto body;
  Declare(body.mutable_graph()->add_input(), "i", Type::INT64, {});
  Declare(body.mutable_graph()->add_input(), "goes_on", Type::BOOL, {});
  Declare(body.mutable_graph()->add_input(), "v", Type::FLOAT, {4});
  Declare(body.mutable_graph()->add_output(), "still_goes_on", Type::BOOL, {});
  Declare(body.mutable_graph()->add_output(), "w", Type::FLOAT, {4});
  AddNode(&body, "Identity", {"goes_on"}, "still_goes_on");
  AddNode(&body, "Cos", {"v"}, "w");
  body.mutable_graph()->set_name("body");
  *loop->mutable_g() = body.graph();
  Convert(model, repository, name, 1);
}

void AddSumModel(const TemporaryFolder& repository, const std::string& name) {
  onnx::ModelProto model = NewModel();
  Declare(model.mutable_graph()->add_input(), "x", Type::FLOAT, {1});
  Declare(model.mutable_graph()->add_input(), "sum", Type::FLOAT, {1});
  Declare(model.mutable_graph()->add_output(), "y", Type::FLOAT, {1});
  Declare(model.mutable_graph()->add_output(), "new_sum", Type::FLOAT, {1});
  AddNode(&model, "Add", {"x", "sum"}, "new_sum");
  AddNode(&model, "Relu", {"new_sum"}, "y");
  Convert(model, repository, name, 1, {"--state", "new_sum=sum"});
}

void WriteText(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace micrort::test
