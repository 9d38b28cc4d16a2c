#include <windows.h>

#include "kernels/base/platform/thread_cpus.h"
#include "kernels/base/platform/threads.h"

namespace micrort {

namespace {

int Set(DWORD_PTR cpus, DWORD_PTR* before) {
  *before = SetThreadAffinityMask(GetCurrentThread(), cpus);
  return *before != 0 ? 0 : static_cast<int>(GetLastError());
}

}  // namespace

// Windows tells what a thread is bound to only as it binds it to something else.
int GetThreadCpus(CpuSet* cpus) {
  DWORD_PTR process = 0, system = 0, thread = 0, ignored = 0;
  if (!GetProcessAffinityMask(GetCurrentProcess(), &process, &system))
    return static_cast<int>(GetLastError());
  if (const int error = Set(process, &thread); error != 0) return error;
  *cpus = CpuSet();
  cpus->words[0] = thread;
  return Set(thread, &ignored);
}

// The bits name the 64 CPUs of the thread's processor group. CPUs on which the process may not run are left
// out, as on Linux; Windows itself refuses the whole set then.
int SetThreadCpus(const CpuSet& cpus) {
  DWORD_PTR process = 0, system = 0, ignored = 0;
  if (!GetProcessAffinityMask(GetCurrentProcess(), &process, &system))
    return static_cast<int>(GetLastError());
  return Set(static_cast<DWORD_PTR>(cpus.words[0]) & process, &ignored);
}

#if MICRORT_THREADS
// Threads of Windows start on all CPUs of the process.
int StartThread(Thread* thread, void* (*start)(void*), void* argument) {
  const int error = pthread_create(thread, nullptr, start, argument);
  CpuSet makers;
  if (error != 0 || GetThreadCpus(&makers) != 0) return error;
  SetThreadAffinityMask(static_cast<HANDLE>(pthread_gethandle(*thread)),
                        static_cast<DWORD_PTR>(makers.words[0]));
  return 0;
}
#endif

}  // namespace micrort
