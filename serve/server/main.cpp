// micrort-serve: serves a repository of models.

#include "micrort/micrort.h"
#include "serve/server/server.h"
#include "tools/io/standard_streams.h"

namespace {

int Main(int argc, char** argv) { return micrort::serve::RunServer(argc, argv, micrort::AllOps()); }

}  // namespace

int main(int argc, char** argv) { return micrort::io::RunMain("micrort-serve", Main, argc, argv); }
