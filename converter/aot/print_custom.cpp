// Operators of the program's own: calls of functions that it links (micrort/custom_op.h).

#include <cctype>

#include "converter/aot/custom_step_printer.h"
#include "converter/aot/print_steps.h"
#include "converter/aot/step_printer.h"

namespace micrort::aot {
namespace {

// "micrort_custom_com_acme_Blur".
std::string CustomSymbol(const std::string& domain, const std::string& name) {
  std::string symbol = "micrort_custom_" + domain + (domain.empty() ? "" : "_") + name;
  for (char& c : symbol) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return symbol;
}

std::string Counted(const std::string& elements, size_t count) {
  return elements + ", " + std::to_string(count);
}

}  // namespace

std::string CustomStepPrinter::TextOf(const flatbuffers::String* text) {
  return text == nullptr ? "\"\"" : ConstantArray("char", text->c_str(), text->size() + 1);
}

// As runtime/ops/custom.cpp has it: a list of texts is as many attributes of one name.
void CustomStepPrinter::AddAttribute(const schema::CustomAttribute& source) {
  const std::string name = TextOf(source.name());
  if (source.texts() != nullptr) {
    for (const flatbuffers::String* text : *source.texts()) {
      attributes_.push_back("{" + name + ", nullptr, 0, nullptr, 0, " +
                            Counted(TextOf(text), text == nullptr ? 0 : text->size()) + "}");
    }
    return;
  }
  const auto* const ints = source.ints();
  const auto* const floats = source.floats();
  const auto ints_text = ints == nullptr
                             ? "nullptr, 0"
                             : Counted(ConstantArray("int64_t", ints->data(), ints->size()), ints->size());
  const auto floats_text =
      floats == nullptr ? "nullptr, 0"
                        : Counted(ConstantArray("float", floats->data(), floats->size()), floats->size());
  attributes_.push_back("{" + name + ", " + ints_text + ", " + floats_text + ", nullptr, 0}");
}

std::string CustomStepPrinter::TensorOf(int32_t view) {
  if (view < 0) return "{}";
  const Tensor& tensor = graph_.tensor(view);
  std::string dims;
  for (int d = 0; d < tensor.shape.rank; ++d) dims += (d == 0 ? "" : ", ") + Literal(tensor.shape[d]);
  const bool has_scale = tensor.quantization.count == 1;
  return "{\"" + PlainText(tensor.name) + "\", static_cast<micrort_dtype>(" +
         std::to_string(static_cast<int>(tensor.dtype)) + "), {" + std::to_string(tensor.shape.rank) + ", {" +
         dims + "}}, const_cast<uint8_t*>(" + Data(view) + "), " + std::to_string(tensor.bytes()) + ", " +
         Literal(has_scale ? tensor.quantization.scale() : 0.0f) + ", " +
         Literal(has_scale ? tensor.quantization.zero_point() : 0) + "}";
}

void CustomStepPrinter::Array(const std::string& type, const std::string& name,
                              const std::vector<std::string>& elements) {
  if (elements.empty()) return;
  Line(type + " " + name + "[] = {");
  for (const std::string& element : elements) Line("    " + element + ",");
  Line("};");
  Line("call." + name + " = " + name + ";");
}

CustomStepPrinter::CustomStepPrinter(AotProgram* program, const AotGraph& graph, const Step& step,
                                     const schema::CustomOptions& options)
    : StepText(program, graph, step),
      options_(options),
      symbol_(CustomSymbol(Text(options.domain()), Text(options.name()))) {}

std::string CustomStepPrinter::Title() const {
  return PlainText(std::string(Text(options_.name())) + " of " + Text(options_.domain()));
}

Status CustomStepPrinter::Print() {
  if (step_.data_dependent)
    return MICRORT_ERROR(kUnsupported,
                         "data decide sizes of the custom operator %.100s of domain '%.100s', which C++ can "
                         "only call with fixed ones",
                         Text(options_.name()), Text(options_.domain()));
  std::vector<std::string> inputs, outputs;
  if (options_.attributes() != nullptr) {
    for (const schema::CustomAttribute* attribute : *options_.attributes()) AddAttribute(*attribute);
  }
  for (const int32_t view : step_.inputs) inputs.push_back(TensorOf(view));
  for (const int32_t view : step_.outputs) outputs.push_back(TensorOf(view));
  Line("micrort_custom_call call = {};");
  Line("call.struct_bytes = sizeof call;");
  Array("const micrort_attribute", "attributes", attributes_);
  Line("call.attribute_count = " + std::to_string(attributes_.size()) + ";");
  Array("const micrort_tensor", "inputs", inputs);
  Line("call.input_count = " + std::to_string(inputs.size()) + ";");
  Array("micrort_tensor", "outputs", outputs);
  Line("call.output_count = " + std::to_string(outputs.size()) + ";");
  Line("uint32_t open_dims[" + std::to_string(outputs.size()) + "] = {};");
  Line("call.open_dims = open_dims;");
  Line("call.scratch_bytes = " + std::to_string(step_.scratch_bytes) + ";");
  Line("call.scratch = " + Scratch() + ";");
  Line("call.parallel_for = RunParts;");
  Line("call.threads = &" + Parallel() + ";");
  Line("call.workers = " + Parallel() + ".workers();");
  Line("char message[64] = \"\";  // for the operator to write to: error_msg() lasts longer");
  Line("call.message = message;");
  Line("call.message_bytes = sizeof message;");
  FailUnless("::" + symbol_ + "(&call) == MICRORT_OK", symbol_ + " did not return MICRORT_OK");
  return Status();
}

Status StepPrinter::PrintCustom(const schema::CustomOptions& options) {
  CustomStepPrinter printer(&program_, graph_, step_, options);
  MICRORT_RETURN_IF_ERROR(printer.Print());
  Take(printer);
  return steps_.AddCustom(printer.symbol(), printer.Title());
}

}  // namespace micrort::aot
