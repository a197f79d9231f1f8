// Ranges where an executor works, and back. On the host nothing is copied.
#pragma once
#include <cstddef>
#include <span>

#include <upsweep/buffer.hpp>
#include <upsweep/executor.hpp>

namespace app {

template <class T>
std::span<T> all_of(upsweep::buffer<T>& buffer) {
  return {buffer.data(), static_cast<std::size_t>(buffer.size())};
}
template <class T>
std::span<const T> all_of(const upsweep::buffer<T>& buffer) {
  return {buffer.data(), static_cast<std::size_t>(buffer.size())};
}

//! A range of host memory where the executor works; `copy` holds it on a device.
template <class T>
std::span<const T> bring(upsweep::any_executor& executor, std::span<const T> there, upsweep::buffer<T>& copy) {
  if (executor.is_host()) return there;
  copy = upsweep::buffer<T>(executor, there);
  return {copy.data(), there.size()};
}

//! A range where the executor works in host memory; `copy` holds it when it came from a device.
template <class T>
std::span<const T> fetch(upsweep::any_executor& executor, std::span<const T> there, upsweep::buffer<T>& copy) {
  if (executor.is_host()) return there;
  upsweep::host host(1);
  copy = upsweep::buffer<T>(host, static_cast<upsweep::index_t>(there.size()));
  executor.copy(copy.data(), there.data(), there.size_bytes());
  return {copy.data(), there.size()};
}

}  // namespace app
