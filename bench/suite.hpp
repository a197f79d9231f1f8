// Look-alikes of 16 matrices of the SuiteSparse collection (Davis and Hu 2011): the ones that papers on sparse products
// measure. Rows, columns, non-zeros, mean and longest row are theirs to about a percent; the structure is as told. Of
// kron_g500-21's columns 6 % repeat one of their row; the real one has each once.
#pragma once
#include <array>

#include "matrices.hpp"

namespace bench {

// Fresh values each run, but always the same structure.
inline constexpr std::uint64_t suite_seed = 20261120;

// clang-format off
inline constexpr std::array<shape, 16> suite_shapes{{
  // name               rows   columns non-zeros lengths         least     scale  exp empty     most hubs block columns         window far
  {"mc2depi",        525825,   525825,   2.10e6, law::between,      4,        0,   0,    0,       4,   0,    1, place::lattice,   513,   0},
  {"mac_econ",       206500,   206500,   1.27e6, law::lognormal,    0,     5.10, .62,    0,      44,   1,    1, place::spread,  40000,   0},
  {"scircuit",       170998,   170998,    .96e6, law::power,        2,     5.42, .40,    0,     353,   1,    1, place::spread,    400, .25},
  {"webbase-1M",    1000005,  1000005,   3.11e6, law::power,        1,     1.41, .60,    0,    4700,   1,    1, place::spread,   5000, .20},
  {"cant",            62451,    62451,   4.01e6, law::between,   17.4,        8,   0,    0,      78,   1,    3, place::blocks,    540,   0},
  {"pwtk",           217918,   217918,  11.63e6, law::between,      7,      3.8,   0,    0,     180,   1,    6, place::blocks,   1800,   0},
  {"ldoor",          952203,   952203,  46.52e6, law::between,      4,     5.96,   0,    0,      77,   1,    7, place::blocks,   7000,   0},
  {"cage15",        5154859,  5154859,  99.20e6, law::between,      8,     22.5,   0,    0,      47,   1,    1, place::spread,  20000, .50},
  {"in-2004",       1382908,  1382908,  16.92e6, law::power,        0,    12.57, .55,  .20,    7753,   1,    1, place::spread,   8000, .15},
  {"wiki-Talk",     2394385,  2394385,   5.02e6, law::power,        1,     18.1, .65,  .94,  100022,   1,    1, place::popular,     0,   0},
  {"ASIC_680k",      682862,   682862,   3.87e6, law::power,        3,     3.53, .30,    0,  395259,   2,    1, place::spread,    800, .10},
  {"circuit5M",     5558326,  5558326,  59.52e6, law::power,      6.6,      .36, .90,    0, 1290501,   6,    1, place::spread,   4000, .10},
  {"rail4284",         4284,  1096894,  11.28e6, law::power,        1,     1948, .60,    0,   56181,   1,    1, place::spread,      0,   1},
  {"kron_g500-21",  2097152,  2097152, 182.08e6, law::rmat,         0, 182.44e6,   0,    0,  213904,   0,    1, place::rmat,        0,   0},
  {"europe_osm",   50912018, 50912018, 108.11e6, law::between,    1.6,     1.05,   0,    0,      13,   1,    1, place::spread,     64, .05},
  {"dense",            4096,     4096,  16.78e6, law::between,   4096,        0,   0,    0,    4096,   0,    1, place::spread,   4096,   0},
}};
// clang-format on

}  // namespace bench
