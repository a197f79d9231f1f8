/* The C interface of libupsweep_cuda: automata over texts (upsweep/automaton.hpp). A text is bytes, UPSWEEP_UINT8.
 * Ranges and results are memory that the device reaches. None waits.
 */
#ifndef UPSWEEP_C_AUTOMATON_H
#define UPSWEEP_C_AUTOMATON_H
#include <upsweep/c/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A table in host memory, which is read during a call only. */
typedef struct upsweep_automaton {
  int states; /* 1 to 64; up to 8, and up to 16, are faster */
  int start;
  const uint8_t* next;   /* next[256 * state + byte] */
  const uint8_t* kinds;  /* one a state: 0 does not accept, 1 to 254 are labels */
  const uint8_t* begins; /* like next, flags: with this byte another token begins; null: never */
} upsweep_automaton;

/* The state behind each byte, or before it; `states` are UPSWEEP_UINT8. */
UPSWEEP_C_API int upsweep_run_automaton(upsweep_device* device, const upsweep_automaton* automaton, upsweep_input text,
                                        upsweep_output states, int before);
/* The kind of the state behind the whole text. */
UPSWEEP_C_API int upsweep_match(upsweep_device* device, const upsweep_automaton* automaton, upsweep_input text,
                                int* kind);
/* How many bytes stand before each place where the automaton accepts; `ends` are UPSWEEP_INT64. */
UPSWEEP_C_API int upsweep_find_all(upsweep_device* device, const upsweep_automaton* automaton, upsweep_input text,
                                   upsweep_output ends, int64_t* count);
/* Tokens; `starts` and `lengths` are UPSWEEP_INT64, `kinds` UPSWEEP_UINT8. */
UPSWEEP_C_API int upsweep_tokenize(upsweep_device* device, const upsweep_automaton* automaton, upsweep_input text,
                                   upsweep_output starts, upsweep_output lengths, upsweep_output kinds, int64_t* count);

#ifdef __cplusplus
}
#endif
#endif
