// What SciPy says of filters. Written by tests/filter_values.py with SciPy 1.10.1 and NumPy 1.24.2: change it there.
// Numbers have the digits that give back the same double.
// clang-format off
#pragma once
#include <span>

#include "values/designs.hpp"
#include "values/sosfilt_lowpass_4.hpp"
#include "values/sosfilt_lowpass_3_slow.hpp"
#include "values/sosfilt_bandpass_3.hpp"
#include "values/lfilter_order_1.hpp"
#include "values/lfilter_order_3_scaled.hpp"
#include "values/lfilter_order_5.hpp"
#include "values/lfilter_order_8.hpp"
#include "values/lfilter_short_a.hpp"
#include "values/lfilter_fir_12.hpp"

namespace filter_values {
using values = std::span<const double>;

// butter(order, low or {low, high}, kind, output='sos', fs=sample_rate) and, up to order 6, its sosfilt_zi. A low-pass or
// high-pass has its cut-off in `low`.
struct design {
  const char* kind;
  int order;
  double low, high, sample_rate;
  values sos, zi;
};
// zpk2sos(zeros, poles, gain) of roots in rows of two, real and imaginary part, without those below the real axis.
struct pairing {
  values zeros, poles;
  double gain;
  values sos;
};
// A section of the cookbook: its analog prototype, by signal.bilinear. A notch: signal.iirnotch.
struct biquad {
  const char* kind;
  double frequency, gain_db, q, sample_rate;
  values sos;
};
// sosfreqz: rows of three, the frequency and the real and the imaginary part of the response.
struct response {
  values sos;
  double sample_rate;
  values rows;
};

// The signal that all outputs below are of. Its items are exact in float too.
inline constexpr int samples = 200;
constexpr double input(int i) { return ((37 * i * i + 101 * i) % 1009 - 504) / 512.; }

// y, zf: sosfilt(sos, x, zi=zeros). y_zi, zf_zi: sosfilt(sos, x, zi=sosfilt_zi(sos) * x[0]). y_both: sosfiltfilt(sos, x).
struct sosfilt_case {
  const char* name;
  values sos, zi, y, zf, y_zi, zf_zi, y_both;
};
// The same of lfilter(b, a, x), lfilter_zi(b, a) and filtfilt(b, a, x).
struct lfilter_case {
  const char* name;
  values b, a, zi, y, zf, y_zi, zf_zi, y_both;
};
inline constexpr design designs[] = {
    {"lowpass", 1, 4800.0, 0.0, 48000.0, designs_0_sos, designs_0_zi},
    {"lowpass", 2, 0.25, 0.0, 1.0, designs_1_sos, designs_1_zi},
    {"lowpass", 3, 100.0, 0.0, 8000.0, designs_2_sos, designs_2_zi},
    {"lowpass", 4, 1000.0, 0.0, 44100.0, designs_3_sos, designs_3_zi},
    {"lowpass", 5, 0.05, 0.0, 1.0, designs_4_sos, designs_4_zi},
    {"lowpass", 8, 0.1, 0.0, 1.0, designs_5_sos, {}},
    {"lowpass", 12, 0.3, 0.0, 1.0, designs_6_sos, {}},
    {"lowpass", 2, 0.0001, 0.0, 1.0, designs_7_sos, designs_7_zi},
    {"lowpass", 5, 0.0001, 0.0, 1.0, designs_8_sos, designs_8_zi},
    {"lowpass", 7, 20.0, 0.0, 20000.0, designs_9_sos, {}},
    {"lowpass", 3, 0.49, 0.0, 1.0, designs_10_sos, designs_10_zi},
    {"lowpass", 30, 0.2, 0.0, 1.0, designs_11_sos, {}},
    {"highpass", 1, 0.1, 0.0, 1.0, designs_12_sos, designs_12_zi},
    {"highpass", 2, 0.0001, 0.0, 1.0, designs_13_sos, designs_13_zi},
    {"highpass", 3, 0.4, 0.0, 1.0, designs_14_sos, designs_14_zi},
    {"highpass", 5, 9600.0, 0.0, 48000.0, designs_15_sos, designs_15_zi},
    {"highpass", 6, 0.02, 0.0, 1.0, designs_16_sos, designs_16_zi},
    {"highpass", 11, 0.1, 0.0, 1.0, designs_17_sos, {}},
    {"bandpass", 1, 0.1, 0.2, 1.0, designs_18_sos, designs_18_zi},
    {"bandpass", 2, 300.0, 3400.0, 16000.0, designs_19_sos, designs_19_zi},
    {"bandpass", 3, 0.0001, 0.0002, 1.0, designs_20_sos, designs_20_zi},
    {"bandpass", 4, 0.05, 0.3, 1.0, designs_21_sos, designs_21_zi},
    {"bandpass", 5, 0.001, 0.49, 1.0, designs_22_sos, designs_22_zi},
    {"bandpass", 6, 0.2, 0.22, 1.0, designs_23_sos, designs_23_zi},
    {"bandpass", 9, 0.1, 0.15, 1.0, designs_24_sos, {}},
    {"bandpass", 12, 0.3, 0.45, 1.0, designs_25_sos, {}},
    {"bandstop", 1, 49.0, 51.0, 1000.0, designs_26_sos, designs_26_zi},
    {"bandstop", 2, 0.1, 0.2, 1.0, designs_27_sos, designs_27_zi},
    {"bandstop", 3, 0.01, 0.45, 1.0, designs_28_sos, designs_28_zi},
    {"bandstop", 4, 0.2, 0.35, 1.0, designs_29_sos, designs_29_zi},
    {"bandstop", 5, 0.12, 0.13, 1.0, designs_30_sos, designs_30_zi},
    {"bandstop", 10, 0.1, 0.2, 1.0, designs_31_sos, {}},
};

inline constexpr design symmetric_designs[] = {
    {"bandpass", 4, 0.2, 0.3, 1.0, symmetric_designs_0_sos, symmetric_designs_0_zi},
    {"bandpass", 3, 0.1, 0.4, 1.0, symmetric_designs_1_sos, symmetric_designs_1_zi},
    {"bandstop", 4, 0.15, 0.35, 1.0, symmetric_designs_2_sos, symmetric_designs_2_zi},
};

inline constexpr pairing pairings[] = {
    {pairings_0_zeros, pairings_0_poles, 0.25, pairings_0_sos},
    {pairings_1_zeros, pairings_1_poles, -2.0, pairings_1_sos},
    {pairings_2_zeros, pairings_2_poles, 1.0, pairings_2_sos},
};

inline constexpr biquad biquads[] = {
    {"low_shelf", 200.0, 6.0, 0.7, 48000.0, biquads_0_sos},
    {"low_shelf", 1000.0, -12.0, 0.7071067811865476, 44100.0, biquads_1_sos},
    {"low_shelf", 0.3, 24.0, 2.0, 1.0, biquads_2_sos},
    {"high_shelf", 8000.0, 6.0, 0.7, 48000.0, biquads_3_sos},
    {"high_shelf", 1000.0, -12.0, 0.7071067811865476, 44100.0, biquads_4_sos},
    {"high_shelf", 0.01, 3.0, 0.3, 1.0, biquads_5_sos},
    {"peak", 1000.0, 6.0, 1.0, 48000.0, biquads_6_sos},
    {"peak", 60.0, -20.0, 10.0, 8000.0, biquads_7_sos},
    {"peak", 0.45, 12.0, 0.5, 1.0, biquads_8_sos},
    {"notch", 50.0, 0.0, 30.0, 1000.0, biquads_9_sos},
    {"notch", 0.4, 0.0, 1.0, 1.0, biquads_10_sos},
    {"notch", 0.0001, 0.0, 2.0, 1.0, biquads_11_sos},
};

inline constexpr response responses[] = {
    {responses_0_sos, 44100.0, responses_0_rows},
    {responses_1_sos, 16000.0, responses_1_rows},
    {responses_2_sos, 1.0, responses_2_rows},
};

inline constexpr sosfilt_case sosfilt_cases[] = {
    {"lowpass_4", sosfilt_lowpass_4_sos, sosfilt_lowpass_4_zi, sosfilt_lowpass_4_y, sosfilt_lowpass_4_zf, sosfilt_lowpass_4_y_zi, sosfilt_lowpass_4_zf_zi, sosfilt_lowpass_4_y_both},
    {"lowpass_3_slow", sosfilt_lowpass_3_slow_sos, sosfilt_lowpass_3_slow_zi, sosfilt_lowpass_3_slow_y, sosfilt_lowpass_3_slow_zf, sosfilt_lowpass_3_slow_y_zi, sosfilt_lowpass_3_slow_zf_zi, sosfilt_lowpass_3_slow_y_both},
    {"bandpass_3", sosfilt_bandpass_3_sos, sosfilt_bandpass_3_zi, sosfilt_bandpass_3_y, sosfilt_bandpass_3_zf, sosfilt_bandpass_3_y_zi, sosfilt_bandpass_3_zf_zi, sosfilt_bandpass_3_y_both},
};

inline constexpr lfilter_case lfilter_cases[] = {
    {"order_1", lfilter_order_1_b, lfilter_order_1_a, lfilter_order_1_zi, lfilter_order_1_y, lfilter_order_1_zf, lfilter_order_1_y_zi, lfilter_order_1_zf_zi, lfilter_order_1_y_both},
    {"order_3_scaled", lfilter_order_3_scaled_b, lfilter_order_3_scaled_a, lfilter_order_3_scaled_zi, lfilter_order_3_scaled_y, lfilter_order_3_scaled_zf, lfilter_order_3_scaled_y_zi, lfilter_order_3_scaled_zf_zi, lfilter_order_3_scaled_y_both},
    {"order_5", lfilter_order_5_b, lfilter_order_5_a, lfilter_order_5_zi, lfilter_order_5_y, lfilter_order_5_zf, lfilter_order_5_y_zi, lfilter_order_5_zf_zi, lfilter_order_5_y_both},
    {"order_8", lfilter_order_8_b, lfilter_order_8_a, lfilter_order_8_zi, lfilter_order_8_y, lfilter_order_8_zf, lfilter_order_8_y_zi, lfilter_order_8_zf_zi, lfilter_order_8_y_both},
    {"short_a", lfilter_short_a_b, lfilter_short_a_a, lfilter_short_a_zi, lfilter_short_a_y, lfilter_short_a_zf, lfilter_short_a_y_zi, lfilter_short_a_zf_zi, lfilter_short_a_y_both},
    {"fir_12", lfilter_fir_12_b, lfilter_fir_12_a, lfilter_fir_12_zi, lfilter_fir_12_y, lfilter_fir_12_zf, lfilter_fir_12_y_zi, lfilter_fir_12_zf_zi, lfilter_fir_12_y_both},
};

}  // namespace filter_values
