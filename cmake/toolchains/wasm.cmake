# WebAssembly by Debian's emscripten; programs run under Node.
set(EMSCRIPTEN_SYSTEM_PROCESSOR wasm32 CACHE STRING "The architecture, for Emscripten's own file")
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
