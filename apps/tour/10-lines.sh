# The lines that contain a word, by scans alone. grep says what is right, byte for byte.
headline "lines: grep -F by scans"

# Text that every machine has, repeated until it is 100 MB.
text=$work/text
write_text() {
  {
    find core algorithms apps tests bench -type f
    find /usr/share/common-licenses /usr/share/doc -type f \( -path '*/common-licenses/*' -o -name copyright \)
    find /usr/include -type f -name '*.h*'
  } | LC_ALL=C sort | tr '\n' '\0' | xargs -0 cat | (head -c 50000000 && cat >/dev/null) >"$work/piece"
  echo >>"$work/piece" # ends a line that was cut
  : >"$text.new"
  while (($(stat -c %s "$text.new") < 100000000)); do cat "$work/piece" >>"$text.new"; done
  rm "$work/piece"
  mv "$text.new" "$text"
}
[[ -e $text ]] || with_progress "collecting a text" write_text
echo "  the text: this project's sources, licences and C headers, $(megabytes "$text")"

out=$work/lines
for option in "" "--invert"; do
  began=$EPOCHREALTIME
  LC_ALL=C grep -aF ${option:+--invert-match} -e software "$text" >"$work/expected"
  grep_took=$(seconds "$began")
  for backend in $backends; do
    began=$EPOCHREALTIME
    show "$bin/lines" --check $option --backend "$backend" software "$text" || wrong "lines failed"
    took=$(seconds "$began")
    cmp "$out" "$work/expected" || wrong "grep -F prints something else"
    right "the $(wc -l <"$out") lines of grep -F, byte for byte; all in all $took (grep: $grep_took)"
  done
done
