// Vectors in files: NumPy's arrays, or text, one number a line.
#pragma once
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "npy.hpp"
#include "numbers.hpp"
#include "output_files.hpp"
#include "program.hpp"

namespace app {

inline std::vector<double> read_vector(const std::string& name) {
  return about(name, [&] {
    file_bytes file(name);
    const bool is_array = npy::is_npy(file.view()) || npy::is_name(name);
    const numbers in = is_array ? npy::read(std::move(file)) : parse_numbers(file.view(), *find_number_type("float64"));
    std::vector<double> vector(static_cast<std::size_t>(in.size));
    with_type(*in.type, [&]<class T>(T) {
      for (std::size_t i = 0; i < vector.size(); i++)
        vector[i] = static_cast<double>(number_at<T>(in.data, static_cast<upsweep::index_t>(i)));
    });
    return vector;
  });
}

//! Writes to `out`, whose name says in what form. T is float or double.
template <class T>
void write_vector(output_file& out, std::span<const T> vector) {
  const auto write = npy::is_name(out.name()) ? npy::write : write_text;
  write(out, *find_number_type('f', sizeof(T)), reinterpret_cast<const std::byte*>(vector.data()),
        static_cast<upsweep::index_t>(vector.size()));
}

}  // namespace app
