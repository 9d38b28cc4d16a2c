#include "kernels/base/platform/mapped_file.h"

namespace micrort {

MappedFile::~MappedFile() = default;
void MappedFile::Release(const void*, size_t) const {}
Status MappedFile::Open(const char*) { return MICRORT_ERROR(kUnsupported, "this build reads no files"); }

}  // namespace micrort
