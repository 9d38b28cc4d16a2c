// micrort-seal: makes keys, signs and encrypts model files, and opens them again.

#include <cstdio>
#include <cstring>

#include "micrort/model.h"
#include "sealed/key_file.h"
#include "sealed/seal.h"
#include "tools/io/file.h"
#include "tools/io/program.h"
#include "tools/io/standard_streams.h"

namespace micrort {
namespace {

constexpr char kExample[] = "micrort-seal seal model.fb -o model.sealed --sign app.sign --encrypt app.secret";

enum class Action { kKeys, kSeal, kOpen };

struct Flags {
  Action action = Action::kKeys;
  std::string path, output, signing_key, secret_key, public_key;
};

void Declare(io::ArgumentParser& parser, Flags* flags) {
  parser
      .AddChoice<Action>(
          "action", {{"keys", Action::kKeys}, {"seal", Action::kSeal}, {"open", Action::kOpen}},
          &flags->action,
          "keys: make NAME.sign and NAME.secret, to be kept, and NAME.public, for the device; seal: "
          "sign or encrypt a model; open: check, decrypt and write the model in it")
      .Required();
  parser.Add("path", &flags->path, "NAME of the keys, or the file to seal or open").Required();
  parser.Add("-o,--output", &flags->output, "File to write").TypeName("FILE");
  parser.Add("--sign", &flags->signing_key, "seal: sign with this key").TypeName("NAME.sign");
  parser.Add("--encrypt", &flags->secret_key, "seal: encrypt with this key; open: decrypt with it")
      .TypeName("NAME.secret");
  parser.Add("--public", &flags->public_key, "open: expect the signature of this one")
      .TypeName("NAME.public");
}

Status MakeKeys(const std::string& name) {
  MICRORT_ASSIGN_OR_RETURN(const sealed::NewKeys keys, sealed::MakeKeys());
  return sealed::WriteKeys(name, keys);
}

// A key that a flag may name: null without it.
class OptionalKey {
 public:
  Status Read(const std::string& path) {
    if (path.empty()) return Status();
    MICRORT_ASSIGN_OR_RETURN(key_, sealed::ReadKey(path));
    is_given_ = true;
    return Status();
  }
  const sealed::Key* get() const { return is_given_ ? &key_ : nullptr; }
  const uint8_t* data() const { return is_given_ ? key_.data() : nullptr; }

 private:
  bool is_given_ = false;
  sealed::Key key_ = {};
};

Status Seal(const Flags& flags) {
  OptionalKey signing, secret;
  MICRORT_RETURN_IF_ERROR(signing.Read(flags.signing_key));
  MICRORT_RETURN_IF_ERROR(secret.Read(flags.secret_key));
  // Only what is a model is sealed.
  MICRORT_RETURN_IF_ERROR(Model::FromFile(flags.path.c_str()).status());
  std::vector<uint8_t> model;
  MICRORT_RETURN_IF_ERROR(io::ReadFile(flags.path, &model));
  MICRORT_ASSIGN_OR_RETURN(const std::vector<uint8_t> file,
                           sealed::Seal({model.data(), model.size()}, signing.get(), secret.get()));
  return io::WriteFileAtomically(flags.output, Span<const uint8_t>(file.data(), file.size()));
}

Status Open(const Flags& flags) {
  OptionalKey public_key, secret;
  MICRORT_RETURN_IF_ERROR(public_key.Read(flags.public_key));
  MICRORT_RETURN_IF_ERROR(secret.Read(flags.secret_key));
  std::vector<uint8_t> file;
  MICRORT_RETURN_IF_ERROR(io::ReadFile(flags.path, &file));
  constexpr size_t kAlignment = 64;
  std::vector<uint8_t> memory(file.size() + kAlignment);
  void* data = memory.data();
  size_t room = memory.size();
  std::align(kAlignment, file.size(), data, room);
  if (!file.empty()) std::memcpy(data, file.data(), file.size());
  const micrort_seal_keys keys = {public_key.data(), secret.data()};
  void* model = nullptr;
  size_t model_bytes = 0;
  char message[MICRORT_MESSAGE_BYTES];
  const micrort_status code =
      micrort_unseal(data, file.size(), &keys, &model, &model_bytes, message, sizeof message);
  if (code != MICRORT_OK) {
    return Status::Error(static_cast<StatusCode>(code), "%s: %s", flags.path.c_str(), message);
  }
  return io::WriteFileAtomically(flags.output,
                                 Span<const uint8_t>(static_cast<const uint8_t*>(model), model_bytes));
}

Status Execute(const Flags& flags) {
  if (flags.action == Action::kKeys) return MakeKeys(flags.path);
  if (flags.output.empty()) return MICRORT_ERROR(kInvalidArgument, "expected -o with the file to write");
  MICRORT_RETURN_IF_ERROR(io::CheckOutputFiles(
      {flags.output}, {flags.path, flags.signing_key, flags.secret_key, flags.public_key}));
  if (flags.action == Action::kSeal) {
    if (!flags.public_key.empty())
      return MICRORT_ERROR(kInvalidArgument, "--public is for open; seal takes --sign");
    return Seal(flags);
  }
  if (!flags.signing_key.empty())
    return MICRORT_ERROR(kInvalidArgument, "--sign is for seal; open takes --public");
  return Open(flags);
}

int Main(int argc, char** argv) {
  io::ArgumentParser parser("micrort-seal",
                            "Signs and encrypts model files, makes keys for that, and opens what is sealed.",
                            kExample);
  Flags flags;
  Declare(parser, &flags);
  int exit_code = 0;
  if (!parser.Parse(argc, argv, &exit_code)) return exit_code;
  const Status status = Execute(flags);
  return status.ok() ? 0 : io::Fail("micrort-seal", status);
}

}  // namespace
}  // namespace micrort

int main(int argc, char** argv) { return micrort::io::RunMain("micrort-seal", micrort::Main, argc, argv); }
