# Numbers in order. coreutils' sort says what is right.
headline "sort: numbers of a file in order"

numbers=$work/numbers
write_numbers() { # the bytes of the text, eight at a time: numbers with much in common
  head -c 32000000 "$work/text" | od -An -v -w8 -td8 | tr -d ' ' >"$numbers.new"
  mv "$numbers.new" "$numbers"
}
[[ -e $numbers ]] || with_progress "collecting numbers" write_numbers
echo "  the numbers: every eight bytes of the text above as one, $(wc -l <"$numbers") of them, $(megabytes "$numbers")"
began=$EPOCHREALTIME
LC_ALL=C with_progress "sort -n" sort -S 1G -n "$numbers" >"$work/expected"
sort_took=$(seconds "$began")
for backend in $backends; do
  out=$work/sorted
  for method in radix quick; do
    began=$EPOCHREALTIME
    show "$bin/sort" --check --method "$method" --backend "$backend" "$numbers" || wrong "sort failed"
    took=$(seconds "$began")
    cmp "$out" "$work/expected" || wrong "sort -n gives another order"
    right "the order of sort -n, byte for byte; all in all $took (sort -n: $sort_took)"
  done

  # By way of NumPy's files, and from the other end.
  show "$bin/sort" --backend "$backend" --order descending "$numbers" "$work/sorted.npy" || wrong "sort failed"
  show "$bin/sort" --backend "$backend" "$work/sorted.npy" || wrong "sort failed"
  cmp "$out" "$work/expected" || wrong "a .npy file holds other numbers"
  right "the same by way of a .npy file"
done

# What a quicksort does on the way there, to look at.
show "$bin/sort" --backend "$backend" --picture "$work/levels.png" "$numbers" || wrong "sort failed"
cmp "$out" "$work/expected" || wrong "sort -n gives another order"
[[ $(head -c 4 "$work/levels.png" | tail -c 3) == PNG ]] || wrong "there is no picture"
right "the same order; the picture is $PWD/$work/levels.png"
