/* Scans and a sort on a GPU, by a C compiler. */
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
  must(upsweep_radix_sort(device, from, to, NULL));
  must(upsweep_device_copy(device, sorted, out, sizeof x));
  double expected = 0;
  for (int i = n - 1; i >= 0; i--) check(sums[i] == (expected += x[i]), "a sum");
  check(total == expected, "the total");
  for (int i = 1; i < n; i++) check(sorted[i - 1] <= sorted[i], "the order");

  const upsweep_output shorter = {out, n - 1, UPSWEEP_DOUBLE}, other = {out, n, UPSWEEP_FLOAT};
  check_error(upsweep_inclusive_scan(device, from, shorter, UPSWEEP_PLUS, forward), UPSWEEP_INVALID_ARGUMENT,
              "out has 99999 items, needs 100000");
  check_error(upsweep_inclusive_scan(device, from, other, UPSWEEP_PLUS, forward), UPSWEEP_NOT_COMPILED, "out: ");
  check_error(upsweep_inclusive_scan(device, from, to, UPSWEEP_BIT_AND, forward), UPSWEEP_NOT_COMPILED, "monoid: ");
  upsweep_memory_free(memory, in, sizeof x);
  upsweep_memory_free(memory, out, sizeof x);
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
    printf("on a GPU, sm_%d\n", properties.compute_capability);
  } else {
    check_error(upsweep_device_create(NULL, &device), UPSWEEP_NO_DEVICE, "device: no CUDA device was found");
    printf("no GPU: %s\n", upsweep_last_error().text);
  }
  upsweep_device_destroy(device);
  printf("plain_c: %s\n", wrong ? "WRONG" : "right");
  return wrong;
}
