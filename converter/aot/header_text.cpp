// The header of the emitted class.

#include <algorithm>
#include <cctype>

#include "converter/aot/assignments.h"
#include "converter/aot/class_text.h"

namespace micrort::aot {
namespace {

constexpr char kHeader[] = R"(// @CLASS@, computed ahead of time from @SOURCE@ for @TARGET@.
// Written by mnnconvert; not to be edited.
#ifndef @GUARD@
#define @GUARD@

#include <cstddef>
#include <cstdint>
@CUSTOM_INCLUDE@
namespace micrort {
class Parallel;
}
@CUSTOM@
@OPEN@
// Computes in memory that a caller gives: kBytes, aligned to kAlignment, which outlive the object. Objects
// share nothing but constants, so each may run on a thread of its own. Nothing is allocated.
class @NAME@Base {
 public:
  enum class AllocMode {
    ARGS_VARIABLES_RESULTS_PROFILES_AND_TEMPS,  // arguments have memory, which argN_data() gives
    RESULTS_PROFILES_AND_TEMPS_ONLY,            // the caller's: set_argN_data() before Run()
  };

  static constexpr size_t kBytes = @BYTES@;     // arguments, results and temporaries
  static constexpr size_t kAlignment = 64;
  static constexpr size_t kConstantBytes = @CONSTANT_BYTES@;  // weights, read-only
  static constexpr int kThreads = @THREADS@;    // the most that it computes with
  static constexpr const char* kTarget = "@TARGET@";
  static constexpr int kNumArgs = @ARGS@;
  static constexpr int kNumResults = @RESULTS@;
@BATCHES@@LIMIT@@FACTS@
  explicit @NAME@Base(void* memory,
      AllocMode mode = AllocMode::ARGS_VARIABLES_RESULTS_PROFILES_AND_TEMPS);
  @NAME@Base(const @NAME@Base&) = delete;
  @NAME@Base& operator=(const @NAME@Base&) = delete;

  // Computes results from arguments. It may overwrite memory that it gave for arguments: they are written
  // again before the next run. False: error_msg() says why.
  bool Run();
  // Of the last run; "" if it succeeded.
  const char* error_msg() const { return error_; }
@SET_BATCH@@POOL@
  void** args() { return args_; }
  const void* const* args() const { return args_; }
  void* arg_data(int i) { return args_[i]; }
  const void* arg_data(int i) const { return args_[i]; }
  // Memory of the caller, which is only read; it outlives the run. `data` is aligned as its elements are.
  void set_arg_data(int i, const void* data) { args_[i] = const_cast<void*>(data); }
  // Valid from one run until arguments are written for the next.
  void** results() { return results_; }
  const void* const* results() const { return results_; }
  void* result_data(int i) { return results_[i]; }
  const void* result_data(int i) const { return results_[i]; }

  // The position of an argument or result by its name in the source model; -1: there is none.
  static int LookupArgIndex(const char* name);
  static int LookupResultIndex(const char* name);
@PORTS@@RESET@
 private:
  bool Fail(const char* message) {
    error_ = message;
    return false;
  }

  void* const memory_;
  void* args_[@ARGS_OR_1@] = {};
  void* results_[@RESULTS_OR_1@] = {};
@VARS@@SIZES@  const char* error_ = "";
@BATCH_FIELDS@@POOL_FIELD@};

// The same with memory of its own.
class @NAME@ final : public @NAME@Base {
 public:
  explicit @NAME@(AllocMode mode = AllocMode::ARGS_VARIABLES_RESULTS_PROFILES_AND_TEMPS)
      : @NAME@Base(own_memory_, mode) {}

 private:
  alignas(kAlignment) unsigned char own_memory_[kBytes];
};

@CLOSE@
#endif  // @GUARD@
)";

constexpr char kPoolFunctions[] = R"(
  // Threads to compute with, which outlive the object or the next call; at most kThreads workers. null: the
  // calling thread alone.
  void set_thread_pool(const micrort::Parallel* pool) { pool_ = pool; }
)";

