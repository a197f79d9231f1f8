// Histograms on the device. Bytes are counted by value in banks of their own (byte_counts.hpp), all other items in as
// many copies of the bins as shared memory holds (item_counts.hpp), and then what values or copies stand for is added.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/send_words.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/bins.hpp>
#include <upsweep/images/cuda/byte_counts.hpp>
#include <upsweep/images/cuda/item_counts.hpp>
#include <upsweep/images/cuda/meetings.hpp>
#include <upsweep/images/cuda/pixel_slots.hpp>
#include <upsweep/images/cuda/tuning.hpp>
#include <upsweep/scratch.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class T, class Bin>
struct count_bytes_args {
  pixel_slots<std::uint8_t> in;
  pixel_mask mask;
  Bin bin;
  unsigned long long* counts;    // all bins of an image, then those of the next
  unsigned long long* by_value;  // when an image has several CTAs: 256 counts, which may be `counts`
  progress* head;
  int parts;
};

//! What 256 values' counts add up to in the bins of an image. All threads call.
template <class T, class Bin, class Count>
__device__ void write_bins(const Bin& bin, const Count* by_value, unsigned long long* counts) {
  constexpr bool is_level = std::is_same_v<Bin, detail::level_bins>;
  const auto threads = static_cast<std::uint32_t>(blockDim.x);
  if constexpr (!is_level) {
    for (std::uint32_t b = threadIdx.x; b < bin.bins; b += threads) counts[b] = 0;
    __threadfence();
    __syncthreads();
  }
  for (std::uint32_t v = threadIdx.x; v < byte_values; v += threads) {
    const std::uint32_t b = bin(static_cast<T>(static_cast<std::uint8_t>(v)));
    if (b >= bin.bins) continue;
    if constexpr (is_level) counts[b] = by_value[v];
    else if (by_value[v]) atomicAdd(counts + b, static_cast<unsigned long long>(by_value[v]));
  }
}

template <class T, class Bin, bool Masked, class Way>
__global__ void __launch_bounds__(Way::threads) count_bytes_kernel(const __grid_constant__ count_bytes_args<T, Bin> a) {
  extern __shared__ __align__(16) std::byte memory[];
  __shared__ std::uint32_t sums[byte_values];
  __shared__ bool flag;
  const byte_counters<Way::copies> counters(memory);
  const grid_counts of_all(a.head, a.by_value);
  const index_t image = blockIdx.x / a.parts;
  const int part = static_cast<int>(blockIdx.x) % a.parts;
  uint4 v[Way::vectors];
  count_bytes<Way::vectors, Masked>({a.in, image, part, a.parts}, counters, a.mask, image, v, [&] { of_all.zero(); });
  __syncthreads();
  counters.sum_up(sums);
  __syncthreads();
  if (a.parts == 1) return write_bins<T>(a.bin, sums, a.counts + image * a.bin.bins);
  of_all.add(sums);
  if (a.by_value == a.counts) return of_all.leave();
  if (!is_last_out(a.head, flag)) return;
  of_all.forget();
  __shared__ std::uint64_t all[byte_values];
  of_all.read(all);
  write_bins<T>(a.bin, all, a.counts);
}

//! Scratch memory that counting takes: 256 counts.
inline constexpr std::size_t count_scratch_bytes = byte_values * sizeof(unsigned long long);

template <class T, class Bin, bool Masked>
void count_bytes(device& executor, const detail::pixels<const T>& in, const pixel_mask& mask, const Bin& bin,
                 unsigned long long* counts, std::byte* scratch) {
  const auto bytes = in.template as<const std::uint8_t>();
  const pixel_slots<std::uint8_t> slots(Masked ? bytes : bytes.joined_rows());
  const bool are_bins = std::is_same_v<Bin, detail::level_bins> && bin.bins == byte_values && is_device_only(counts);
  constexpr tuning::histogram_shape shape = tuning::byte_counts;
  choose_way(executor, in.count, slots.slots, any_images<shape.threads, shape.vectors>{}, [&]<class Way>(Way) {
    const image_parts parts = parts_of(executor, in.count, slots.slots, Way::threads, shape.slots_of_cta);
    launch<&count_bytes_kernel<T, Bin, Masked, Way>>(
        executor, parts.ctas(), parts.threads, bytes_of_copies<Way::copies>,
        count_bytes_args<T, Bin>{
            .in = slots,
            .mask = mask,
            .bin = bin,
            .counts = counts,
            .by_value = are_bins ? counts : reinterpret_cast<unsigned long long*>(scratch),
            .head = parts.parts > 1 ? reinterpret_cast<progress*>(executor.workspace(sizeof(progress)).data) : nullptr,
            .parts = parts.parts});
  });
}

//! counts[image·bins + bin] of all images of a batch, in one launch or in one for each.
template <class T, class Bin>
void count_batch(device& executor, const detail::pixels<const T>& in, const detail::pixels<const std::uint8_t>* mask,
                 const Bin& bin, unsigned long long* counts, std::byte* scratch) {
  const auto count = [&](const detail::pixels<const T>& images, const pixel_mask& flags, unsigned long long* to) {
    if constexpr (sizeof(T) > 1) count_items<T, Bin>(executor, images, flags, bin, to);
    else if (mask) count_bytes<T, Bin, true>(executor, images, flags, bin, to, scratch);
    else count_bytes<T, Bin, false>(executor, images, flags, bin, to, scratch);
  };
  const auto flags_of = [](const detail::pixels<const std::uint8_t>& all) {
    return pixel_mask{all.data, all.pitch, all.image_pitch};
  };
  if (!one_by_one(executor, in.count, in.per_image() * static_cast<index_t>(sizeof(T))))
    return count(in, mask ? flags_of(*mask) : pixel_mask{}, counts);
  for (index_t k = 0; k < in.count; k++) {
    count(in.one(k), mask ? flags_of(mask->one(k)) : pixel_mask{}, counts + k * bin.bins);
  }
}

}  // namespace UPSWEEP_NAMESPACE::gpu

namespace UPSWEEP_NAMESPACE::detail {

template <class T, class Bin, class Count>
void count_pixels(device& executor, const pixels<const T>& in, const pixels<const std::uint8_t>* mask, const Bin& bin,
                  Count* counts) {
  const gpu::current_device here(executor.ordinal());
  auto* const to = reinterpret_cast<unsigned long long*>(counts);
  const auto bytes = static_cast<index_t>(gpu::count_scratch_bytes);
  std::byte* memory = nullptr;
  if constexpr (is_edge_bins<Bin>::value) {
    using Edge = std::remove_const_t<std::remove_pointer_t<decltype(bin.edges)>>;
    Edge* edges = nullptr;
    in_scratch(executor, [&](scratch_cutter& scratch) {
      memory = scratch.take<std::byte>(bytes);
      edges = scratch.take<Edge>(bin.bins + 1);
    });
    gpu::send_words(executor, bin.edges, (std::size_t{bin.bins} + 1) * sizeof(Edge),
                    reinterpret_cast<std::byte*>(edges));
    gpu::count_batch(executor, in, mask, Bin{bin.bins, edges}, to, memory);
  } else {
    in_scratch(executor, [&](scratch_cutter& scratch) { memory = scratch.take<std::byte>(bytes); });
    gpu::count_batch(executor, in, mask, bin, to, memory);
  }
}

}  // namespace UPSWEEP_NAMESPACE::detail
