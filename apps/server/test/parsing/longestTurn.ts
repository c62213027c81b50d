/**
 * How long work keeps the event loop to itself at most, in milliseconds: of the time that passes and the time that the
 * process computes the lesser, as others have the processor in between, and the collector has threads of its own.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  let wall = performance.now();
  let cpu = process.cpuUsage();
  const look = (): void => {
    const { user, system } = process.cpuUsage(cpu);
    longest = Math.max(longest, Math.min(performance.now() - wall, (user + system) / 1_000));
    if (isDone) return;
    wall = performance.now();
    cpu = process.cpuUsage();
    setImmediate(look);
  };
  look();
  try {
    await work();
  } finally {
    isDone = true;
  }
  await new Promise((resolve) => setImmediate(resolve));
  return longest;
}
