// ONNX files, their names and functions, and nodes that do not fit their operators: what is refused.

#include <google/protobuf/unknown_field_set.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "converter/frontend/common/onnx_operator.h"
#include "converter/frontend/onnx/external_file.h"
#include "tests/converter/onnx_refusals.h"
#include "tests/tools/temporary_folder.h"

namespace micrort::testing::onnx_refused_files {
namespace {

using frontend::onnx::ExternalFile;

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr auto kIo = StatusCode::kIo;
constexpr char kNoText[] = "\xff";

::onnx::FunctionProto* AddFunction(OnnxBuilder& b, const std::string& name, const std::string& calls) {
  ::onnx::FunctionProto* f = b.model.add_functions();
  f->set_domain("local");
  f->set_name(name);
  f->add_input("x");
  f->add_output("y");
  ::onnx::NodeProto* node = f->add_node();
  node->set_domain("local");
  node->set_op_type(calls);
  node->add_input("x");
  node->add_output("y");
  return f;
}

// A model that never calls its function.
template <typename F>
Status WithFunction(F change) {
  OnnxBuilder b = OneRelu();
  change(AddFunction(b, "F", "G"));
  return Import(b).status;
}

Status WithOpset(const std::string& domain, int64_t version) {
  OnnxBuilder b = OneRelu();
  auto* import = b.model.add_opset_import();
  import->set_domain(domain);
  import->set_version(version);
  return Import(b).status;
}

// F0 calls F1, that calls F2 ...
Status ChainOfFunctions(int count) {
  OnnxBuilder b;
  const auto name = [](int i) { return "F" + std::to_string(i); };
  for (int i = 0; i < count; ++i) AddFunction(b, name(i), name(i + 1));
  b.Input("x", {"2"}).Node(name(0), {"x"}, {"y"}).Output("y");
  b.graph().mutable_node(0)->set_domain("local");
  return Import(b).status;
}

// The same, each call in a graph of a node in a graph of a node.
Status ChainOfFunctionsInGraphs(int count) {
  OnnxBuilder b;
  const auto name = [](int i) { return "F" + std::to_string(i); };
  for (int i = 0; i < count; ++i) {
    ::onnx::NodeProto* node = AddFunction(b, name(i), name(i + 1))->mutable_node(0);
    for (int depth = 0; depth < 2; ++depth) {
      ::onnx::NodeProto inner;
      inner.Swap(node);
      node->set_op_type("If");
      node->add_input("x");
      node->add_output("y");
      ::onnx::AttributeProto* branch = node->add_attribute();
      branch->set_name("then_branch");
      branch->set_type(::onnx::AttributeProto::GRAPH);
      branch->mutable_g()->add_node()->Swap(&inner);
    }
  }
  b.Input("x", {"2"}).Node(name(0), {"x"}, {"y"}).Output("y");
  b.graph().mutable_node(0)->set_domain("local");
  return Import(b).status;
}

// A function that makes as many constants of one that the call gives.
Status CallWithALargeConstant(int copies, size_t bytes) {
  OnnxBuilder b;
  ::onnx::FunctionProto* f = AddFunction(b, "F", "G");
  f->clear_node();
  f->add_attribute("t");
  for (int i = 0; i < copies; ++i) {
    ::onnx::NodeProto* node = f->add_node();
    node->set_op_type("Constant");
    node->add_output("y");
    ::onnx::AttributeProto* value = node->add_attribute();
    value->set_name("value");
    value->set_ref_attr_name("t");
    value->set_type(::onnx::AttributeProto::TENSOR);
  }
  b.Input("x", {"2"}).Node("F", {"x"}, {"y"}).Output("y");
  ::onnx::NodeProto* call = b.graph().mutable_node(0);
  call->set_domain("local");
  ::onnx::AttributeProto* given = call->add_attribute();
  given->set_name("t");
  given->set_type(::onnx::AttributeProto::TENSOR);
  given->mutable_t()->set_raw_data(std::string(bytes, ' '));
  return Import(b).status;
}

Status Custom() {
  OnnxBuilder b;
  b.Input("x", {"2"}).Node("SequenceConstruct", {"x"}, {"s"}).Node("Blur", {"s"}, {"y"}).Output("y");
  b.graph().mutable_node(1)->set_domain("acme");
  auto* import = b.model.add_opset_import();
  import->set_domain("acme");
  import->set_version(1);
  frontend::ImportOptions options;
  options.custom_domains = {"acme"};
  return Import(b, options).status;
}

Status Lower(const std::string& op, const std::vector<frontend::OnnxAttribute>& attributes, size_t outputs) {
  ir::Graph graph;
  ir::Builder builder(graph, {}, "test");
  const ir::ValueId x = builder.Constant({2}, std::vector<float>{1, 2});
  return frontend::AddOnnxOperator(op, 13, {x}, attributes, builder, outputs).status();
}

const Refusal kModels[] = {
    {"CutShort", MICRORT_STATUS(Import(OneRelu().Bytes().substr(0, 20)).status),
     "not an ONNX model, or cut short"},
    {"NoOutputs", MICRORT_STATUS(Import(OnnxBuilder().Input("x", {"2"})).status), "the graph has no outputs"},
    {"DomainThatIsNoText", MICRORT_STATUS(WithOpset(kNoText, 1)), "the domain of an opset is not UTF-8 text"},
    {"OpsetZero", MICRORT_STATUS(WithOpset("acme", 0)), "opset 0 of domain 'acme'"},
    {"GraphWhoseNameIsNoText",
     [] {
       OnnxBuilder b = OneRelu();
       b.graph().set_name(kNoText);
       return Import(b).status;
     },
     "the graph's name is not UTF-8 text"},
    {"FunctionWhoseNameIsNoText", [] { return WithFunction([](auto* f) { f->set_name(kNoText); }); },
     "the name of a function is not UTF-8 text"},
    {"FunctionWhoseInputIsNoText", [] { return WithFunction([](auto* f) { f->add_input(kNoText); }); },
     "a name of function 'F' is not UTF-8 text"},
    {"FunctionWithABrokenDefault",
     [] {
       return WithFunction([](auto* f) {
         constexpr int kAttributeProto = 11;  // FunctionProto.attribute_proto
         f->GetReflection()->MutableUnknownFields(f)->AddLengthDelimited(kAttributeProto, kNoText);
       });
     },
     "function 'local.F': an attribute cannot be read"},
    {"FunctionsInsideEachOther", MICRORT_STATUS(ChainOfFunctions(101)),
     "more than 100 functions inside each other", kUnsupported},
    {"GraphsOfFunctionsInsideEachOther", MICRORT_STATUS(ChainOfFunctionsInGraphs(70)),
     "more than 128 graphs inside each other", kUnsupported},
    {"CopiesOfALargeAttribute", MICRORT_STATUS(CallWithALargeConstant(128, 1 << 24)),
     "with its functions in place, the model has over 131072 nodes or 2147483648 bytes", kUnsupported},
    {"InputOfStrings", MICRORT_STATUS(OneNode("Identity").X({"2"}, ::onnx::TensorProto::STRING).Refused()),
     "input 'x0': it is of type STRING; begin with what is computed from it (--feeds)", kUnsupported},
    {"RequiredInputThatIsAbsent", MICRORT_STATUS(OneNode("Dropout").Absent().X({"2"}).Refused()),
     "input 0 is required, but absent"},
    {"OutputThatTheOperatorLacks", MICRORT_STATUS(OneNode("Relu").X({"2"}).Output("z").Refused()),
     "output 1 is not supported", kUnsupported},
    {"SequenceForACustomOperator", Custom, "input 0 of a custom operator is a sequence or an optional",
     kUnsupported},
};

const Refusal kLowered[] = {
    {"UnknownOperator", MICRORT_STATUS(Lower("Nowhere", {}, 1)), "ONNX's operator Nowhere", kUnsupported},
    {"UnknownAttribute", MICRORT_STATUS(Lower("Relu", {{"slope", int64_t{1}}}, 1)), "Relu with 'slope'",
     kUnsupported},
    {"UnknownOutput", MICRORT_STATUS(Lower("Relu", {}, 2)), "output 1 of Relu", kUnsupported},
};

const Refusal kFiles[] = {
    {"NoFolder", MICRORT_STATUS(ExternalFile().Open("/nowhere/at/all", "w.bin")),
     "the model's folder: ", kIo},
    {"SocketAsAFile",
     [] {
       // Nobody can open one, not even root.
       const TemporaryFolder folder;
       sockaddr_un address = {};
       address.sun_family = AF_UNIX;
       std::strncpy(address.sun_path, folder.File("socket").c_str(), sizeof address.sun_path - 1);
       const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
       EXPECT_EQ(bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
       close(socket);
       return ExternalFile().Open(folder.path(), "socket");
     },
     "cannot be read: ", kIo},
    {"FileThatShrinks",
     [] {
       const TemporaryFolder folder;
       std::ofstream(folder.File("w.bin")) << "12345678";
       ExternalFile file;
       const Status opened = file.Open(folder.path(), "w.bin");
       if (!opened.ok()) return opened;
       std::filesystem::resize_file(folder.File("w.bin"), 4);
       char bytes[8];
       return file.Read(0, sizeof bytes, bytes);
     },
     "cannot be read: it ends early", kIo},
};

MICRORT_EXPECT_REFUSALS(OnnxRefusedModels, kModels);
MICRORT_EXPECT_REFUSALS(OnnxRefusedLowered, kLowered);
MICRORT_EXPECT_REFUSALS(OnnxRefusedFiles, kFiles);

}  // namespace
}  // namespace micrort::testing::onnx_refused_files
