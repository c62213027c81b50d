/** Counters by name, at one instant. */
export interface CountSample {
  readonly atMs: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** Long enough to average batches of one second, short enough to show that rows have stopped. */
const windowMs = 10_000;

/** The samples for rates, with a new one added. After a restart a server counts from zero: older samples are dropped. */
export function withSample(
  samples: readonly CountSample[],
  sample: CountSample,
): readonly CountSample[] {
  const last = samples.at(-1);
  const restarted =
    last !== undefined &&
    [...last.counts].some(([name, count]) => (sample.counts.get(name) ?? 0) < count);
  const kept = restarted ? [] : samples;
  const inWindow = kept.filter(({ atMs }) => atMs > sample.atMs - windowMs);
  // One sample before the window is kept, so that the samples cover all of it.
  const before = kept.filter(({ atMs }) => atMs <= sample.atMs - windowMs).at(-1);
  return before === undefined ? [...inWindow, sample] : [before, ...inWindow, sample];
}

/** Growth per second over the samples; null for fewer than two. A new name starts at zero. */
export function rateOf(samples: readonly CountSample[], name: string): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.atMs <= first.atMs) return null;
  const growth = (last.counts.get(name) ?? 0) - (first.counts.get(name) ?? 0);
  return (growth * 1_000) / (last.atMs - first.atMs);
}
