#include "python/extension/session.h"

#include <cmath>
#include <cstring>

#include "python/extension/status_error.h"
#include "python/extension/tensors.h"
#include "tools/custom_ops/custom_ops.h"

namespace micrort::python {

namespace py = pybind11;

namespace {

// What Resize() and Create() read during the call.
struct Sizes {
  std::vector<Shape> shapes;
  std::vector<const void*> values;

  Sizes(const Model& model, const std::vector<std::vector<int64_t>>& dims,
        const std::vector<std::optional<py::array>>& arrays) {
    for (const auto& d : dims) shapes.push_back(ToShape(d));
    for (size_t i = 0; i < arrays.size(); ++i) {
      if (arrays[i]) CheckValue(model, dims, i, *arrays[i]);
      values.push_back(arrays[i] ? arrays[i]->data() : nullptr);
    }
  }

 private:
  // As many elements as the shape says are read, one after the other, of the input's type.
  static void CheckValue(const Model& model, const std::vector<std::vector<int64_t>>& dims, size_t i,
                         const py::array& array) {
    const bool fits = i < model.input_count() && i < dims.size() &&
                      std::vector<int64_t>(array.shape(), array.shape() + array.ndim()) == dims[i] &&
                      array.dtype().equal(NumpyType(model.input(i).dtype)) &&
                      (array.flags() & py::array::c_style) != 0;
    if (!fits)
      ThrowIfError(MICRORT_ERROR(kInvalidArgument, "input %zu: its value is not of its type and shape", i));
  }
};

InterpreterOptions ReadOptions(const SessionOptions& from, const Sizes& sizes) {
  InterpreterOptions options;
  options.threads = from.threads;
  options.input_shapes = {sizes.shapes.data(), sizes.shapes.size()};
  options.input_values = {sizes.values.data(), sizes.values.size()};
  options.keep_inputs = from.keep_inputs;
  options.limits.max_memory_bytes = from.max_memory.value_or(options.limits.max_memory_bytes);
  options.limits.max_work = from.max_work.value_or(options.limits.max_work);
  if (from.isa && !ParseIsa(from.isa->c_str(), &options.features)) {
    ThrowIfError(MICRORT_ERROR(kInvalidArgument, "isa: expected one of %s, found '%.40s'", IsaNames(),
                               from.isa->c_str()));
  }
  return options;
}

// An array must stay where its elements are.
void CheckNoArrays(size_t arrays) {
  if (arrays == 0) return;
  PyErr_SetString(PyExc_BufferError,
                  "arrays of inputs, outputs or states are alive: delete or copy them before a resize");
  throw py::error_already_set();
}

}  // namespace

std::shared_ptr<Session> Session::Create(std::shared_ptr<LoadedModel> model, const SessionOptions& options) {
  std::shared_ptr<Session> session(new Session(std::move(model)));
  const Sizes sizes(session->model_->model(), options.shapes, options.values);
  InterpreterOptions read = ReadOptions(options, sizes);
  if (options.tuned) {
    session->tuned_ = ValueOrThrow(TunedChoices::FromFile(options.tuned->c_str()));
    read.chooser = &*session->tuned_;
  }
  if (options.profile) read.observer = &session->times_;
  OpResolver resolver;
  if (!options.custom_ops.empty()) {
    resolver = AllOps();
    ThrowIfError(io::AddCustomOps(options.custom_ops, &resolver).WithPrefix("custom_ops"));
    read.resolver = &resolver;
  }
  const py::gil_scoped_release unlocked;
  session->interpreter_ = ValueOrThrow(Interpreter::Create(session->model_->model(), read));
  return session;
}

size_t Session::Count(Kind kind) const {
  switch (kind) {
    case Kind::kInput:
      return interpreter_->input_count();
    case Kind::kOutput:
      return interpreter_->output_count();
    case Kind::kState:
      return interpreter_->state_count();
  }
  return 0;
}

TensorView Session::View(Kind kind, size_t i) const {
  if (i >= Count(kind)) throw py::index_error("the interpreter has no such tensor");
  if (kind == Kind::kInput) return interpreter_->input(i);
  return kind == Kind::kOutput ? interpreter_->output(i) : interpreter_->state(i);
}

py::array Session::Array(Kind kind, size_t i) {
  const TensorView view = View(kind, i);
  const std::vector<py::ssize_t> shape(view.shape.dims, view.shape.dims + view.shape.rank);
  if (view.bytes() == 0) return py::array(NumpyType(view.dtype), shape);
  ++arrays_;
  const py::capsule keeper(new std::shared_ptr<Session>(shared_from_this()), [](void* p) {
    auto* session = static_cast<std::shared_ptr<Session>*>(p);
    --(*session)->arrays_;
    delete session;
  });
  return py::array(NumpyType(view.dtype), shape, view.data, keeper);
}

py::array Session::Copy(size_t i) const {
  const TensorView view = View(Kind::kOutput, i);
  py::array copy(NumpyType(view.dtype),
                 std::vector<py::ssize_t>(view.shape.dims, view.shape.dims + view.shape.rank));
  if (view.bytes() != 0) std::memcpy(copy.mutable_data(), view.data, view.bytes());
  return copy;
}

void Session::SetInput(size_t i, const py::array& array) {
  const TensorView view = View(Kind::kInput, i);
  const bool fits = std::vector<int64_t>(array.shape(), array.shape() + array.ndim()) == InfoOf(view).shape &&
                    array.dtype().equal(NumpyType(view.dtype)) && (array.flags() & py::array::c_style) != 0;
  if (!fits) throw py::value_error("the array is not as the input is");
  if (view.bytes() != 0) std::memcpy(view.data, array.data(), view.bytes());
}

void Session::Resize(const std::vector<std::vector<int64_t>>& shapes,
                     const std::vector<std::optional<py::array>>& values) {
  std::unique_lock<std::mutex> lock(run_, std::defer_lock);
  {
    const py::gil_scoped_release unlocked;
    lock.lock();
  }
  CheckNoArrays(arrays_);
  const Sizes sizes(model_->model(), shapes, values);
  ThrowIfError(interpreter_->Resize({sizes.shapes.data(), sizes.shapes.size()},
                                    {sizes.values.data(), sizes.values.size()}));
}

void Session::Run(std::optional<double> timeout) {
  Status status;
  {
    const py::gil_scoped_release unlocked;
    const std::lock_guard<std::mutex> lock(run_);
    times_.Clear();
    status = timeout ? interpreter_->RunFor(static_cast<uint64_t>(std::ceil(std::fmax(*timeout, 1e-6) * 1e6)))
                     : interpreter_->Run();
  }
  ThrowIfError(status);
}

py::bytes Session::SaveState() const {
  std::string bytes(interpreter_->StateBytes(), '\0');
  ThrowIfError(interpreter_->SaveState(bytes.data(), bytes.size()));
  return bytes;
}

void Session::RestoreState(const py::bytes& bytes) {
  const std::string_view view = bytes;
  ThrowIfError(interpreter_->RestoreState(view.data(), view.size()));
}

void Session::TruncateState(size_t length) { ThrowIfError(interpreter_->TruncateState(length)); }

}  // namespace micrort::python
