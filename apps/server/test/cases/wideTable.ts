import { createSeededRandom, type SeededRandom } from "../oracle/seed/seededRandom.js";
import type { OracleRow, OracleTable, OracleValue } from "../oracle/table/oracleTable.js";

/** July 2013, as milliseconds. */
export const wideTableRange = { fromMs: 1_372_636_800_000, toMs: 1_375_315_200_000 } as const;

const words = ["кошки", "weather", "google maps", "ünïcode 🙂", "buy a car", "it's", "100%", "a_b"];
const models = ["", "", "iPhone 2", "iPad", 'Lumia "8"', "N95"];
const hosts = ["www.google.com", "yandex.ru", "news.google.de", "example.org", "auto.ru"];

/** Page views with the columns that ClickBench asks about; a few values are missing, many are empty or 0, as there. */
export function wideTable(rowCount: number, seed: number): OracleTable {
  const random = createSeededRandom(seed);
  const { fromMs, toMs } = wideTableRange;
  const stepMs = Math.floor((toMs - fromMs) / rowCount);
  // Every row has a time of its own, so that rows in order of time are the same everywhere.
  const rows = Array.from({ length: rowCount }, (_, i): OracleRow => {
    const values = new Map<string, Exclude<OracleValue, null>>();
    for (const [name, make] of columns) {
      const value = make(random, i);
      if (value !== null) values.set(name, value);
    }
    return { timeMs: fromMs + i * stepMs + random.int(0, stepMs - 1), values };
  });
  return {
    name: "hits",
    columns: columns.map(([name, , type]) => ({ name, type, decimals: 0 })),
    rows: random.sample(rows, rowCount),
  };
}

type Make = (random: SeededRandom, i: number) => OracleValue;

const whole =
  (low: number, high: number): Make =>
  (random) =>
    BigInt(random.int(low, high));
const rarely =
  (probability: number, make: Make): Make =>
  (random, i) =>
    random.chance(probability) ? make(random, i) : 0n;

const hash = (of: number): bigint => BigInt.asIntN(64, BigInt(of) * 2_868_770_270_353_813_622n);

const phrase: Make = (random) => {
  if (random.chance(0.6)) return "";
  return random.chance(0.02) ? null : `${random.pick(words)} ${random.int(0, 40) ** 2}`;
};

const address: Make = (random) => {
  if (random.chance(0.05)) return "";
  return `http${random.chance(0.5) ? "s" : ""}://${random.pick(hosts)}/${random.pick(words)}?q=${random.int(0, 30)}`;
};

/** Sets, some of them empty, some missing; without a draw, so that the other columns stay as they are. */
const tagSets: readonly OracleValue[] = [
  [],
  ["new"],
  ["a", "new"],
  ["a"],
  null,
  ["a", "beta", "new"],
  ["beta"],
];

const columns: readonly (readonly [string, Make, "int" | "string" | "set"])[] = [
  ["WatchID", (random) => random.int64(), "int"],
  ["UserID", (random) => 9_100_000_000_000_000_000n + BigInt(random.int(0, 30) ** 2), "int"],
  ["CounterID", (random) => (random.chance(0.3) ? 62n : BigInt(random.int(1, 20))), "int"],
  ["ClientIP", (random) => BigInt(random.int(-900, 900)) * 1_000_000n, "int"],
  ["RegionID", whole(1, 60), "int"],
  ["SearchEngineID", rarely(0.5, whole(0, 5)), "int"],
  ["AdvEngineID", rarely(0.05, whole(0, 20)), "int"],
  ["TraficSourceID", whole(-1, 7), "int"],
  [
    "ResolutionWidth",
    (random) => (random.chance(0.03) ? null : BigInt(random.int(0, 4000))),
    "int",
  ],
  ["MobilePhone", rarely(0.2, whole(1, 9)), "int"],
  ["IsRefresh", rarely(0.1, whole(1, 1)), "int"],
  ["IsLink", rarely(0.4, whole(1, 1)), "int"],
  ["IsDownload", rarely(0.02, whole(1, 1)), "int"],
  ["DontCountHits", rarely(0.1, whole(1, 1)), "int"],
  ["WindowClientWidth", whole(1, 12), "int"],
  ["WindowClientHeight", whole(1, 6), "int"],
  ["URLHash", (random) => hash(random.int(1, 4)), "int"],
  [
    "RefererHash",
    (random) => (random.chance(0.2) ? 3_594_120_000_172_545_465n : hash(random.int(1, 9))),
    "int",
  ],
  ["MobilePhoneModel", (random) => random.pick(models), "string"],
  ["SearchPhrase", phrase, "string"],
  ["URL", address, "string"],
  ["Referer", (random, i) => (random.chance(0.4) ? "" : address(random, i)), "string"],
  [
    "Title",
    (random) => (random.chance(0.1) ? "" : `Title ${random.pick(words)} ${random.int(0, 9)}`),
    "string",
  ],
  ["Tags", (_, i) => tagSets[(i * 5) % tagSets.length]!, "set"],
];
