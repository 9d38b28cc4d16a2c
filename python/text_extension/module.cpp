// The extension module micrort._text, apart from micrort._micrort, which needs no text. What users call is in
// micrort/text.py.

#include <pybind11/stl.h>

#include "python/extension/status_error.h"
#include "python/text_extension/text_session.h"

namespace micrort::python {
namespace {

namespace py = pybind11;

const char* NameOf(text::StopReason reason) {
  switch (reason) {
    case text::StopReason::kLength:
      return "length";
    case text::StopReason::kEndToken:
      return "end_token";
    case text::StopReason::kStopWord:
      return "stop_word";
    case text::StopReason::kCallback:
      return "callback";
  }
  return "";
}

std::shared_ptr<TextAnswer> Begin(TextSession& session, std::vector<int32_t> prompt, int max_tokens,
                                  std::vector<std::string> stop, double temperature, int top_k, double top_p,
                                  double min_p, double repetition_penalty, double presence_penalty,
                                  double frequency_penalty, uint64_t seed, bool ignore_end) {
  text::GenerateOptions options;
  options.max_tokens = max_tokens;
  options.stop_words = std::move(stop);
  options.sampling = {static_cast<float>(temperature),
                      top_k,
                      static_cast<float>(top_p),
                      static_cast<float>(min_p),
                      static_cast<float>(repetition_penalty),
                      static_cast<float>(presence_penalty),
                      static_cast<float>(frequency_penalty),
                      seed};
  return session.Begin(std::move(prompt), std::move(options), ignore_end);
}

}  // namespace

PYBIND11_MODULE(_text, module) {
  RegisterErrors();
  py::class_<TextAnswer, std::shared_ptr<TextAnswer>>(module, "TextAnswer")
      .def("step", &TextAnswer::Step)
      .def("stop", &TextAnswer::Stop)
      .def_property_readonly("has_ended", &TextAnswer::has_ended)
      .def_property_readonly("tokens", [](const TextAnswer& a) { return a.result().tokens; })
      .def_property_readonly("reason", [](const TextAnswer& a) { return NameOf(a.result().reason); })
      .def_property_readonly("prompt_tokens", [](const TextAnswer& a) { return a.result().prompt_tokens; })
      .def_property_readonly("prefill_seconds",
                             [](const TextAnswer& a) { return a.result().prefill_seconds; })
      .def_property_readonly("decode_seconds", [](const TextAnswer& a) { return a.result().decode_seconds; });
  py::class_<TextSession, std::shared_ptr<TextSession>>(module, "TextSession")
      .def(py::init(&TextSession::Create), py::arg("model"), py::arg("tokenizer"), py::arg("threads"),
           py::arg("isa"))
      .def("encode", &TextSession::Encode, py::arg("prompt"), py::arg("add_special"))
      .def("encode_chat", &TextSession::EncodeChat, py::arg("family"), py::arg("messages"))
      .def("begin", &Begin, py::arg("prompt"), py::kw_only(), py::arg("max_tokens"), py::arg("stop"),
           py::arg("temperature"), py::arg("top_k"), py::arg("top_p"), py::arg("min_p"),
           py::arg("repetition_penalty"), py::arg("presence_penalty"), py::arg("frequency_penalty"),
           py::arg("seed"), py::arg("ignore_end"))
      .def("cancel", &TextSession::Cancel)
      .def("reset", &TextSession::Reset)
      .def("truncate", &TextSession::Truncate)
      .def_property_readonly("length", &TextSession::length);
}

}  // namespace micrort::python
