// Tests ask for more memory than there is, and expect null.

extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
