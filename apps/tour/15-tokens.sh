# The tokens of JSON and of C, by one run of an automaton. Python's json and re say what is right.
headline "tokens: lexers of JSON and C by an automaton"

if ! command -v python3 >/dev/null; then
  echo "  there is no Python here, which makes the texts and says what is right"
  return
fi
reference=tests/tokens_reference.py
write_json() {
  python3 -c '
import json, random, sys
random.seed(1)
items = [{"id": i, "name": "item \"%x\"" % random.getrandbits(40), "on": i % 3 == 0, "of": None,
          "sizes": [random.random(), -i, 1e-9]} for i in range(200000)]
json.dump(items, sys.stdout)' >"$work/items.json"
}
[[ -e $work/items.json ]] || with_progress "writing 200,000 records of JSON" write_json
find /usr/include -type f -name '*.h' 2>/dev/null | LC_ALL=C sort | awk 'NR <= 300' | tr '\n' '\0' | xargs -0 cat >"$work/headers.h"
echo "  the texts: JSON in one line, $(megabytes "$work/items.json"); 300 C headers, $(megabytes "$work/headers.h")"

out=$work/tokens
python3 $reference count "$work/items.json" >"$work/expected"
python3 $reference list c "$work/headers.h" >"$work/expected_list"
for backend in $backends; do
  show "$bin/tokens" --check --backend "$backend" "$work/items.json" || wrong "tokens failed"
  sed 's/^/    /' "$out"
  cmp "$out" "$work/expected" || wrong "Python's json counts otherwise"
  right "as many strings, numbers, words and brackets as Python's json reads"
  show "$bin/tokens" --check --list --language c --backend "$backend" "$work/headers.h" || wrong "tokens failed"
  cmp "$out" "$work/expected_list" || wrong "Python's re finds other tokens"
  right "the $(wc -l <"$out") tokens of C that Python's re finds"
done
