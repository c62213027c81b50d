import type { OracleColumn, OracleRow, OracleTable, OracleValue } from "./oracleTable.js";
import { compareCodePoints } from "./oracleTable.js";
import type { SeededRandom } from "./seededRandom.js";
import { createSeededRandom } from "./seededRandom.js";

/** The Friday before Europe's clocks went forward in 2024, 12:00 UTC. */
const startMs = Date.UTC(2024, 2, 29, 12);
const minuteMs = 60_000;
const dayMs = 86_400_000;

export const timeShapes = ["in order", "out of order", "equal", "days"] as const;
export const sampleRateShapes = ["absent", "one", "small", "large"] as const;

export interface TableShape {
  readonly name: string;
  readonly rowCount: number;
  readonly seed: number;
  readonly times: (typeof timeShapes)[number];
  readonly sampleRates: (typeof sampleRateShapes)[number];
  /** Share of the values of each column that are missing. */
  readonly missing: number;
}

type ValueSource = (random: SeededRandom, rowIndex: number) => Exclude<OracleValue, null>;

interface ColumnShape extends OracleColumn {
  readonly value: ValueSource;
}

/** Rows of every type and temper that the issue names. The first row has a value in every column. */
export function randomTable(shape: TableShape): OracleTable {
  const random = createSeededRandom(shape.seed);
  const columns = columnShapes(shape);
  const rows: OracleRow[] = [];
  for (let rowIndex = 0; rowIndex < shape.rowCount; rowIndex++) {
    const values = new Map<string, Exclude<OracleValue, null>>();
    for (const column of columns) {
      const value = column.value(random, rowIndex);
      if (rowIndex === 0 || !random.chance(shape.missing)) values.set(column.name, value);
    }
    rows.push({ timeMs: rowTime(shape, random, rowIndex), values });
  }
  return {
    name: shape.name,
    columns: columns.map(({ name, type, decimals }) => ({ name, type, decimals })),
    rows,
  };
}

function rowTime(shape: TableShape, random: SeededRandom, rowIndex: number): number {
  const spanMs = 3 * 60 * minuteMs;
  const inOrder = startMs + Math.floor((rowIndex / shape.rowCount) * spanMs);
  switch (shape.times) {
    case "in order":
      return inOrder;
    case "out of order":
      return inOrder + random.int(-20 * minuteMs, 20 * minuteMs);
    case "equal":
      return startMs;
    case "days":
      return startMs + random.int(0, 10 * dayMs);
  }
}

function columnShapes(shape: TableShape): ColumnShape[] {
  const columns: ColumnShape[] = [
    int("small", (random) => BigInt(random.int(-3, 9))),
    int("wide", (random) => random.int64() >> 22n),
    int("latency_us", (random) => BigInt(Math.floor(100 * Math.exp(random.next() * 10)))),
    int("extreme", (random) => (random.chance(0.7) ? random.pick(int64Extremes) : random.int64())),
    int("constant", () => 42n),
    int("regular", (random, rowIndex) => BigInt(rowIndex) * 1000n + BigInt(random.int(0, 3))),
    decimal("price", (random) => BigInt(random.int(-2_000_000_000, 2_000_000_000))),
    decimal("ratio", (random) =>
      random.chance(0.5) ? BigInt(random.int(-5, 5)) * 1_000_000n : BigInt(random.int(-9, 9)),
    ),
    text("few", (random) => random.pick(fewStrings)),
    text("many", (random) => `/api/v${random.int(1, 3)}/item-${random.int(0, 60)}`),
    text("unique", (_, rowIndex) => `id-${rowIndex.toString(36)}`),
    text("odd", (random) => random.pick(oddStrings)),
    text("flag", (random) => (random.chance(0.3) ? "true" : "false")),
    text("actor.login", (random) => random.pick(["ann", "bob", "cy"])),
    text("constructor", (random) => random.pick(["__proto__", "constructor", "plain"])),
    text(`it's "quoted"`, (random) => random.pick(["'", '"', "\\", "a\tb"])),
    { name: "features", type: "set", decimals: 0, value: randomSet },
    { name: "stack", type: "vector", decimals: 0, value: randomVector },
  ];
  const rate = sampleRateSource(shape);
  return rate === null ? columns : [...columns, int("sample_rate", rate)];
}

function sampleRateSource(shape: TableShape): ValueSource | null {
  switch (shape.sampleRates) {
    case "absent":
      return null;
    case "one":
      return () => 1n;
    case "small":
      return (random) => BigInt(random.pick([1, 1, 2, 10, 100]));
    case "large":
      return (random) => BigInt(random.pick([1, 1000, 1_000_000, 2_147_483_647]));
  }
}

const int64Extremes = [
  -(2n ** 63n),
  2n ** 63n - 1n,
  -(2n ** 53n) - 1n,
  2n ** 53n + 1n,
  2n ** 53n,
  2n ** 32n,
  -1n,
  0n,
  1n,
];

const fewStrings = ["checkout", "search", "login", "", "Search", "a", "ab", "b"];

/** Escapes, case, four-byte UTF-8, and U+FFFF beside surrogates: their UTF-16 order is not their code point order. */
const oddStrings = [
  "",
  "\uFFFF",
  "\u{10000}",
  "\u{1F41F} fish",
  "Zürich",
  "zürich",
  "日本語",
  "e\u0301",
  "é",
  "%_\\",
  '"quoted"',
  "tab\there",
  "__proto__",
  " space ",
  "ﬀ",
];

const elements = ["beta", "ios", "dark", "", "日本", "\u{1F41F}", "a,b"];

function randomSet(random: SeededRandom): readonly string[] {
  return random.sample(elements, random.int(0, 3)).sort(compareCodePoints);
}

function randomVector(random: SeededRandom): readonly string[] {
  return Array.from({ length: random.int(0, 5) }, () => random.pick(elements));
}

function int(name: string, value: ValueSource): ColumnShape {
  return { name, type: "int", decimals: 0, value };
}

function decimal(name: string, value: ValueSource): ColumnShape {
  return { name, type: "int", decimals: 6, value };
}

function text(name: string, value: ValueSource): ColumnShape {
  return { name, type: "string", decimals: 0, value };
}
