/* Scans, a sort, a compaction, a filter and a sparse matrix on a GPU, by a C compiler. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <upsweep/c.h>

static int wrong = 0;

static void check(int right, const char* what) {
  if (right) return;
  printf("WRONG: %s\n", what);
  wrong = 1;
}
/* Ends the program at an error of the library's. */
static void must(int status) {
  if (status == UPSWEEP_OK) return;
  fprintf(stderr, "plain_c: %s\n", upsweep_last_error().text);
  exit(1);
}
static void check_error(int status, int expected, const char* text) {
  check(status == expected && upsweep_last_error().status == expected, text);
  check(strstr(upsweep_last_error().text, text) == upsweep_last_error().text, upsweep_last_error().text);
}

enum { n = 100000 };
static double x[n], sums[n], sorted[n];

static void run(upsweep_device* device) {
  upsweep_memory* memory = NULL;
  void *in = NULL, *out = NULL;
  double total = 0;
  const upsweep_along reversed = {0, 1}, forward = {0, 0};
  must(upsweep_memory_of(device, &memory));
  must(upsweep_memory_allocate(memory, sizeof x, &in));
  must(upsweep_memory_allocate(memory, sizeof x, &out));
  must(upsweep_device_copy(device, in, x, sizeof x));
  const upsweep_input from = {in, n, UPSWEEP_DOUBLE};
  const upsweep_output to = {out, n, UPSWEEP_DOUBLE};
  must(upsweep_inclusive_scan(device, from, to, UPSWEEP_PLUS, reversed));
  must(upsweep_device_copy(device, sums, out, sizeof x));
  must(upsweep_reduce(device, from, UPSWEEP_PLUS, &total));
  double exact = 0;
  struct {
    double value;
    int64_t index;
  } largest;
  must(upsweep_reduce(device, from, UPSWEEP_REPRODUCIBLE_PLUS, &exact));
  must(upsweep_reduce(device, from, UPSWEEP_ARGMAX, &largest));
  must(upsweep_radix_sort(device, from, to, NULL));
  must(upsweep_device_copy(device, sorted, out, sizeof x));
  double expected = 0;
  for (int i = n - 1; i >= 0; i--) check(sums[i] == (expected += x[i]), "a sum");
  check(total == expected && exact == expected, "the total");
  for (int i = 0; i < n; i++) check(i < largest.index ? x[i] < largest.value : x[i] <= largest.value, "the largest item");
  check(x[largest.index] == largest.value, "where it is");
  for (int i = 1; i < n; i++) check(sorted[i - 1] <= sorted[i], "the order");

  /* A running sum as a filter. */
  const double coefficients[6] = {1, 0, 0, 1, -1, 0};
  const upsweep_sections one = {coefficients, 1, 1}, two = {coefficients, 1, 2};
  must(upsweep_sosfilt(device, one, from, to, NULL, NULL));
  must(upsweep_device_copy(device, sums, out, sizeof x));
  expected = 0;
  for (int i = 0; i < n; i++) check(sums[i] == (expected += x[i]), "a filtered item");
  check_error(upsweep_sosfilt(device, two, from, to, NULL, NULL), UPSWEEP_INVALID_ARGUMENT,
              "sections are of 2 filters");

  const double lowest = -100, highest = 99;
  const upsweep_interval small = {&lowest, &highest, 0}, unknown = {&lowest, NULL, 0};
  void* count = NULL;
  must(upsweep_device_result(device, &count));
  must(upsweep_copy_if(device, from, to, small, count));
  must(upsweep_device_synchronize(device));
  const int64_t kept = *(const int64_t*)count;
  must(upsweep_device_copy(device, sorted, out, sizeof x));
  int64_t k = 0;
  for (int i = 0; i < n; i++)
    if (lowest <= x[i] && x[i] <= highest) check(k < kept && sorted[k++] == x[i], "what is kept");
  check(k == kept && kept > 0, "how many are kept");
  check_error(upsweep_copy_if(device, from, to, unknown, count), UPSWEEP_INVALID_ARGUMENT,
              "interval: an end is a null pointer");

  const upsweep_output shorter = {out, n - 1, UPSWEEP_DOUBLE}, other = {out, n, UPSWEEP_FLOAT};
  check_error(upsweep_inclusive_scan(device, from, shorter, UPSWEEP_PLUS, forward), UPSWEEP_INVALID_ARGUMENT,
              "out has 99999 items, needs 100000");
  const upsweep_input words = {in, n, UPSWEEP_UINT64};
  const upsweep_output fewer_words = {out, n - 1, UPSWEEP_UINT64};
  check_error(upsweep_quicksort(device, from, shorter, 0), UPSWEEP_INVALID_ARGUMENT,
              "out has 99999 items, needs 100000");
  check_error(upsweep_quicksort(device, words, fewer_words, 0), UPSWEEP_INVALID_ARGUMENT,
              "out has 99999 items, needs 100000");
  check_error(upsweep_inclusive_scan(device, from, other, UPSWEEP_PLUS, forward), UPSWEEP_NOT_COMPILED, "out: ");
  check_error(upsweep_inclusive_scan(device, from, to, UPSWEEP_BIT_AND, forward), UPSWEEP_NOT_COMPILED, "monoid: ");
  check_error(upsweep_inclusive_scan(device, from, to, UPSWEEP_ARGMAX, forward), UPSWEEP_NOT_COMPILED, "monoid: ");
  upsweep_memory_free(memory, in, sizeof x);
  upsweep_memory_free(memory, out, sizeof x);
  upsweep_memory_destroy(memory);
}

