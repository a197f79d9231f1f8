# Sparse matrices times vectors. Eigen says what is right, and awk of a product with ones: the sums of the rows.
headline "spmv: sparse matrices times vectors"
if [[ ! -x $bin/spmv ]]; then
  echo "  not built: it needs fast_matrix_market, which could not be had"
  return
fi
matrices=("${UPSWEEP_DATA:-}"/matrices/{Groebner_id2003_aug,rajat01}.mtx)
if [[ ! -e ${matrices[0]} ]]; then
  echo "  a matrix made by awk, and one made by spmv (real ones would come from \$UPSWEEP_DATA/matrices)"
  matrices=("$work/lattice.mtx")
  awk -v n=300 'BEGIN {
    print "%%MatrixMarket matrix coordinate integer symmetric\n% the Laplacian of a lattice"
    print n * n, n * n, 3 * n * n - 2 * n
    for (i = 1; i <= n * n; i++) {
      print i, i, 4
      if (i % n) print i + 1, i, -1
      if (i + n <= n * n) print i + n, i, -1
    }
  }' >"${matrices[0]}"
fi
for backend in $backends; do
  out=$work/product
  for matrix in "${matrices[@]}"; do
    awk '/^%/ {symmetric = symmetric || /symmetric/; next}
         !size {size = $1; columns = $2; next}
         {value = NF > 2 ? $3 : 1; sums[$1] += value; if (symmetric && $1 != $2) sums[$2] += value}
         END {
           for (i = 1; i <= columns; i++) print 1 >ones
           for (i = 1; i <= size; i++) printf "%d\n", sums[i]
         }' ones="$work/ones" "$matrix" >"$work/expected"
    show "$bin/spmv" --check --backend "$backend" --type double --x "$work/ones" --y "$work/y" "$matrix" || wrong "spmv failed"
    sed 's/^/    /' "$out"
    cmp "$work/y" "$work/expected" || wrong "awk adds the rows up otherwise"
    right "the sums of $(wc -l <"$work/y") rows, as awk adds them up"
  done

  show "$bin/spmv" --check --backend "$backend" --plan --picture "$work/sparsity.png" || wrong "spmv failed"
  sed 's/^/    /' "$out"
  [[ $(head -c 4 "$work/sparsity.png" | tail -c 3) == PNG ]] || wrong "there is no picture"
  right "Eigen's product, within what rounding allows; the picture is $PWD/$work/sparsity.png"
done
