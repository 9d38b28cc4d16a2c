// Every flag that names a file or a folder, with something else in its place: a pipe that nobody writes to or
// reads from, a device without an end, a folder, a socket. Programs end with an error that says so.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <regex>
#include <set>

#include "tests/converter/onnx_builder.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"
#include "tools/io/npy.h"

namespace micrort::test::places {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Arguments = std::vector<std::string>;

struct Place {
  std::string path;
  const char* found;  // in messages
};

// @: the place, at the end of an argument.
struct Command {
  const char* program;
  Arguments arguments;
  bool takes_folder = false;
};

class UntrustedPlaces : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::OnnxBuilder b;
    b.Input("x", {"1", "4"}).Node("Relu", {"x"}, {"y"});
    WriteFile(source_, b.Output("y").Bytes());
    testing::OnnxBuilder tokens;
    tokens.Input("input_ids", {"1", "n"}, ::onnx::TensorProto::INT64).Node("Cast", {"input_ids"}, {"logits"});
    WriteFile(tokens_, tokens.Int("to", ::onnx::TensorProto::FLOAT).Output("logits").Bytes());
    WriteFile(text_, "once upon a time");
    WriteFile(graph_, "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }");
    const std::vector<float> x(4, 1.0f);
    const std::vector<uint8_t> npy = io::FormatNpy(DType::kFloat32, {1, 4}, x.data());
    WriteFile(array_, {npy.begin(), npy.end()});
    ASSERT_EQ(RunProgram("mnnconvert", {source_, "-o", model_, "--quiet"}).exit_code, 0);
    ASSERT_EQ(mkfifo((folder_ / "pipe.html").c_str(), 0600), 0);
    ASSERT_EQ(mkdir((folder_ / "folder.html").c_str(), 0700), 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string socket_path = folder_ / "socket.html";
    ASSERT_LT(socket_path.size(), sizeof address.sun_path);
    socket_path.copy(address.sun_path, sizeof address.sun_path - 1);
    const int file = socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(bind(file, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    close(file);
  }

  // A line of a shell that runs the command and keeps what it says, and how it ends.
  std::string LineOf(const Command& command, const std::string& place, const std::string& kept) const {
    std::string line = "'" MICRORT_PROGRAMS_FOLDER "/" + std::string(command.program) + "'";
    for (std::string argument : command.arguments) {
      if (argument.back() == '@') argument.replace(argument.size() - 1, 1, place);
      line += " '" + argument + "'";
    }
    return line + " >/dev/null 2>'" + kept + ".err'; echo $? >'" + kept + ".code'\n";
  }

  // Those that wait for a pipe do so together.
  void ExpectErrors(const std::vector<Command>& commands, const std::vector<Place>& places) {
    std::string script;
    for (size_t i = 0; i < commands.size(); ++i) {
      script += "(\n";
      for (size_t k = 0; k < places.size(); ++k) script += LineOf(commands[i], places[k].path, Kept(i, k));
      script += ") &\n";
    }
    WriteFile(folder_ / "script", script + "wait\n");
    ASSERT_EQ(RunCommand({"sh", folder_ / "script"}, {uint64_t{4} << 30, 10}).exit_code, 0);
    for (size_t i = 0; i < commands.size(); ++i) {
      for (size_t k = 0; k < places.size(); ++k) {
        if (commands[i].takes_folder && places[k].path == folder_ / "folder.html") continue;
        const std::string line = LineOf(commands[i], places[k].path, ""),
                          error = ReadFile(Kept(i, k) + ".err");
        EXPECT_THAT(ReadFile(Kept(i, k) + ".code"), ::testing::AnyOf("1\n", "2\n", "3\n")) << line << error;
        EXPECT_THAT(error, HasSubstr(std::string(commands[i].program) + ": error: ")) << line;
        EXPECT_THAT(error, ::testing::ContainsRegex(places[k].found)) << line;
      }
    }
  }
  std::string Kept(size_t command, size_t place) const {
    return folder_ / (std::to_string(command) + "_" + std::to_string(place));
  }

  // Flags whose value is a path, as --help has them, that the table leaves out.
  static std::set<std::string> Untried(const std::vector<Command>& tried) {
    std::set<std::string> untried;
    const std::regex flag("\\n  (?:-., ?|-.,)?(--[a-z0-9-]+) (?:NAME=)?(?:FILE|DIR|PATH|LIB|OUT\\.)");
    for (const Command& command : tried) {
      const std::string help = RunProgram(command.program, {"--help"}).out;
      for (std::sregex_iterator it(help.begin(), help.end(), flag), end; it != end; ++it)
        untried.insert(command.program + std::string(" ") + (*it)[1].str());
    }
    for (const Command& command : tried) {
      for (const std::string& argument : command.arguments)
        untried.erase(command.program + std::string(" ") + argument.substr(0, argument.find('=')));
    }
    return untried;
  }

  const TemporaryFolder folder_;
  const std::string source_ = folder_ / "source.onnx", graph_ = folder_ / "graph.pbtxt",
                    tokens_ = folder_ / "tokens.onnx", text_ = folder_ / "text.txt",
                    model_ = folder_ / "model.fb", array_ = folder_ / "x.npy", out_ = folder_ / "out";
  const std::vector<Command> read_ = {
      {"mnnconvert", {"@", "-o", out_}, true},
      {"mnnconvert", {"--list", "@"}, true},
      {"mnnconvert", {"--realign", "@", "-o", out_}},
      {"mnnconvert", {"--emit", "resolver", "@", "-o", out_}},
      {"mnnconvert", {source_, "-o", out_, "--from", "caffe", "--weights", "@"}},
      {"mnnconvert", {graph_, "-o", out_, "--config", "@"}},
      {"mnnconvert", {source_, "-o", out_, "--custom-ops", "@"}},
      {"mnnconvert", {source_, "-o", out_, "--input-value", "x=@"}},
      {"mnnconvert", {source_, "-o", out_, "--quant", "int8", "--calib", "@"}, true},
      {"mnnconvert", {tokens_, "-o", out_, "--quant", "int8", "--calib", text_, "--tokenizer", "@"}},
      {"mnnconvert",
       {source_, "-o", out_, "--report", folder_ / "r.html", "--calib", array_, "--labels", "@"}},
      {"mnnconvert", {source_, "-o", out_, "--verify", "--calib", array_, "--expect", "y=@"}, true},
      {"mnnconvert", {source_, "-o", out_, "--layer-types", "@"}},
      {"micrort-run", {"@"}},
      {"micrort-run", {model_, "--input", "x=@"}},
      {"micrort-run", {model_, "--labels", "@"}},
      {"micrort-run", {model_, "--tuned", "@"}},
      {"micrort-run", {model_, "--custom-ops", "@"}},
      {"micrort-bench", {"@"}},
      {"micrort-bench", {model_, "--input", "x=@"}},
      {"micrort-bench", {model_, "--tuned", "@"}},
      {"micrort-bench", {model_, "--custom-ops", "@"}},
      {"micrort-info", {"@"}}};
  const std::vector<Command> written_ = {
      {"mnnconvert", {source_, "--output", "@"}},
      {"mnnconvert", {source_, "-o", "@", "--emit", "array"}},
      {"mnnconvert", {source_, "-o", out_, "--quiet", "--json", "@"}},
      {"mnnconvert", {source_, "-o", out_, "--report", "@"}},
      {"mnnconvert", {source_, "-o", out_, "--dump-passes", "@"}, true},
      {"micrort-run", {model_, "--json", "@"}},
      {"micrort-run", {model_, "--output-dir", "@"}, true},
      {"micrort-run", {model_, "--dump-layers", "@"}, true},
      {"micrort-bench", {model_, "--runs", "1", "--warmup", "0", "--json", "@"}},
      {"micrort-bench", {model_, "--runs", "1", "--warmup", "0", "--trace", "@"}},
      {"micrort-bench", {model_, "--runs", "1", "--warmup", "0", "--tune", "@"}},
      {"micrort-info", {model_, "--onnx", "@"}}};
};

TEST_F(UntrustedPlaces, OfEveryFlagAreTried) {
  std::vector<Command> all = read_;
  all.insert(all.end(), written_.begin(), written_.end());
  EXPECT_THAT(Untried(all), IsEmpty());
}

TEST_F(UntrustedPlaces, AreNotRead) {
  ExpectErrors(read_, {{folder_ / "pipe.html", "found a pipe|nobody writes to this pipe"},
                       {"/dev/zero", "found a device"},
                       {folder_ / "folder.html", "found a folder"},
                       {folder_ / "socket.html", "found a socket"}});
}

TEST_F(UntrustedPlaces, AreNotWritten) {
  ExpectErrors(written_,
               {{folder_ / "pipe.html", "nobody reads from this pipe|a file of that name exists|pipe"},
                {folder_ / "folder.html", "found a folder|folder"},
                {folder_ / "socket.html", "found a socket|a file of that name exists|socket"}});
}

TEST_F(UntrustedPlaces, OfKeysAndSealedFilesAreNotRead) {
  if (RunProgram("micrort-seal", {"--version"}).exit_code != 0) GTEST_SKIP() << "built without libsodium";
  const std::string key = folder_ / "key", sealed = folder_ / "sealed";
  ASSERT_EQ(RunProgram("micrort-seal", {"keys", key}).exit_code, 0);
  ASSERT_EQ(RunProgram("micrort-seal", {"seal", model_, "-o", sealed, "--sign", key + ".sign"}).exit_code, 0);
  ExpectErrors({{"micrort-seal", {"seal", "@", "-o", out_, "--sign", key + ".sign"}},
                {"micrort-seal", {"seal", model_, "-o", out_, "--sign", "@"}},
                {"micrort-seal", {"seal", model_, "-o", out_, "--encrypt", "@"}},
                {"micrort-seal", {"open", "@", "-o", out_, "--public", key + ".public"}},
                {"micrort-seal", {"open", sealed, "-o", out_, "--public", "@"}},
                {"micrort-seal", {"open", sealed, "-o", out_, "--encrypt", "@"}}},
               {{folder_ / "pipe.html", "found a pipe|nobody writes to this pipe"},
                {"/dev/zero", "found a device"},
                {folder_ / "folder.html", "found a folder"},
                {folder_ / "socket.html", "found a socket"}});
}

}  // namespace
}  // namespace micrort::test::places
