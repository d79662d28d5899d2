// What a load needs: a sum of amounts times costs.

const MIB_IN_GBIT = 1e9 / 8 / 1048576;

/** Cores and MiB, each null if a cost is unknown. `costs` has a figure for each item of the table. */
export function needs(costs, { connections, resumed, gbit, idle }) {
  const seconds = [
    [(connections * (1 - resumed)) / 1e6, costs["full handshake"]],
    [(connections * resumed) / 1e6, costs["resumed handshake"]],
    [(gbit * MIB_IN_GBIT) / 1e6, costs["MiB sent"]],
  ];
  const memory = [
    [idle / 1024, costs["KiB a session"]],
    [1 / 1024, costs["KiB without sessions"]],
  ];
  return { cores: sum(seconds), memory: sum(memory) };
}

/** Σ amount · cost, with the sums of the ends. */
function sum(terms) {
  const paid = terms.filter(([amount]) => amount > 0);
  if (paid.some(([, cost]) => !cost)) return null;
  const total = (of) => paid.reduce((sum, [amount, cost]) => sum + amount * of(cost), 0);
  const hasEnds = paid.every(([, cost]) => cost.ends);
  const ends = hasEnds ? [total((cost) => cost.ends[0]), total((cost) => cost.ends[1])] : null;
  return { estimate: total((cost) => cost.estimate), ends };
}
