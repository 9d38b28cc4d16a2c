// Buffers behind the flatbuffer: where they may lie.

#include <gmock/gmock.h>

#include <functional>

#include "micrort/micrort.h"
#include "runtime/model/verify.h"
#include "tests/kept_seeds.h"
#include "tests/runtime/model_builder.h"
#include "tests/status_matchers.h"

namespace micrort {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::ModelBuilder;
using testing::ModelFile;

constexpr uint64_t kBytes = 24;  // of each buffer

struct Places {
  uint64_t offset[2], size[2] = {kBytes, kBytes};  // offsets from the begin of the file
};

void Set(const schema::Buffer* buffer, flatbuffers::voffset_t field, uint64_t value) {
  void* const table = const_cast<schema::Buffer*>(buffer);
  static_cast<flatbuffers::Table*>(table)->SetField<uint64_t>(field, value, 0);
}

// y = (x + v) + w, whose constants lie at 128 and 64 bytes from the end, unless `change` moves them.
std::string FileWith(const std::function<void(Places*)>& change = {},
                     const std::function<void(ModelBuilder*)>& prepare = {}) {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {6});
  const int v = b.Constant<float>("v", {6}, {1, 2, 3, 4, 5, 6});
  const int w = b.Constant<float>("w", {6}, {10, 20, 30, 40, 50, 60});
  const int h = b.Tensor("h", DType::kFloat32, {6}), y = b.Tensor("y", DType::kFloat32, {6});
  schema::BinaryOptionsT add;
  b.Node(add, {x, v}, {h}, "first");
  b.Node(add, {h, w}, {y}, "second");
  b.Output(y);
  b.model.schema_version = kSchemaVersion;
  std::string constants;
  for (size_t i = 1; i <= 2; ++i) {
    auto& data = b.model.buffers[i]->data;
    constants += std::string(data.begin(), data.end()) + std::string(64 - data.size(), '\0');
    data.clear();
    b.model.buffers[i]->offset = b.model.buffers[i]->size = 1;
  }
  if (prepare) prepare(&b);
  const ModelFile flatbuffer = b.Finish();
  std::string file(reinterpret_cast<const char*>(flatbuffer.data()), flatbuffer.size());
  file.resize((file.size() + 63) / 64 * 64);
  Places places = {{file.size(), file.size() + 64}};
  if (change) change(&places);
  for (uint32_t i = 0; i < 2; ++i) {
    const schema::Buffer* const buffer = schema::GetModel(file.data())->buffers()->Get(i + 1);
    const auto table = static_cast<uint64_t>(reinterpret_cast<const char*>(buffer) - file.data());
    Set(buffer, schema::Buffer::VT_OFFSET, places.offset[i] - table);
    Set(buffer, schema::Buffer::VT_SIZE, places.size[i]);
  }
  return file + constants;
}

Status Load(const std::string& bytes) {
  testing::KeepSeed("model", bytes);
  const ModelFile file(bytes.data(), bytes.size());
  return Model::FromBuffer(file.data(), file.size()).status();
}

void ExpectRefused(const std::function<void(Places*)>& change, const std::string& message) {
  const Status status = Load(FileWith(change));
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), HasSubstr(message));
}

TEST(OuterBuffers, AreReadInPlace) {
  const std::string bytes = FileWith();
  const ModelFile file(bytes.data(), bytes.size());
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_THAT(model, IsOk());
  EXPECT_EQ(model->weight_bytes(), 2 * kBytes);
  EXPECT_EQ(model->file_bytes(), bytes.size());
  auto interpreter = Interpreter::Create(*model);
  ASSERT_THAT(interpreter, IsOk());
  for (int i = 0; i < 6; ++i) interpreter->input(0).as<float>()[i] = 100;
  ASSERT_THAT(interpreter->Run(), IsOk());
  const float* const y = interpreter->output(0).as<float>();
  EXPECT_THAT(std::vector<float>(y, y + 6), ::testing::ElementsAre(111, 122, 133, 144, 155, 166));
}

TEST(OuterBuffers, LieInTheFile) {
  ExpectRefused([](Places* p) { p->offset[1] += 64; },
                "buffer 2: expected 24 bytes at a multiple of 64 from");
  ExpectRefused([](Places* p) { p->offset[1] += uint64_t{1} << 40; }, "buffer 2");
  ExpectRefused([](Places* p) { p->offset[0] = 0; }, "buffer 1");  // before its table
  ExpectRefused([](Places* p) { p->size[1] = 65; }, "buffer 2: expected 65 bytes");
  ExpectRefused([](Places* p) { p->size[1] = UINT64_MAX; }, "buffer 2");
  ExpectRefused([](Places* p) { p->offset[1] = UINT64_MAX - 63, p->size[1] = 64; }, "buffer 2");
}

TEST(OuterBuffers, AreAlignedAndApart) {
  ExpectRefused([](Places* p) { p->offset[0] += 4; }, "buffer 1: expected 24 bytes at a multiple of 64");
  ExpectRefused([](Places* p) { std::swap(p->offset[0], p->offset[1]); }, "buffer 2");
  ExpectRefused([](Places* p) { p->offset[1] = p->offset[0]; }, "buffer 2");
}

TEST(OuterBuffers, HaveTheSizeOfTheirTensor) {
  ExpectRefused([](Places* p) { p->size[0] = 20; }, "shape 6 of float32 needs 24 bytes, buffer 1 has 20");
}

TEST(OuterBuffers, AreCutOffWithTheFile) {
  std::string bytes = FileWith();
  bytes.resize(bytes.size() - 64);
  EXPECT_THAT(Load(bytes).message(), HasSubstr("damaged or cut off; copy it again"));
}

TEST(OuterBuffers, HaveNoDataInside) {
  const auto both = [](ModelBuilder* b) { b->model.buffers[1]->data.resize(kBytes); };
  EXPECT_THAT(Load(FileWith({}, both)).message(), HasSubstr("buffer 1"));
  const auto first = [](ModelBuilder* b) { b->model.buffers[0]->offset = b->model.buffers[0]->size = 64; };
  EXPECT_THAT(Load(FileWith({}, first)).message(), HasSubstr("buffer 0: expected no data"));
}

}  // namespace
}  // namespace micrort