/* Room on the device, with a copy of `from` if that is not null. */
static void* room_for(upsweep_device* device, upsweep_memory* memory, const void* from, size_t bytes) {
  void* room = NULL;
  must(upsweep_memory_allocate(memory, bytes, &room));
  if (from) must(upsweep_device_copy(device, room, from, bytes));
  return room;
}
/* A matrix of two rows, (0 3 0; 5 0 7): its product by a plan, its transposed one, and sums of its rows. */
static void run_matrix(upsweep_device* device) {
  const int32_t offsets[] = {0, 1, 3}, columns[] = {1, 0, 2}, wrong_columns[] = {1, 0, 3};
  const double values[] = {3, 5, 7}, factors[] = {1, 10, 100};
  int32_t rows_found[3];
  double values_found[3], product[2], sums[2];
  upsweep_memory* memory = NULL;
  upsweep_spmv_plan* plan = NULL;
  must(upsweep_memory_of(device, &memory));
  upsweep_csr a = {2,
                   3,
                   {room_for(device, memory, offsets, sizeof offsets), 3, UPSWEEP_INT32},
                   {room_for(device, memory, columns, sizeof columns), 3, UPSWEEP_INT32},
                   {room_for(device, memory, values, sizeof values), 3, UPSWEEP_DOUBLE}};
  const upsweep_input by = {room_for(device, memory, factors, sizeof factors), 3, UPSWEEP_DOUBLE};
  const upsweep_output y = {room_for(device, memory, NULL, sizeof product), 2, UPSWEEP_DOUBLE};
  const upsweep_csr_output transposed = {{room_for(device, memory, NULL, 4 * sizeof(int32_t)), 4, UPSWEEP_INT32},
                                         {room_for(device, memory, NULL, sizeof rows_found), 3, UPSWEEP_INT32},
                                         {room_for(device, memory, NULL, sizeof values_found), 3, UPSWEEP_DOUBLE}};
  must(upsweep_spmv_plan_create(device, &a, &plan));
  must(upsweep_spmv_planned(device, plan, by, y, NULL, NULL));
  must(upsweep_device_copy(device, product, y.data, sizeof product));
  upsweep_spmv_plan_destroy(plan);
  check(product[0] == 30 && product[1] == 705, "the product");
  must(upsweep_segmented_reduce(device, a.values, a.offsets, y, UPSWEEP_PLUS));
  must(upsweep_device_copy(device, sums, y.data, sizeof sums));
  check(sums[0] == 3 && sums[1] == 12, "the sums of rows");
  must(upsweep_csr_transpose(device, &a, &transposed));
  must(upsweep_device_copy(device, rows_found, transposed.column_indices.data, sizeof rows_found));
  must(upsweep_device_copy(device, values_found, transposed.values.data, sizeof values_found));
  check(rows_found[0] == 1 && rows_found[1] == 0 && rows_found[2] == 1, "the transposed matrix");
  check(values_found[0] == 5 && values_found[1] == 3 && values_found[2] == 7, "its values");
  must(upsweep_device_copy(device, (void*)a.column_indices.data, wrong_columns, sizeof wrong_columns));
  check_error(upsweep_csr_validate(device, &a), UPSWEEP_INVALID_ARGUMENT,
              "row 1: column 3 of non-zero 2 is not below 3");

  upsweep_memory_free(memory, (void*)a.offsets.data, sizeof offsets);
  upsweep_memory_free(memory, (void*)a.column_indices.data, sizeof columns);
  upsweep_memory_free(memory, (void*)a.values.data, sizeof values);
  upsweep_memory_free(memory, (void*)by.data, sizeof factors);
  upsweep_memory_free(memory, y.data, sizeof product);
  upsweep_memory_free(memory, transposed.offsets.data, 4 * sizeof(int32_t));
  upsweep_memory_free(memory, transposed.column_indices.data, sizeof rows_found);
  upsweep_memory_free(memory, transposed.values.data, sizeof values_found);
  upsweep_memory_destroy(memory);
}

int main(void) {
  upsweep_device* device = NULL;
  for (int i = 0; i < n; i++) x[i] = (double)(i * 7919LL % 1000 - 500); /* whose sums are exact */
  check(upsweep_c_version() == UPSWEEP_C_VERSION, "the version");
  check_error(upsweep_device_synchronize(NULL), UPSWEEP_INVALID_ARGUMENT, "device is a null pointer");
  if (upsweep_device_available()) {
    upsweep_device_properties properties;
    must(upsweep_device_create(NULL, &device));
    must(upsweep_device_get_properties(device, &properties));
    run(device);
    run_matrix(device);
    printf("on a GPU, sm_%d\n", properties.compute_capability);
  } else {
    check_error(upsweep_device_create(NULL, &device), UPSWEEP_NO_DEVICE, "device: no CUDA device was found");
    printf("no GPU: %s\n", upsweep_last_error().text);
  }
  upsweep_device_destroy(device);
  printf("plain_c: %s\n", wrong ? "WRONG" : "right");
  return wrong;
}
