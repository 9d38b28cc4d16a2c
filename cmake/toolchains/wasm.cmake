# WebAssembly by Debian's emscripten; programs run under Node.
set(EMSCRIPTEN_SYSTEM_PROCESSOR wasm32 CACHE STRING "The architecture, for Emscripten's own file")
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
# Where optimized links find Debian's JavaScript modules, whichever Node is installed.
set(CMAKE_CXX_LINKER_LAUNCHER ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs)
