#pragma once
// Parts of the kernels that a program need not link. Code that can do without one refers to it weakly, so
// that it is null unless something else of the program refers to it, too: OpResolver::Add…(types)
// (runtime/parts), and ahead-of-time C++.

// MICRORT_PART(SoftmaxFixed): behind the header that declares it and before its use, in a source file.
#define MICRORT_PART(symbol) extern __attribute__((weak)) decltype(symbol) symbol

// Whether the program has a symbol that is a part.
#define MICRORT_HAS_PART(symbol) (&(symbol) != nullptr)

// In a source file, that whoever links it links the part, too.
#define MICRORT_LINK(symbol) \
  [[gnu::used]] static decltype(&(symbol)) const MICRORT_LINK_NAME(__COUNTER__) = &(symbol)
#define MICRORT_LINK_NAME(number) MICRORT_LINK_NAME_OF(number)
#define MICRORT_LINK_NAME_OF(number) kLinked##number
