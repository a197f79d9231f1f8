# Prefix networks as hardware has them. awk runs an adder that one of them makes.
headline "networks: the parallel prefix networks of the literature"
out=$work/networks
show "$bin/networks" --n 16 --svg "$work/networks.svg" --plot "$work/cost.svg" || wrong "networks failed"
sed 's/^/    /' "$out"
[[ $(head -c 4 "$work/networks.svg") == "<svg" ]] || wrong "there is no picture"
show "$bin/networks" --n 8 --kind brent-kung --verilog "$work/adder.v" || wrong "networks failed"
# g and p of a row stand there by their names, each a line of & and |.
awk '
  function bit(word, i) {return int(word / 2 ^ i) % 2}
  /assign [gp]/ {gsub(/[;=&|]/, " "); line[++lines] = $0; next}
  /assign (sum|carry)/ {gsub(/[;=^]/, " "); line[++lines] = $0}
  END {
    for (k = 0; k < 65536; k += 7) {
      a = k % 256; b = int(k / 256)
      for (i = 0; i < 8; i++) {
        v["g0[" i "]"] = bit(a, i) * bit(b, i)
        v["p0[" i "]"] = (bit(a, i) + bit(b, i)) % 2
      }
      sum = 0
      for (l = 1; l <= lines; l++) {
        n = split(line[l], w, " ")
        if (w[2] ~ /^g/) v[w[2]] = v[w[3]] + v[w[4]] * v[w[5]] > 0
        else if (w[2] ~ /^p/) v[w[2]] = v[w[3]] * v[w[4]]
        else {
          x = (v[w[3]] + (n > 3 ? v[w[4]] : 0)) % 2
          sum += w[2] ~ /^carry/ ? 256 * x : x * 2 ^ substr(w[2], 5, 1)
        }
      }
      if (sum != a + b) exit 1
    }
  }' "$work/adder.v" || wrong "the adder does not add"
right "an adder of eight bits, run by awk; the pictures are $PWD/$work/networks.svg and cost.svg"
