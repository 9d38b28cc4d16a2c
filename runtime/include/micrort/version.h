#ifndef MICRORT_VERSION_H
#define MICRORT_VERSION_H
/*
 * The version. This is the only place that defines it: CMake reads it for programs, packages and model files.
 * C99 and C++. Semantic versioning: https://semver.org.
 */

#define MICRORT_VERSION_MAJOR 0
#define MICRORT_VERSION_MINOR 2
#define MICRORT_VERSION_PATCH 0
#define MICRORT_VERSION "0.2.0"

#ifdef __cplusplus
namespace micrort {

constexpr const char* kVersion = MICRORT_VERSION;

}  // namespace micrort
#endif

#endif
