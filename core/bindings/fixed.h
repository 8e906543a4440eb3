// Sequences from Python that nobody changes while they are read.
//
// nanobind reads the entries of a list in place. Converting one may run Python code (`__index__`, `__float__`) that
// changes the list, so a list is copied first.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <utility>

namespace tablier {

template <class T>
struct Fixed {
  T value;

  operator const T&() const { return value; }
};

// An argument that is a sequence of numbers, or of pairs of numbers.
template <class T>
using Numbers = Fixed<std::vector<T>>;
template <class T>
using Two = Fixed<std::pair<T, T>>;

}  // namespace tablier

namespace nanobind::detail {

template <class T>
struct type_caster<tablier::Fixed<T>> {
  NB_TYPE_CASTER(tablier::Fixed<T>, make_caster<T>::Name)

  bool from_python(handle given, std::uint8_t, cleanup_list*) noexcept {
    const object copy = PyList_Check(given.ptr()) ? steal(PyList_AsTuple(given.ptr())) : borrow(given);
    return copy.is_valid() && try_cast<T>(copy, value.value);
  }
};

}  // namespace nanobind::detail
