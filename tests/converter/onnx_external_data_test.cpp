// Models whose tensors' data lies in other files, good ones and malformed ones.

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "converter/convert.h"
#include "converter/frontend/onnx/external_file.h"
#include "tests/converter/onnx_builder.h"
#include "tests/tools/temporary_folder.h"

namespace micrort {
namespace {

namespace fs = std::filesystem;
using ::onnx::TensorProto;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::OnnxBuilder;
using Entries = std::vector<std::pair<std::string, std::string>>;

class OnnxExternalData : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ + "/weights");
    const float elements[] = {0, 1, 2, 3, 4, 5};
    Write("w.bin", std::string(reinterpret_cast<const char*>(elements), sizeof elements));
    Write("weights/w.bin", std::string(reinterpret_cast<const char*>(elements), sizeof elements));
  }

  void Write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << bytes;
  }

  // y = x + w with float32[2,2] w as the entries say.
  static OnnxBuilder Model(const Entries& entries) {
    OnnxBuilder builder;
    builder.Input("x", {"2", "2"}).Node("Add", {"x", "w"}, {"y"}).Output("y");
    MakeExternal(builder.graph().add_initializer(), entries);
    return builder;
  }

  static void MakeExternal(TensorProto* tensor, const Entries& entries) {
    tensor->set_name("w");
    tensor->set_data_type(TensorProto::FLOAT);
    tensor->add_dims(2);
    tensor->add_dims(2);
    tensor->set_data_location(TensorProto::EXTERNAL);
    for (const auto& [key, value] : entries) {
      auto* entry = tensor->add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    }
  }

  testing::Imported Import(const OnnxBuilder& builder) {
    frontend::ImportOptions options;
    options.folder = folder_;
    return testing::Import(builder, options);
  }

  void ExpectWeights(const OnnxBuilder& builder, float first) {
    testing::Imported imported = Import(builder);
    ASSERT_TRUE(imported.status.ok()) << imported.status.message();
    const ir::Graph& graph = imported.graph();
    const float* w = graph.value(graph.FindValue("w")).as<float>();
    EXPECT_THAT(std::vector<float>(w, w + 4), ElementsAre(first, first + 1, first + 2, first + 3));
  }

  void ExpectError(const Entries& entries, StatusCode code, const std::string& message) {
    const testing::Imported imported = Import(Model(entries));
    EXPECT_EQ(imported.status.code(), code) << imported.status.message();
    EXPECT_THAT(imported.status.message(), AllOf(HasSubstr("tensor 'w'"), HasSubstr(message)));
  }

  testing::TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path();
};

TEST_F(OnnxExternalData, IsReadFromTheModelsFolder) {
  ExpectWeights(Model({{"location", "w.bin"}}), 0);
  ExpectWeights(Model({{"location", "w.bin"}, {"offset", "8"}, {"length", "16"}, {"checksum", "x"}}), 2);
  ExpectWeights(Model({{"location", "./weights/w.bin"}, {"offset", "4"}}), 1);
  fs::create_symlink("weights/w.bin", folder_ + "/link.bin");
  ExpectWeights(Model({{"location", "link.bin"}}), 0);
}

// At an address that suits floats, and at another one.
TEST_F(OnnxExternalData, MayStayInItsFile) {
  constexpr int64_t kElements = 32768;
  std::vector<float> elements(kElements);
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<float>(i);
  const std::string bytes(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(float));
  for (const size_t offset : {0, 4, 2}) {
    SCOPED_TRACE(offset);
    Write("large.bin", std::string(offset, 'x') + bytes);
    OnnxBuilder builder = Model({{"location", "large.bin"}, {"offset", std::to_string(offset)}});
    auto* const w = builder.graph().mutable_initializer(0);
    w->set_dims(0, kElements / 2);
    builder.graph()
        .mutable_input(0)
        ->mutable_type()
        ->mutable_tensor_type()
        ->mutable_shape()
        ->mutable_dim(0)
        ->set_dim_value(kElements / 2);
    testing::Imported imported = Import(builder);
    ASSERT_TRUE(imported.status.ok()) << imported.status.message();
    const ir::Graph& graph = imported.graph();
    const ir::Value& value = graph.value(graph.FindValue("w"));
    EXPECT_EQ(std::vector<float>(value.as<float>(), value.as<float>() + kElements), elements);
    value.data->Release();
    EXPECT_EQ(value.as<float>()[kElements - 1], elements.back());
    ir::Bytes changed = *value.data;
    changed[0] = 1;
    EXPECT_EQ(changed.size(), value.data->size());
    EXPECT_NE(changed, *value.data);
  }
}