constexpr char kBatchesFact[] = R"(  // What one run may compute: the first dimension of arguments.
  static constexpr int kBatches[] = {@LIST@};
)";
constexpr char kSetBatchDeclaration[] = R"(
  // Of the next runs; at first the largest. Another one moves arguments and results: arguments with memory of
  // this object are written again. False, with error_msg(), where it is none of kBatches.
  bool set_batch(int batch);
  int batch() const { return kBatches[batch_]; }
)";
constexpr char kBatchFields[] = R"(  const AllocMode mode_;
  int batch_ = @LAST@;  // in kBatches
)";

constexpr char kCustom[] = R"(
// Operators of the program that links this: what `run` of a micrort_custom_op does, with `user` null.
extern "C" {
@FUNCTIONS@}
)";

constexpr char kReset[] = R"(
  // What a run keeps for the next one, var_NAME, gets its first values again.
  void ResetState();
)";

std::string Dimensions(const Shape& shape) {
  std::string list;
  for (int d = 0; d < shape.rank; ++d) list += (d == 0 ? "" : ", ") + std::to_string(shape[d]);
  return shape.rank == 0 ? "1" : list;
}

std::string Names(const std::vector<Port>& ports) {
  std::string list;
  for (const Port& port : ports) list += (list.empty() ? "\"" : ", \"") + PlainText(port.name) + "\"";
  return list;
}

// A shape a batch, where they differ.
std::string ShapesName(const std::string& kind, size_t i) {
  return "k" + kind + std::to_string(i) + "Shapes";
}

std::string ShapesFact(const Port& port, const std::string& name) {
  std::string list;
  for (const Tensor* tensor : port.tensors)
    list += (list.empty() ? "{" : ", {") + Dimensions(tensor->shape) + "}";
  return "  static constexpr int64_t " + name + "[][" + std::to_string(port.largest().shape.rank) + "] = {" +
         list + "};\n";
}

// Constants about ports: `kind` is Arg or Result. Shapes are those of the largest batch.
std::string Facts(const std::vector<Port>& ports, const std::string& kind) {
  std::string text;
  if (!ports.empty())
    text += "  static constexpr const char* k" + kind + "Names[] = {" + Names(ports) + "};\n";
  for (size_t i = 0; i < ports.size(); ++i) {
    const Tensor& tensor = ports[i].largest();
    const std::string k = "  static constexpr ", name = "k" + kind + std::to_string(i);
    text += k + "int " + name + "Rank = " + std::to_string(tensor.shape.rank) + ";\n";
    text += k + "int64_t " + name + "Shape[] = {" + Dimensions(tensor.shape) + "};\n";
    if (!ports[i].is_fixed()) text += ShapesFact(ports[i], ShapesName(kind, i));
    text += k + "const char* " + name + "Type = \"" + Name(tensor.dtype) + "\";\n";
    if (tensor.quantization.count != 1) continue;
    text += k + "float " + name + "Scale = " + Literal(tensor.quantization.scale()) + ";\n";
    text += k + "int32_t " + name + "ZeroPoint = " + Literal(tensor.quantization.zero_point()) + ";\n";
  }
  return text;
}

std::string IndexParameters(int rank) {
  std::string list;
  for (int d = 0; d < rank; ++d) list += (d == 0 ? "size_t i" : ", size_t i") + std::to_string(d);
  return list;
}

// The largest sizes, which they are before the first run.
std::string SizesField(const std::vector<int64_t>& bounds) {
  if (bounds.empty()) return "";
  std::string list;
  for (const int64_t bound : bounds) list += (list.empty() ? "" : ", ") + std::to_string(bound);
  return "  int64_t sizes_[" + std::to_string(bounds.size()) + "] = {" + list + "};  // that data decide\n";
}

