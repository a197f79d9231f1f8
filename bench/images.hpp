// What benchmarks of histograms and images share: OpenCV as a peer on a CPU, results that are looked at on the host.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "harness.hpp"
#if !UPSWEEP_HAS_CUDA && defined(UPSWEEP_WITH_OPENCV)
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#endif

namespace bench {

//! Of a square picture; n is a power of 4.
inline index_t side_of(index_t n) {
  index_t side = 1;
  while (side * side < n) side *= 2;
  return side;
}

//! Where counts differ, whatever integers they are; or nothing.
template <class T, class U>
std::string compare_counts(bed& b, std::span<const T> ours, std::span<const U> peer) {
  const std::vector<T> counts = fetched(b, ours);
  const std::vector<U> expected = fetched(b, peer);
  for (std::size_t k = 0; k < counts.size(); k++)
    if (static_cast<index_t>(counts[k]) != static_cast<index_t>(expected[k]))
      return "wrong count: " + std::to_string(counts[k]) + " in bin " + std::to_string(k) + ", the peer has " +
             std::to_string(expected[k]);
  return {};
}

#if !UPSWEEP_HAS_CUDA && defined(UPSWEEP_WITH_OPENCV)
inline std::string opencv_name() {
  return "OpenCV " + std::to_string(CV_VERSION_MAJOR) + "." + std::to_string(CV_VERSION_MINOR);
}
//! A picture, without a copy.
template <class T>
cv::Mat opencv_image(std::span<const T> pixels, index_t width) {
  constexpr int type = std::is_same_v<T, float> ? CV_32F : sizeof(T) == 1 ? CV_8U : CV_16U;
  return cv::Mat(static_cast<int>(static_cast<index_t>(pixels.size()) / width), static_cast<int>(width), type,
                 const_cast<T*>(pixels.data()));
}
//! A call of OpenCV's by as many threads as the row has, whose results are its own.
template <class F>
contender opencv_call(bed& b, F call) {
  return {opencv_name(),
          [call, threads = b.exec.threads()]() mutable {
            cv::setNumThreads(threads);
            call();
          },
          0, true};
}
#endif

}  // namespace bench
