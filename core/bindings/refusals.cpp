// Translates a Refusal of the core (refusal.h) into tablier.messages.MessageError, which can be shown in any language,
// and failed conversions into TypeError.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "../refusal.h"
#include "objects.h"

namespace tablier {

namespace {

struct ToPython {
  nb::object operator()(std::int64_t number) const { return nb::int_(number); }
  nb::object operator()(const std::string& text) const { return nb::str(text.c_str(), text.size()); }
  nb::object operator()(const Phrase& phrase) const {
    return messages().attr("Message")(phrase.code, **named(phrase.params));
  }

  template <class Value>
  static nb::dict named(const Named<Value>& params) {
    nb::dict result;
    for (const auto& [name, value] : params) result[name.c_str()] = std::visit(ToPython(), value);
    return result;
  }
  static nb::module_ messages() { return nb::module_::import_("tablier.messages"); }
};

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Refusal& refusal) {
    const nb::object type = ToPython::messages().attr("MessageError");
    const nb::object error = type(refusal.what(), refusal.code, ToPython::named(refusal.params));
    PyErr_SetObject(type.ptr(), error.ptr());
  } catch (const std::bad_cast&) {  // from nanobind, without a word about what was given
    PyErr_SetString(PyExc_TypeError, "an argument has the wrong type, was not initialised or is not valid text");
  }
}

}  // namespace

void bind_refusals() { nb::register_exception_translator(&translate); }

}  // namespace tablier
