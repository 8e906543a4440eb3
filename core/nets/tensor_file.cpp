#include "tensor_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <string_view>
#include <utility>

namespace tablier::nets {

namespace {

constexpr std::size_t kMaxHeader = 1 << 20;
static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

// Reads the part of JSON that a safetensors header uses: objects, arrays of whole numbers, and strings.
class Header {
 public:
  explicit Header(std::string_view text) : text_(text) {}

  template <class Member>
  void object(Member member) {
    expect('{');
    if (accept('}')) return;
    do {
      const std::string name = string();
      expect(':');
      member(name);
    } while (accept(','));
    expect('}');
  }

  std::vector<std::size_t> numbers() {
    std::vector<std::size_t> result;
    expect('[');
    if (accept(']')) return result;
    do {
      skip();
      std::size_t number = 0, digits = 0;
      for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_, ++digits) {
        number = 10 * number + static_cast<std::size_t>(text_[at_] - '0');
      }
      if (digits == 0 || digits > 15) fail();
      result.push_back(number);
    } while (accept(','));
    expect(']');
    return result;
  }

  std::string string() {
    expect('"');
    std::string result;
    while (at_ < text_.size() && text_[at_] != '"') {
      char c = text_[at_++];
      if (c == '\\') {
        if (at_ == text_.size()) fail();
        c = text_[at_++];
        if (c == 'n') {
          c = '\n';
        } else if (c != '"' && c != '\\' && c != '/') {
          fail();
        }
      }
      result += c;
    }
    expect('"');
    return result;
  }

  void end() {
    skip();
    if (at_ != text_.size()) fail();
  }

  [[noreturn]] static void fail() { throw BadFile("header", "the header is damaged"); }

 private:
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool accept(char c) {
    skip();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

TensorFile::TensorFile(std::span<const std::uint8_t> bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) throw BadFile("header", "the file is too short");
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > kMaxHeader || length > bytes.size() - sizeof length) throw BadFile("header", "the header is damaged");
  data_ = bytes.subspan(sizeof length + length);
  Header header({reinterpret_cast<const char*>(bytes.data()) + sizeof length, length});
  header.object([&](const std::string& name) {
    if (name == "__metadata__") {
      header.object([&](const std::string& key) {
        if (!metadata_.emplace(key, header.string()).second) Header::fail();
      });
      return;
    }
    Tensor tensor;
    std::set<std::string> keys;
    header.object([&](const std::string& key) {
      if (!keys.insert(key).second) Header::fail();
      if (key == "dtype") {
        tensor.type = header.string();
      } else if (key == "shape") {
        for (const std::size_t size : header.numbers()) tensor.count *= size;
      } else if (key == "data_offsets") {
        const auto offsets = header.numbers();
        if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data_.size()) Header::fail();
        tensor.begin = offsets[0];
        tensor.end = offsets[1];
      } else {
        Header::fail();
      }
    });
    if (keys.size() != 3 || !tensors_.emplace(name, tensor).second) Header::fail();
  });
  header.end();
  expect_no_gaps();
}

// The checksum covers all bytes of the data. Since each belongs to one array, it covers the arrays.
void TensorFile::expect_no_gaps() const {
  std::vector<std::pair<std::size_t, std::size_t>> parts;
  parts.reserve(tensors_.size());
  for (const auto& [name, tensor] : tensors_) parts.emplace_back(tensor.begin, tensor.end);
  std::sort(parts.begin(), parts.end());
  std::size_t at = 0;
  for (const auto& [begin, end] : parts) {
    if (begin != at) Header::fail();
    at = end;
  }
  if (at != data_.size()) Header::fail();
}

const TensorFile::Tensor& TensorFile::find(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw BadFile("arrays", "the array '" + name + "' is missing");
  return found->second;
}

std::size_t TensorFile::bytes_of(const std::string& name) const { return find(name).end - find(name).begin; }

const std::uint8_t* TensorFile::bytes(const std::string& name, const std::string& type, std::size_t count,
                                      std::size_t size) const {
  const Tensor& tensor = find(name);
  if (tensor.type != type || tensor.count != count || tensor.end - tensor.begin != count * size) {
    throw BadFile("arrays", "the array '" + name + "' has the wrong type or size");
  }
  return data_.data() + tensor.begin;
}

std::uint32_t crc32(std::span<const std::uint8_t> bytes, std::uint32_t before) {
  // kTable[k][b] is what byte b contributes when k further bytes follow it, so that eight bytes are added at once.
  static constexpr auto kTable = [] {
    std::array<std::array<std::uint32_t, 256>, 8> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ (value & 1 ? 0xEDB88320U : 0);
      table[0][i] = value;
    }
    for (std::size_t k = 1; k < 8; ++k) {
      for (std::size_t i = 0; i < 256; ++i) {
        table[k][i] = table[0][table[k - 1][i] & 255] ^ (table[k - 1][i] >> 8);
      }
    }
    return table;
  }();
  std::uint32_t sum = ~before;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    std::uint32_t next = 0;
    for (std::size_t k = 0; k < 8; ++k) {
      const std::uint32_t mixed = k < 4 ? bytes[k] ^ ((sum >> (8 * k)) & 255) : bytes[k];
      next ^= kTable[7 - k][mixed];
    }
    sum = next;
  }
  for (const std::uint8_t byte : bytes) sum = kTable[0][(sum ^ byte) & 255] ^ (sum >> 8);
  return ~sum;
}

}  // namespace tablier::nets
