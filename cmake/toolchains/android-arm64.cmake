# Android's NDK for 64-bit ARM; ANDROID_NDK_HOME in the environment tells where it is.
if(NOT DEFINED ENV{ANDROID_NDK_HOME})
  message(FATAL_ERROR "ANDROID_NDK_HOME is not set: the folder of Android's NDK, that holds build/cmake/android.toolchain.cmake")
endif()
set(ANDROID_ABI arm64-v8a)
set(ANDROID_PLATFORM android-24)
set(ANDROID_STL c++_static)
include($ENV{ANDROID_NDK_HOME}/build/cmake/android.toolchain.cmake)