// Row-major. `shapes`: the constant that holds dimensions which the batch decides.
std::string Index(const Port& port, const std::string& shapes) {
  const Shape& shape = port.largest().shape;
  std::string at = shape.rank == 0 ? "0" : "i0";
  for (int d = 1; d < shape.rank; ++d) {
    const bool is_fixed = std::all_of(port.tensors.begin(), port.tensors.end(),
                                      [&](const Tensor* tensor) { return tensor->shape[d] == shape[d]; });
    const OpenDim* const open = port.open == nullptr ? nullptr : &port.open->dims[static_cast<size_t>(d)];
    const std::string size =
        open != nullptr && open->is_open() ? "static_cast<size_t>(" + open->Text("sizes_") + ")"
        : is_fixed                         ? std::to_string(shape[d])
                   : "static_cast<size_t>(" + shapes + "[batch_][" + std::to_string(d) + "])";
    at = "(" + at + ") * " + size + " + i" + std::to_string(d);
  }
  return at;
}

// One element of a tensor.
Tensor ElementOf(const Tensor& tensor) {
  Tensor element;
  element.dtype = tensor.dtype;
  return element;
}

// The size after the last run; before the first, the largest.
std::string DimFunction(const Port& port, const std::string& name) {
  if (port.open == nullptr) return "";
  std::string list;
  for (const OpenDim& dim : port.open->dims) list += (list.empty() ? "" : ", ") + dim.Text("sizes_");
  return "  int64_t " + name + "_dim(int i) const {  // of the last run; before the first the largest\n" +
         "    const int64_t dims[] = {" + list + "};\n    return dims[i];\n  }\n";
}

// A function that tells one number a batch, or of the last run.
std::string NumberFunction(const Port& port, const std::string& name, size_t (*number)(const Tensor&)) {
  if (port.open != nullptr) {
    const std::string each = std::to_string(number(ElementOf(port.largest())));
    return "  int " + name + "() const { return static_cast<int>(" + port.open->Elements("sizes_") + " * " +
           each + "); }";
  }
  if (port.is_fixed())
    return "  static constexpr int " + name + "() { return " + std::to_string(number(port.largest())) + "; }";
  std::string list;
  for (const Tensor* tensor : port.tensors)
    list += (list.empty() ? "" : ", ") + std::to_string(number(*tensor));
  return "  int " + name + "() const {\n    constexpr int kNumbers[] = {" + list +
         "};\n    return kNumbers[batch_];\n  }";
}

constexpr char kAccessors[] = R"(
  @TYPE@* @PORT@_data() { return static_cast<@TYPE@*>(@DATA@); }
  const @TYPE@* @PORT@_data() const { return static_cast<const @TYPE@*>(@DATA@); }
  @TYPE@& @PORT@(@INDEXES@) { return @PORT@_data()[@AT@]; }
  const @TYPE@& @PORT@(@INDEXES@) const { return @PORT@_data()[@AT@]; }
@SIZE@  // bytes
@COUNT@
@DIM@)";
constexpr char kSetter[] = R"(  void set_@PORT@_data(const void* data) { set_arg_data(@I@, data); }
)";

std::string Accessors(const Port& port, const std::string& name, const std::string& data,
                      const std::string& shapes, size_t i) {
  return Fill(data == "args_" ? std::string(kAccessors) + kSetter : kAccessors,
              {{"TYPE", port.type},
               {"PORT", name},
               {"DATA", data + "[" + std::to_string(i) + "]"},
               {"INDEXES", IndexParameters(port.largest().shape.rank)},
               {"AT", Index(port, shapes)},
               {"SIZE", NumberFunction(port, name + "_size", [](const Tensor& t) { return t.bytes(); })},
               {"COUNT", NumberFunction(port, name + "_count",
                                        [](const Tensor& t) { return static_cast<size_t>(t.elements()); })},
               {"DIM", DimFunction(port, name)},
               {"I", std::to_string(i)}});
}

