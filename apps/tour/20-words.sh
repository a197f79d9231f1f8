# The commonest words of a text. tr, sort and uniq say what is right.
headline "words: the commonest words by scans and sorts"

source_text=$work/text # made by the stop before
echo "  the text: this project's sources, licences and C headers, $(megabytes "$source_text")"
out=$work/words
began=$EPOCHREALTIME
count_by_pipe() {
  LC_ALL=C tr A-Z a-z <"$source_text" | LC_ALL=C tr -cs "a-z0-9'\200-\377" '\n' | sed '/^$/d' | LC_ALL=C sort -S 1G | uniq -c |
    LC_ALL=C sort >"$work/expected"
}
with_progress "tr | sort | uniq -c" count_by_pipe
pipe_took=$(seconds "$began")
for backend in $backends; do
  began=$EPOCHREALTIME
  show "$bin/words" --check --top 1000000000 --backend "$backend" "$source_text" || wrong "words failed"
  took=$(seconds "$began")
  sed 's/^/    /' <(head -n 5 "$out")
  cmp <(LC_ALL=C sort "$out") "$work/expected" || wrong "sort | uniq -c counts otherwise"
  right "the $(wc -l <"$out") counts of tr | sort | uniq -c; all in all $took (they: $pipe_took)"
done
