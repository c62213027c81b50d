import { type BenchTable, chance, hash32, timesOf } from "./benchTable.js";
import { endpointName, generateEvents, serviceName } from "./eventTables.js";

/** Words to search for: in every eighth line; in a handful of all lines; in none. */
export const needles = {
  frequent: "connection reset by peer",
  rare: "kernel oops in sda7",
  absent: "segmentation fault",
} as const;

/** In one line of so many is the rare needle. */
const rareEvery = 900_001;
const levels = ["INFO", "INFO", "INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"] as const;

/** Log lines of some 100 bytes, no two alike: 1.2 GB when the run is about 50 M rows. */
export const logLines: BenchTable = {
  name: "log_lines",
  lists: [],
  rowCount: (total) => Math.ceil(total / 4),
  rows: (first, count, rowCount) => {
    const times = timesOf(first, count, rowCount);
    const events = generateEvents(first, count);
    const codes = new Uint32Array(count);
    const dictionary: string[] = [];
    for (let i = 0; i < count; i++) {
      const row = first + i;
      const head = `${new Date(times[i] ?? 0).toISOString()} ${levels[row % 8]} ${serviceName(events.service[i] ?? 0)}`;
      const request = `GET ${endpointName(events.endpoint[i] ?? 0)} user=${events.userId[i]}`;
      // The row's number makes every line its own.
      codes[i] = dictionary.push(`${head} [${row}] ${request} ${tellOf(row, events.latencyUs[i])}`);
    }
    const line = { name: "line", type: "string", dictionary, codes } as const;
    return { rowCount: count, times, columns: [line] };
  },
};

function tellOf(row: number, latencyUs: number | undefined): string {
  if (row % rareEvery === 17) return `failed: ${needles.rare}`;
  switch (hash32(row * 16 + 15) % 8) {
    case 0:
      return `failed: ${needles.frequent}`;
    case 1:
    case 2:
      return `served from cache in ${latencyUs} us`;
    case 3:
      return chance(row, 14) < 0.5 ? "retried after timeout" : "queued behind lock";
    default:
      return `done in ${latencyUs} us`;
  }
}