// An entry of the model itself, like those that mark such tensors.
TEST_F(OnnxExternalData, IsNotTakenForThatOfAnother) {
  OnnxBuilder builder = Model({{"micrort.mapped", "0"}});
  EXPECT_FALSE(Import(builder).status.ok());
  EXPECT_FALSE(testing::Import(builder).status.ok());
}

TEST_F(OnnxExternalData, BelongsToAttributesAndInnerGraphsToo) {
  OnnxBuilder builder;
  builder.Node("Constant", {}, {"c"}).Output("c");
  auto* a = builder.graph().mutable_node(0)->add_attribute();
  a->set_name("value");
  a->set_type(::onnx::AttributeProto::TENSOR);
  MakeExternal(a->mutable_t(), {{"location", "w.bin"}});
  EXPECT_TRUE(Import(builder).status.ok()) << Import(builder).status.message();
  OnnxBuilder inner = Model({{"location", "w.bin"}});
  auto* g = inner.graph().mutable_node(0)->add_attribute();
  g->set_name("body");
  g->set_type(::onnx::AttributeProto::GRAPH);
  MakeExternal(g->mutable_g()->add_initializer(), {{"location", "../w.bin"}});
  EXPECT_THAT(Import(inner).status.message(), HasSubstr("'..'"));
}

TEST_F(OnnxExternalData, StaysInsideTheModelsFolder) {
  const fs::path outside =
      fs::path(folder_).parent_path() / (fs::path(folder_).filename().string() + "_outside");
  fs::create_directories(outside);
  std::ofstream(outside / "w.bin") << std::string(16, 'x');
  fs::create_symlink(outside / "w.bin", folder_ + "/file_link.bin");
  fs::create_directory_symlink(outside, folder_ + "/folder_link");
  fs::create_directory_symlink("..", folder_ + "/up");
  ExpectError({{"location", (outside / "w.bin").string()}}, StatusCode::kInvalidModel, "relative");
  ExpectError({{"location", "../" + outside.filename().string() + "/w.bin"}}, StatusCode::kInvalidModel,
              "'..'");
  ExpectError({{"location", "weights/../../w.bin"}}, StatusCode::kInvalidModel, "'..'");
  ExpectError({{"location", "file_link.bin"}}, StatusCode::kInvalidModel, "leads out");
  ExpectError({{"location", "folder_link/w.bin"}}, StatusCode::kInvalidModel, "leads out");
  ExpectError({{"location", "up/" + outside.filename().string() + "/w.bin"}}, StatusCode::kInvalidModel,
              "leads out");
  fs::remove_all(outside);
}

TEST_F(OnnxExternalData, SizesAreChecked) {
  ExpectError({{"location", "w.bin"}, {"offset", "12"}}, StatusCode::kInvalidModel,
              "data file 'w.bin': expected 16 bytes at offset 12, the file has 24");
  ExpectError({{"location", "w.bin"}, {"offset", "18446744073709551615"}}, StatusCode::kInvalidModel,
              "the file has");
  ExpectError({{"location", "w.bin"}, {"length", "8"}}, StatusCode::kInvalidModel, "takes 16 bytes");
  for (const char* number : {"-1", "1e3", "", " 4", "0x10", "99999999999999999999999"}) {
    ExpectError({{"location", "w.bin"}, {"offset", number}}, StatusCode::kInvalidModel, "'offset'");
  }
}

