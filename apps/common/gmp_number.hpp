// Whole numbers of GMP's, which reads and writes them in decimal and says what is right; and their limbs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <gmp.h>

#include "report.hpp"

namespace app {

class gmp_number {
 public:
  gmp_number() { mpz_init(value_); }
  gmp_number(const gmp_number& other) { mpz_init_set(value_, other.value_); }
  gmp_number(gmp_number&& other) noexcept : gmp_number() { mpz_swap(value_, other.value_); }
  gmp_number& operator=(const gmp_number&) = delete;
  ~gmp_number() { mpz_clear(value_); }

  //! Decimal digits, or 0x and hexadecimal ones, behind a sign or none. Throws std::runtime_error when it is something
  //! else.
  static gmp_number parsed(std::string_view text) {
    const bool negative = !text.empty() && text[0] == '-';
    std::string_view digits = text.substr(!text.empty() && (negative || text[0] == '+') ? 1 : 0);
    const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    if (hexadecimal) digits.remove_prefix(2);
    const char* const known = hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
    gmp_number number;
    if (digits.empty() || digits.find_first_not_of(known) != digits.npos ||
        mpz_set_str(number.value_, std::string(digits).c_str(), hexadecimal ? 16 : 10) != 0)
      throw std::runtime_error(in_quotes(text) + " is no whole number");
    if (negative) mpz_neg(number.value_, number.value_);
    return number;
  }
  static gmp_number fibonacci(std::uint64_t n) {
    gmp_number number;
    mpz_fib_ui(number.value_, n);
    return number;
  }
  //! A number's size by its limbs, the least significant one first.
  static gmp_number of_limbs(std::span<const std::uint64_t> limbs, bool negative) {
    gmp_number number;
    mpz_import(number.value_, limbs.size(), -1, sizeof(std::uint64_t), 0, 0, limbs.data());
    if (negative) mpz_neg(number.value_, number.value_);
    return number;
  }

  bool negative() const { return mpz_sgn(value_) < 0; }
  std::size_t limb_count() const { return (mpz_sizeinbase(value_, 2) + 63) / 64; }
  //! Of its size, without the sign: the first limb_count() of them.
  void put_limbs(std::uint64_t* limbs) const { mpz_export(limbs, nullptr, -1, sizeof(std::uint64_t), 0, 0, value_); }
  std::string text(bool hexadecimal) const {
    const std::unique_ptr<char, void (*)(void*)> digits(mpz_get_str(nullptr, hexadecimal ? 16 : 10, value_), std::free);
    const std::string all(digits.get());
    return hexadecimal ? (negative() ? "-0x" + all.substr(1) : "0x" + all) : all;
  }
  gmp_number& operator+=(const gmp_number& other) {
    mpz_add(value_, value_, other.value_);
    return *this;
  }
  friend bool operator==(const gmp_number& a, const gmp_number& b) { return mpz_cmp(a.value_, b.value_) == 0; }

 private:
  mpz_t value_;
};

}  // namespace app
