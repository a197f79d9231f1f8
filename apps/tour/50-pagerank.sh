# The ranks of a graph's vertices. Eigen says what is right.
headline "pagerank: the vertices of a graph by importance"
if [[ ! -x $bin/pagerank ]]; then
  echo "  not built: it needs fast_matrix_market, which could not be had"
  return
fi
graph=("${UPSWEEP_DATA:-}"/matrices/p2p-Gnutella31.mtx)
if [[ -e ${graph[0]} ]]; then
  echo "  the graph: who knows whom of 62,586 hosts of a file-sharing network"
else
  echo "  a generated graph (a real one would come from \$UPSWEEP_DATA/matrices)"
  graph=()
fi
for backend in $backends; do
  out=$work/ranked
  show "$bin/pagerank" --check --backend "$backend" --top 5 --ranks "$work/ranks.npy" "${graph[@]}" || wrong "pagerank failed"
  sed 's/^/    /' "$out"
  right "Eigen's ranks, within what rounding allows"
  if [[ $backend == host ]]; then
    show env OMP_NUM_THREADS=1 "$bin/pagerank" --backend host --ranks "$work/one.npy" "${graph[@]}" || wrong "pagerank failed"
    cmp "$work/ranks.npy" "$work/one.npy" || wrong "one thread finds other bits"
    right "the same bits by one thread"
  fi
done
