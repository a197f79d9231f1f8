# What is seen from a hill. A plain with a wall has a shadow that similar triangles give; hills are checked by a sweep.
headline "view: what is seen from a hill"
# A wall of 5 m across a plain, 100 cells from a viewer whose eyes are 7.5 m high: what is 300 cells away is seen again.
awk 'BEGIN {
  print "P2 500 300 255"
  for (y = 0; y < 300; y++) for (x = 0; x < 500; x++) print x == 200 ? 50 : 0
}' >"$work/wall.pgm"
for backend in $backends; do
  show "$bin/view" --check --backend "$backend" --from 150,100 --eye 7.5 --cell 1 --unit 0.1 "$work/wall.pgm" || wrong "view failed"
  grep -q '^view: 90,300 cells are seen, 60.2 % of the map' "$work/said" || wrong "the shadow is not 199 columns wide"
  right "a shadow of 199 columns, by similar triangles"
  show "$bin/view" --check --backend "$backend" --scene 2048x1536 --heights "$work/hills.png" "$work/view.png" || wrong "view failed"
  show "$bin/view" --check --backend "$backend" "$work/hills.png" "$work/again.png" || wrong "view failed"
  cmp "$work/view.png" "$work/again.png" || wrong "the map in the file gives another view"
  right "what a serial sweep gives; the picture is $PWD/$work/view.png"
done
