// What a program did, how long it took, and how fast that was: the words that every app ends with.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>

#include <upsweep/executor.hpp>

#include "report.hpp"

namespace app {

struct seconds {
  double read = 0, to_device = 0, work = 0, from_device = 0, write = 0, verify = 0;
};

//! 24.1 ms work (4.15 GB/s) on host; 30.2 ms read   With items, their rate too: (0.125 GB/s, 20.1 Mwords/s)
inline std::string account(const seconds& spent, std::int64_t bytes, const upsweep::any_executor& executor,
                           std::int64_t items = 0, const std::string& what = {}) {
  std::string text = duration(spent.work) + " work (" + rate(bytes, spent.work);
  if (!what.empty()) text += ", " + rate_of_items(items, spent.work, what);
  text += ") on " + std::string(executor.name()) + "; " + duration(spent.read) + " read";
  if (!executor.is_host())
    text += ", " + duration(spent.to_device) + " to device, " + duration(spent.from_device) + " back";
  if (spent.write > 0) text += ", " + duration(spent.write) + " written";
  return text;
}

}  // namespace app
