// The extension module micrort._micrort. What users call is in micrort/runtime.py.

#include <pybind11/stl.h>

#include "micrort/version.h"
#include "python/extension/session.h"
#include "python/extension/status_error.h"
#include "python/extension/tensors.h"

namespace micrort::python {
namespace {

namespace py = pybind11;

std::vector<TensorInfo> InputsOf(const LoadedModel& model) {
  std::vector<TensorInfo> inputs;
  for (size_t i = 0; i < model.model().input_count(); ++i) inputs.push_back(InfoOf(model.model().input(i)));
  return inputs;
}

std::vector<bool> ShapeInputsOf(const LoadedModel& model) {
  std::vector<bool> decide;
  for (size_t i = 0; i < model.model().input_count(); ++i) decide.push_back(model.model().decides_shapes(i));
  return decide;
}

void DefineModel(py::module_& module) {
  const auto bytes_of = [](size_t (Model::*bytes)() const) {
    return [bytes](const LoadedModel& model) { return (model.model().*bytes)(); };
  };
  py::class_<LoadedModel, std::shared_ptr<LoadedModel>>(module, "LoadedModel")
      .def_static("from_file", &LoadedModel::FromFile)
      .def_static("from_bytes", &LoadedModel::FromBytes)
      .def_property_readonly("inputs", &InputsOf)
      .def_property_readonly("decides_shapes", &ShapeInputsOf)
      .def_property_readonly("file_bytes", bytes_of(&Model::file_bytes))
      .def_property_readonly("weight_bytes", bytes_of(&Model::weight_bytes))
      .def_property_readonly("packed_file_bytes", bytes_of(&Model::packed_file_bytes))
      .def_property_readonly("packed_bytes", bytes_of(&Model::packed_bytes))
      .def_property_readonly("state_chunk", bytes_of(&Model::state_chunk));
}

py::list TimesOf(const Session& session) {
  py::list rows;
  for (const StepTimes::Step& step : session.times().steps()) {
    rows.append(py::dict(py::arg("type") = step.type, py::arg("node") = step.node,
                         py::arg("algorithm") = step.algorithm, py::arg("multiply_adds") = step.multiply_adds,
                         py::arg("ms") = step.ms));
  }
  return rows;
}

std::vector<TensorInfo> InfosOf(const Session& session, Session::Kind kind) {
  std::vector<TensorInfo> infos;
  for (size_t i = 0; i < session.Count(kind); ++i) infos.push_back(InfoOf(session.View(kind, i)));
  return infos;
}

std::shared_ptr<Session> NewSession(std::shared_ptr<LoadedModel> model, int threads,
                                    std::optional<std::string> isa, std::optional<std::string> tuned,
                                    std::vector<std::vector<int64_t>> shapes,
                                    std::vector<std::optional<py::array>> values, bool keep_inputs,
                                    bool profile, std::optional<uint64_t> max_memory,
                                    std::optional<uint64_t> max_work, std::vector<std::string> custom_ops) {
  return Session::Create(std::move(model),
                         {threads, std::move(isa), std::move(tuned), std::move(shapes), std::move(values),
                          keep_inputs, profile, max_memory, max_work, std::move(custom_ops)});
}

void DefineSession(py::module_& module) {
  using Kind = Session::Kind;
  const auto bytes_of = [](size_t (Interpreter::*bytes)() const) {
    return [bytes](const Session& session) { return (session.interpreter().*bytes)(); };
  };
  py::enum_<Kind>(module, "Kind")
      .value("INPUT", Kind::kInput)
      .value("OUTPUT", Kind::kOutput)
      .value("STATE", Kind::kState);
  py::class_<Session, std::shared_ptr<Session>>(module, "Session")
      .def(py::init(&NewSession), py::arg("model"), py::kw_only(), py::arg("threads"), py::arg("isa"),
           py::arg("tuned"), py::arg("shapes"), py::arg("values"), py::arg("keep_inputs"), py::arg("profile"),
           py::arg("max_memory"), py::arg("max_work"), py::arg("custom_ops"))
      .def("infos", &InfosOf)
      .def("array", &Session::Array)
      .def("copy_output", &Session::Copy)
      .def("set_input", &Session::SetInput)
      .def("resize", &Session::Resize)
      .def("run", &Session::Run)
      .def("cancel", &Session::Cancel)
      .def("save_state", &Session::SaveState)
      .def("restore_state", &Session::RestoreState)
      .def("reset_state", &Session::ResetState)
      .def("state_length", &Session::StateLength)
      .def("truncate_state", &Session::TruncateState)
      .def_property_readonly("times", &TimesOf)
      .def_property_readonly("isa", [](const Session& s) { return IsaName(s.interpreter().features()); })
      .def_property_readonly("arena_bytes", bytes_of(&Interpreter::arena_bytes))
      .def_property_readonly("arena_lower_bound", bytes_of(&Interpreter::arena_lower_bound))
      .def_property_readonly("scratch_bytes", bytes_of(&Interpreter::scratch_bytes))
      .def_property_readonly("packed_in_place_bytes", bytes_of(&Interpreter::packed_in_place_bytes));
}

}  // namespace

PYBIND11_MODULE(_micrort, module) {
  module.attr("__version__") = MICRORT_VERSION;
  RegisterErrors();
  DefineTensorInfo(module);
  DefineModel(module);
  DefineSession(module);
}

}  // namespace micrort::python
