// Opens a shared library on any system. It stays loaded until the process ends, unless close() is called.
#pragma once

#include <filesystem>
#include <string>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <system_error>
#else
#include <dlfcn.h>
#endif

namespace tablier {

class SharedLibrary {
 public:
  // On failure, is_open() is false and `error` gives the reason.
  SharedLibrary(const std::filesystem::path& path, std::string& error) {
#if defined(_WIN32)
    handle_ = LoadLibraryW(path.c_str());
    if (!handle_) error = std::system_category().message(static_cast<int>(GetLastError()));
#else
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_) error = dlerror();
#endif
  }

  bool is_open() const { return handle_ != nullptr; }

  // The function with this name, or nullptr.
  template <class Function>
  Function* find(const char* name) const {
#if defined(_WIN32)
    return reinterpret_cast<Function*>(reinterpret_cast<void*>(GetProcAddress(handle_, name)));
#else
    return reinterpret_cast<Function*>(dlsym(handle_, name));
#endif
  }

  void close() {
#if defined(_WIN32)
    FreeLibrary(handle_);
#else
    dlclose(handle_);
#endif
    handle_ = nullptr;
  }

 private:
#if defined(_WIN32)
  HMODULE handle_;
#else
  void* handle_;
#endif
};

}  // namespace tablier
