import type { BatchColumn } from "../../src/base/row/rowBatch.js";
import { type BenchTable, hash32, timesOf } from "./benchTable.js";
import { type EventNumbers, endpointName, generateEvents } from "./eventTables.js";

/** Words to search for: in every eighth line; in a handful of all lines; in none. */
export const needles = {
  frequent: "connection reset by peer",
  rare: "kernel oops in sda7",
  absent: "segmentation fault",
} as const;

/** One line of this many has the rare needle. */
const rareEvery = 900_001;
const levels = ["INFO", "INFO", "INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"] as const;

const threadCount = 32;
const classes = ["RequestHandler", "ConnectionPool", "CacheLoader", "RetryPolicy"] as const;

/** Log lines of some 100 bytes, hardly two alike: 1.2 GB when the run is about 50 M rows. */
export const logLines: BenchTable = {
  name: "log_lines",
  lists: [],
  rowCount: (total) => Math.ceil(total / 4),
  rows: (first, count, rowCount) => {
    const times = timesOf(first, count, rowCount);
    const events = generateEvents(first, count);
    const lines = Array.from({ length: count }, (_, i) => {
      const at = new Date(times[i] ?? 0).toISOString();
      return `${at} ${printLine(first + i, events, i)}`;
    });
    return { rowCount: count, times, columns: [strings("line", lines)] };
  },
};

function printLine(row: number, events: EventNumbers, i: number): string {
  const hash = hash32(row * 16 + 15);
  const head = `${levels[hash % 8]} [http-worker-${(hash >>> 8) % threadCount}] ${classes[(hash >>> 16) % 4]}`;
  const request = `GET ${endpointName(events.endpoint[i] ?? 0)}`;
  return `${head} ${request} ${messageOf(row, events.latencyUs[i])}`;
}

function messageOf(row: number, latencyUs: number | undefined): string {
  if (row % rareEvery === 17) return `failed: ${needles.rare}`;
  switch (hash32(row * 16 + 14) % 8) {
    case 0:
      return `failed: ${needles.frequent}`;
    case 1:
    case 2:
      return `served from cache in ${latencyUs} us`;
    case 3:
      return "retried after timeout";
    default:
      return `done in ${latencyUs} us`;
  }
}

/** Each distinct one once, as a parsed batch has it. */
function strings(name: string, values: readonly string[]): BatchColumn {
  const codeOf = new Map<string, number>();
  const codes = Uint32Array.from(values, (value) => {
    const code = codeOf.get(value) ?? codeOf.size + 1;
    codeOf.set(value, code);
    return code;
  });
  return { name, type: "string", dictionary: [...codeOf.keys()], codes };
}
