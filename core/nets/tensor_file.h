// Reads safetensors files: a JSON header that names arrays, and their bytes. It trusts nothing in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tablier::nets {

// The file is not a network that this version can use. The text is a short name of the reason, for translation, and the
// reason in English.
struct BadFile : std::invalid_argument {
  BadFile(const std::string& slug, const std::string& text) : std::invalid_argument(slug + ": " + text) {}
};

class TensorFile {
 public:
  explicit TensorFile(std::span<const std::uint8_t> bytes);  // the bytes must outlive the object

  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  std::span<const std::uint8_t> data() const { return data_; }
  bool has(const std::string& name) const { return tensors_.count(name) > 0; }

  // The numbers of an array. Throws BadFile unless it has this element type and number of elements.
  template <class T>
  std::vector<T> read(const std::string& name, std::size_t count) const {
    const std::uint8_t* from = bytes(name, type_name(T{}), count, sizeof(T));  // before memory is allocated
    std::vector<T> numbers(count);
    if (count > 0) std::memcpy(numbers.data(), from, count * sizeof(T));
    return numbers;
  }
  std::size_t bytes_of(const std::string& name) const;

 private:
  struct Tensor {
    std::string type;
    std::size_t count = 1, begin = 0, end = 0;
  };

  static const char* type_name(std::int16_t) { return "I16"; }
  static const char* type_name(std::int32_t) { return "I32"; }
  static const char* type_name(double) { return "F64"; }
  const std::uint8_t* bytes(const std::string& name, const std::string& type, std::size_t count,
                            std::size_t size) const;
  void expect_no_gaps() const;
  const Tensor& find(const std::string& name) const;

  std::map<std::string, std::string> metadata_;
  std::map<std::string, Tensor> tensors_;
  std::span<const std::uint8_t> data_;
};

// CRC-32 (polynomial 0xEDB88320, as in zlib) of bytes that follow those with the sum `before`.
std::uint32_t crc32(std::span<const std::uint8_t> bytes, std::uint32_t before = 0);

}  // namespace tablier::nets
