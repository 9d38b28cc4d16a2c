#pragma once
// An operator as the file states it: name, options, and the tensors that it reads and writes.

#include <string>

#include "converter/frontend/tflite/model_file.h"

namespace micrort::frontend::tflite {

class StatedOperator {
 public:
  StatedOperator(const ModelFile& file, const fb::SubGraph& subgraph, const fb::Operator& stated)
      : file_(file), subgraph_(subgraph), stated_(stated) {}

  const fb::Operator& stated() const { return stated_; }
  std::string name() const { return file_.OpName(stated_); }  // "CONV_2D"
  int version() const { return file_.OpVersion(stated_); }

  // The options in their object form; defaults where the file has none.
  template <typename OptionsT>
  OptionsT Options() const {
    OptionsT options;
    using Table = typename OptionsT::TableType;
    if (const Table* table = stated_.builtin_options_as<Table>()) table->UnPackTo(&options);
    return options;
  }
  // The same of the options of later operators.
  template <typename OptionsT>
  OptionsT Options2() const {
    OptionsT options;
    using Table = typename OptionsT::TableType;
    if (const Table* table = stated_.builtin_options_2_as<Table>()) table->UnPackTo(&options);
    return options;
  }
  Span<const uint8_t> custom_options() const { return file_.CustomOptions(stated_); }

  size_t input_count() const;
  bool has_input(size_t i) const { return input_index(i) >= 0; }
  size_t output_count() const;
  bool wants_output(size_t i) const { return output_index(i) >= 0; }

  // The tensor in the file; has_input(i), wants_output(i).
  const fb::Tensor& tensor(size_t i) const { return TensorAt(input_index(i)); }
  const fb::Tensor& output_tensor(size_t i) const { return TensorAt(output_index(i)); }
  // Their indices; -1 if they are absent.
  int32_t input_index(size_t i) const;
  int32_t output_index(size_t i) const;

 private:
  const fb::Tensor& TensorAt(int32_t index) const {
    return *subgraph_.tensors()->Get(static_cast<flatbuffers::uoffset_t>(index));
  }

  const ModelFile& file_;
  const fb::SubGraph& subgraph_;
  const fb::Operator& stated_;
};

}  // namespace micrort::frontend::tflite