std::string LowerCase(std::string word) {
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

// `kind`: Arg, Result or Var.
std::string AllAccessors(const std::vector<Port>& ports, const std::string& kind, const std::string& data) {
  std::string text;
  for (size_t i = 0; i < ports.size(); ++i) {
    const std::string shapes = ShapesName(kind, i), name = LowerCase(kind) + std::to_string(i);
    text += Accessors(ports[i], name, data, shapes, i);
    if (!ports[i].identifier.empty()) text += Accessors(ports[i], ports[i].identifier, data, shapes, i);
  }
  return text;
}

std::string BatchList(const AotModel& model) {
  std::string list;
  for (const AotProgram& program : model.programs())
    list += (list.empty() ? "" : ", ") + std::to_string(program.batch());
  return list;
}

// Declares the functions that the program has to link.
std::string CustomFunctions(const ClassText& text) {
  std::string functions;
  for (const auto& [symbol, op] : text.custom())
    functions += "micrort_status " + symbol + "(micrort_custom_call* call);  // " + op + "\n";
  return functions.empty() ? "" : Fill(kCustom, {{"FUNCTIONS", functions}});
}

std::string OrOne(size_t n) { return std::to_string(n == 0 ? 1 : n); }

}  // namespace

std::string HeaderText(const ClassText& text) {
  const AotModel& model = *text.model;
  const bool has_batches = model.has_batches();
  std::string open, close;
  for (const std::string& name : text.namespaces) {
    open += "namespace " + name + " {\n";
    close = "}  // namespace " + name + "\n" + close;
  }
  const bool has_pool = text.options().thread_pool != ThreadPool::kNone;
  return Fill(
      kHeader,
      {{"PORTS", AllAccessors(text.args, "Arg", "args_") + AllAccessors(text.results, "Result", "results_") +
                     AllAccessors(text.vars, "Var", "vars_")},
       {"CUSTOM_INCLUDE", text.custom().empty() ? "" : "\n#include \"micrort/custom_op.h\"\n"},
       {"CUSTOM", CustomFunctions(text)},
       {"RESET", text.vars.empty() ? "" : kReset},
       {"VARS", text.vars.empty() ? "" : "  void* vars_[" + std::to_string(text.vars.size()) + "] = {};\n"},
       {"SIZES", SizesField(model.largest().open_shapes().bounds())},
       {"LIMIT",
        text.request->max_arena
            ? "  static_assert(kBytes <= " + std::to_string(*text.request->max_arena) + ");  // --max-arena\n"
            : ""},
       {"BATCHES", has_batches ? Fill(kBatchesFact, {{"LIST", BatchList(model)}}) : ""},
       {"SET_BATCH", has_batches ? kSetBatchDeclaration : ""},
       {"BATCH_FIELDS",
        has_batches ? Fill(kBatchFields, {{"LAST", std::to_string(model.programs().size() - 1)}}) : ""},
       {"FACTS", Facts(text.args, "Arg") + Facts(text.results, "Result")},
       {"POOL", has_pool ? kPoolFunctions : ""},
       {"POOL_FIELD", has_pool ? "  const micrort::Parallel* pool_ = nullptr;\n" : ""},
       {"CLASS", text.qualified_name()},
       {"NAME", text.name},
       {"SOURCE", PlainText(text.request->source)},
       {"TARGET", text.target().name},
       {"GUARD", text.guard()},
       {"OPEN", open},
       {"CLOSE", close},
       {"BYTES", std::to_string(model.bytes() == 0 ? 64 : model.bytes())},
       {"CONSTANT_BYTES", std::to_string(model.constants().bytes().size())},
       {"THREADS",
        std::to_string(text.options().thread_pool == ThreadPool::kMulti ? text.target().threads : 1)},
       {"ARGS", std::to_string(text.args.size())},
       {"RESULTS", std::to_string(text.results.size())},
       {"ARGS_OR_1", OrOne(text.args.size())},
       {"RESULTS_OR_1", OrOne(text.results.size())}});
}

}  // namespace micrort::aot
