// Access to the caller's NumPy arrays through the buffer protocol: no copies, and a clear error for a wrong shape,
// dtype or layout. It does not depend on NumPy's headers.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "../game.h"

namespace tablier {

namespace nb = nanobind;

// NumPy's letter for a width depends on the system: long has 32 bits on Windows.
inline constexpr bool kLongIs64 = sizeof(long) == 8;

template <class T>
struct Dtype;
template <>
struct Dtype<float> {
  static constexpr const char *name = "float32", *formats = "f";
};
template <>
struct Dtype<double> {
  static constexpr const char *name = "float64", *formats = "d";
};
template <>
struct Dtype<std::int32_t> {
  static constexpr const char *name = "int32", *formats = kLongIs64 ? "i" : "il";
};
template <>
struct Dtype<std::int64_t> {
  static constexpr const char *name = "int64", *formats = kLongIs64 ? "lq" : "q";
};
template <>
struct Dtype<std::uint64_t> {
  static constexpr const char *name = "uint64", *formats = kLongIs64 ? "LQ" : "Q";
};
template <>
struct Dtype<bool> {
  static constexpr const char *name = "bool", *formats = "?";
};
template <>
struct Dtype<std::uint8_t> {
  static constexpr const char *name = "uint8", *formats = "B";
};
template <>
struct Dtype<std::int8_t> {
  static constexpr const char *name = "int8", *formats = "b";
};

// Holds the buffer of one array during its lifetime.
class CallerArray {
 public:
  CallerArray(nb::handle array, const char* name, bool writable) : name_(name) {
    const int flags = PyBUF_STRIDES | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(array.ptr(), &view_, flags) != 0) {
      PyErr_Clear();
      if (!PyObject_CheckBuffer(array.ptr())) fail("must be a NumPy array");
      if (!writable || PyObject_GetBuffer(array.ptr(), &view_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
        PyErr_Clear();
        fail("has an unsupported dtype");
      }
      PyBuffer_Release(&view_);
      fail("is read-only; pass a writable array");
    }
  }
  ~CallerArray() { PyBuffer_Release(&view_); }
  CallerArray(const CallerArray&) = delete;
  CallerArray& operator=(const CallerArray&) = delete;

  template <class T>
  bool is() const {
    return view_.itemsize == sizeof(T) && view_.format && view_.format[0] && !view_.format[1] &&
           std::string_view(Dtype<T>::formats).find(view_.format[0]) != std::string_view::npos;
  }

  void* data() const { return view_.buf; }

  // Raises unless the array is C-contiguous with exactly this shape.
  void expect_shape(const std::vector<Py_ssize_t>& shape) const {
    const std::vector<Py_ssize_t> seen(view_.shape, view_.shape + view_.ndim);
    if (seen != shape) fail(("has shape " + text(seen) + "; expected " + text(shape)).c_str());
    if (!PyBuffer_IsContiguous(&view_, 'C')) fail("is not C-contiguous; pass an array without gaps or transposition");
  }

  template <class T>
  T* expect(const std::vector<Py_ssize_t>& shape) const {
    if (!is<T>()) fail((std::string("has dtype format '") + view_.format + "'; expected " + Dtype<T>::name).c_str());
    expect_shape(shape);
    return static_cast<T*>(data());
  }

  [[noreturn]] void fail(const char* problem) const {
    throw nb::type_error(("array '" + std::string(name_) + "' " + problem).c_str());
  }

 private:
  static std::string text(const std::vector<Py_ssize_t>& shape) {
    std::string list = "(";
    for (const auto dim : shape) list += (list.size() > 1 ? ", " : "") + std::to_string(dim);
    return list + (shape.size() == 1 ? ",)" : ")");
  }

  const char* name_;
  Py_buffer view_;
};

inline std::vector<Py_ssize_t> dims(const Shape& shape) { return {shape.dims, shape.dims + shape.rank}; }

inline nb::tuple shape_tuple(const Shape& shape) {
  nb::list list;
  for (int i = 0; i < shape.rank; ++i) list.append(shape.dims[i]);
  return nb::tuple(list);
}

// Creates a NumPy array of zeros.
inline nb::object new_array(const nb::tuple& shape, const char* dtype) {
  return nb::module_::import_("numpy").attr("zeros")(shape, dtype);
}

}  // namespace tablier
