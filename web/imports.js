// For Emscripten's linker: the functions that load.mjs gives to the module with threads.
mergeInto(LibraryManager.library, {
  micrort_web_wait: function() {},
  micrort_web_wake: function() {},
});
