/** Milliseconds that this process computes for it, the least of some runs: what else the machine does is not in it. */
export async function costOf(work: () => unknown, runs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
    // What is slow is slow enough to tell from noise.
    if (least > 1_000) break;
  }
  return least;
}
