# macOS on Apple's processors, by Xcode's clang, on a Mac. Written, not run yet.
set(CMAKE_OSX_ARCHITECTURES arm64 CACHE STRING "")
set(CMAKE_OSX_DEPLOYMENT_TARGET 11.0 CACHE STRING "The oldest macOS that programs run on")
set(CMAKE_SYSTEM_PROCESSOR arm64)
