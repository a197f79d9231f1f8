#!/usr/bin/env bash
# The program `networks`: its table, drawings that are XML, adders that Icarus Verilog finds to add, cycles of a GPU, errors.
#   tests/networks_test.sh NETWORKS
source "$(dirname "$0")/program.sh"
networks=$program

# ---------------------------------------------------------------- the table
"$networks" --n 1024 >actual 2>errors || fail "status $?"
holds <(sed -nE 's/^(Kogge|Brent|Ladner)/\1/p' actual | tr -s ' ') 'Kogge-Stone 10 9217 10 2 512
Brent-Kung 18 2036 10 10 1
Ladner-Fischer(0) 10 3487 512 512 1
Ladner-Fischer(1) 11 2695 257 257 1
Ladner-Fischer(2) 12 2326 130 130 1' 'the table of 1,024'
for n in 1 2 3 31 33 4096; do
  checks=$((checks + 1))
  "$networks" --n $n >actual 2>errors && [[ $(<errors) == 'networks: each was run on intervals'* ]] || fail "n = $n: $(<errors)"
done

# ---------------------------------------------------------------- drawings
for n in 1 5 16 100; do
  checks=$((checks + 1))
  "$networks" --n $n --svg all.svg --plot plot.svg >actual 2>errors || fail "drawings of $n: $(<errors)"
  python3 -c 'import sys, xml.dom.minidom as m
dots = [len(m.parse(name).getElementsByTagName("circle")) for name in ("all.svg", "plot.svg")]
nodes = sum(int(line.split()[2]) for line in open("actual").readlines()[1:])
sys.exit(dots[0] != nodes or dots[1] < 70)' || fail "drawings of $n: the dots are not the nodes"
done

# ---------------------------------------------------------------- adders
pairs=5000
if shorter 'adders add 200 pairs, not 5,000 or all of 8 bits'; then pairs=200; fi # they are the same texts
# adds N ARGUMENT...: all pairs of 8 bits, or that many random ones
adds() {
  local n=$1
  checks=$((checks + 1))
  "$networks" --n "$n" "${@:2}" --verilog adder.v >actual 2>errors || fail "${*:2}: $(<errors)"
  cat >bench.v <<END
module bench;
  reg [$((n - 1)):0] a, b;
  wire [$((n - 1)):0] sum;
  wire carry_out;
  reg [$n:0] expected;
  integer k, wrong;
  adder it(a, b, sum, carry_out);
  initial begin
    wrong = 0;
    for (k = 0; k < $((n == 8 && pairs > 200 ? 65536 : pairs)); k = k + 1) begin
      a = $n == 8 ? k : {\$random, \$random};
      b = $n == 8 ? k >> 8 : k % 3 ? {\$random, \$random} : ~a + k % 2;
      #1 expected = {1'b0, a} + {1'b0, b};
      if ({carry_out, sum} !== expected) wrong = wrong + 1;
    end
    \$display("%0d wrong of %0d", wrong, k);
  end
endmodule
END
  if iverilog -Wall -o bench adder.v bench.v 2>errors && [[ ! -s errors ]]; then
    [[ $(./bench) == '0 wrong of '* ]] || fail "the adder of $* bits: $(./bench)"
  else
    fail "the adder of $* bits: iverilog says $(<errors)"
  fi
}
if command -v iverilog >/dev/null; then
  for kind in serial kogge-stone sklansky brent-kung han-carlson; do
    for n in 1 8 13 64; do adds $n --kind $kind; done
  done
  for k in 0 1 2 5; do
    for n in 8 64; do adds $n --kind ladner-fischer --k $k; done
  done
else
  skip 'Icarus Verilog'
fi

# ---------------------------------------------------------------- cycles
checks=$((checks + 1))
"$networks" --help >actual && grep -q -- --cycles actual || fail "the help does not tell of --cycles"
for option in '--n 32' '--svg x.svg' '--plot x.svg' '--verilog adder.v'; do
  # shellcheck disable=SC2086 # an option and its value
  refused "excludes" 2 --cycles $option
done
if runs_on_gpu 0 --cycles; then
  checks=$((checks + 1))
  [[ $(<errors) == "networks: every prefix is a serial loop's: "* ]] || fail "--cycles: $(<errors)"
  holds <(awk 'NR > 2 {print $(NF - 5), $(NF - 4)}' actual) '31 31
5 129
5 129
5 80
8 57
6 80
5 74
6 62
7 58' 'depths and nodes of 32'
  checks=$((checks + 1))
  # Of sums and of maps: a scan takes its time, and less where there are many; the deepest network takes the longest.
  awk 'NR > 2 {
    for (i = NF - 3; i < NF; i += 2) {
      if (!($(i + 1) > 0 && $(i + 1) < $i)) exit 1
      if (NR == 3) deepest[i - NF] = $i
      else if ($i >= deepest[i - NF]) exit 1
    }
  }' actual || fail "--cycles: $(<actual)"
else
  refused '--cycles: ' 1 --cycles
fi

# ---------------------------------------------------------------- errors
refused '--n' 2 --n 0
refused '--n' 2 --n 5000
refused '--kind' 2 --kind wallace
refused '--k' 2 --k -1
refused '--verilog: one network is needed' 2 --verilog adder.v
refused '--plot' 2 --svg same.svg --plot same.svg
refused 'absent/x.svg: No such file or directory' 1 --svg absent/x.svg
nothing_left errors
finish
