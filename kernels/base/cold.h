#pragma once
// For functions that decide and measure before anything runs: compiled for size, wherever they are.

#if defined(__GNUC__)
#define MICRORT_COLD __attribute__((cold))
#else
#define MICRORT_COLD
#endif
