import { type BenchTable, chance, coded, hash32, ints, rangeMs, startMs } from "./benchTable.js";

const hostCount = 400;
/** What the CPU-only case of the Time Series Benchmark Suite measures of each host. */
export const metrics = [
  ...["usage_user", "usage_system", "usage_idle", "usage_nice", "usage_iowait"],
  ...["usage_irq", "usage_softirq", "usage_steal", "usage_guest", "usage_guest_nice"],
] as const;

/** How many values each tag has over the hosts. */
const tags = [
  ["region", 9],
  ["datacenter", 23],
  ["rack", 100],
  ["os", 3],
  ["arch", 2],
  ["team", 4],
  ["service", 20],
  ["service_version", 2],
  ["service_environment", 3],
] as const;

export const hostName = (host: number): string => `host_${host}`;

/** CPU figures of hosts in percent, each host once in about ten seconds: the CPU-only case of TSBS. */
export const cpu: BenchTable = {
  name: "cpu",
  lists: [],
  rowCount: (total) => Math.ceil(total / 10 / hostCount) * hostCount,
  rows: (first, count, rowCount) => {
    const stepMs = rangeMs / (rowCount / hostCount);
    const numbers = Array.from({ length: count }, (_, i) => first + i);
    const times = Float64Array.from(
      numbers,
      (row) => startMs + Math.floor(Math.floor(row / hostCount) * stepMs),
    );
    const hosts = Int32Array.from(numbers, (row) => row % hostCount);
    const tagOf = (tag: number, values: number) =>
      hosts.map((host) => hash32(host * 16 + tag) % values);
    return {
      ...{ rowCount: count, times },
      columns: [
        coded("hostname", hosts, hostName),
        ...tags.map(([name, values], tag) =>
          coded(name, tagOf(tag, values), (n) => `${name}-${n}`),
        ),
        ...metrics.map((name, metric) =>
          ints(
            name,
            Int32Array.from(numbers, (row) => usageOf(row, metric + 1, stepMs)),
          ),
        ),
      ],
    };
  },
};

/** Slow waves of each host, with noise. */
function usageOf(row: number, metric: number, stepMs: number): number {
  const hours = (Math.floor(row / hostCount) * stepMs) / 3_600_000;
  const phase = chance(row % hostCount, metric) * 2 * Math.PI;
  const wave = 50 + 40 * Math.sin(phase + hours / (1 + metric));
  return Math.max(0, Math.min(100, Math.round(wave + 30 * (chance(row, metric) - 0.5))));
}