TEST_F(OnnxExternalData, OddFilesAreErrors) {
  ExpectError({}, StatusCode::kInvalidModel, "no name");
  ExpectError({{"location", ""}}, StatusCode::kInvalidModel, "no name");
  ExpectError({{"location", std::string("w.bin\0", 6)}}, StatusCode::kInvalidModel,
              "the file's name, 'w.bin?', has the control character U+0000");
  ExpectError({{"location", "w.bin"}, {"location", "x.bin"}}, StatusCode::kInvalidModel, "twice");
  ExpectError({{"location", "missing.bin"}}, StatusCode::kIo,
              "data file 'missing.bin': it is missing; copy it into the model's folder: No such file");
  ExpectError({{"location", "*/_ORT_MEM_ADDR_/*"}, {"offset", "4096"}}, StatusCode::kIo, "_ORT_MEM_ADDR_");
  ExpectError({{"location", "weights"}}, StatusCode::kIo, "regular file");
  std::ofstream(folder_ + "/pointer.bin") << "version https://git-lfs.github.com/spec/v1\noid sha256:0\n";
  ExpectError({{"location", "pointer.bin"}}, StatusCode::kInvalidModel,
              "data file 'pointer.bin': this is a Git LFS pointer");
  ASSERT_EQ(mkfifo((folder_ + "/pipe").c_str(), 0600), 0);
  ExpectError({{"location", "pipe"}}, StatusCode::kIo, "regular file");
}

// Files with holes: as large as they say, without the bytes.
TEST_F(OnnxExternalData, TooMuchIsRefused) {
  std::ofstream(folder_ + "/huge.bin") << "";
  fs::resize_file(folder_ + "/huge.bin", uint64_t{1} << 35);
  OnnxBuilder builder = Model({{"location", "huge.bin"}});
  builder.graph().mutable_initializer(0)->set_dims(0, std::numeric_limits<int32_t>::max());
  builder.graph().mutable_initializer(0)->set_dims(1, 3);
  const testing::Imported imported = Import(builder);
  EXPECT_EQ(imported.status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(imported.status.message(), HasSubstr("external data is over"));
}

TEST_F(OnnxExternalData, AFileThatIsReplacedWhileItIsReadStaysTheOneThatWasOpened) {
  Write("opened.bin", "first");
  frontend::onnx::ExternalFile file;
  ASSERT_TRUE(file.Open(folder_, "opened.bin").ok());
  Write("other.bin", "other");
  fs::rename(folder_ + "/other.bin", folder_ + "/opened.bin");
  std::shared_ptr<const MappedFile> mapped;
  ASSERT_TRUE(file.Map(&mapped).ok());
  EXPECT_EQ(std::string(mapped->bytes().begin(), mapped->bytes().end()), "first");
}

TEST_F(OnnxExternalData, TensorsThatShareBytesAreCountedByTheirFile) {
  constexpr int64_t kElements = 1 << 20;
  Write("large.bin", std::string(sizeof(float) * kElements, '\0'));
  fs::create_symlink("large.bin", folder_ + "/same.bin");
  for (const int tensors : {15, 40}) {
    OnnxBuilder builder;
    builder.Input("x", {"2", "2"}).Node("Relu", {"x"}, {"y"}).Output("y");
    for (int i = 0; i < tensors; ++i) {
      TensorProto* tensor = builder.graph().add_initializer();
      MakeExternal(tensor, {{"location", i % 2 == 0 ? "large.bin" : "same.bin"}});
      tensor->set_name("w" + std::to_string(i));
      tensor->clear_dims();
      tensor->add_dims(kElements);
    }
    const Status status = Import(builder).status;
    EXPECT_EQ(status.ok(), tensors == 15) << status.message();
    EXPECT_THAT(status.message(), HasSubstr(tensors == 15 ? "" : "tensors share its bytes"));
  }
}

TEST_F(OnnxExternalData, ModelsOverTheLimitOfProtobufSayWhatToDo) {
  const std::string path = folder_ + "/large.onnx";
  std::ofstream(path) << "\x08";
  fs::resize_file(path, uint64_t{5} << 30);
  ConvertResult result;
  const Status status = Convert(path, {}, &result);
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), HasSubstr("save_as_external_data"));
}

TEST_F(OnnxExternalData, FilesConvertWithTheDataBesideThem) {
  Write("model.onnx", Model({{"location", "w.bin"}}).Bytes());
  ConvertResult result;
  const Status status = Convert(folder_ + "/model.onnx", {}, &result);
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST_F(OnnxExternalData, BytesWithoutAFolderHaveNone) {
  EXPECT_THAT(testing::Import(Model({{"location", "w.bin"}})).status.message(), HasSubstr("another file"));
}

}  // namespace
}  // namespace micrort
