import type { SeededRandom } from "../seed/seededRandom.js";
import { createSeededRandom } from "../seed/seededRandom.js";
import type {
  OracleColumn,
  OracleRow,
  OracleTable,
  OracleValue,
  RowValues,
} from "./oracleTable.js";
import { compareCodePoints } from "./oracleTable.js";

/** The Friday before Europe's clocks went forward in 2024, 12:00 UTC. */
const startMs = Date.UTC(2024, 2, 29, 12);
const minuteMs = 60_000;
const dayMs = 86_400_000;

export const timeShapes = ["in order", "out of order", "equal", "days", "around 1970"] as const;
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

type Cells = ReadonlyMap<string, (Exclude<OracleValue, null> | undefined)[]>;

/** Column by column: a map of its own for each row of a long table takes longer to walk and to collect than to fill. */
class CellsOfRow implements RowValues {
  readonly #cells: Cells;
  readonly #rowIndex: number;

  constructor(cells: Cells, rowIndex: number) {
    this.#cells = cells;
    this.#rowIndex = rowIndex;
  }

  get(name: string): Exclude<OracleValue, null> | undefined {
    return this.#cells.get(name)?.[this.#rowIndex];
  }
}

/** Rows of every type and temper that the issue names. The first row has a value in every column. */
export function randomTable(shape: TableShape): OracleTable {
  const random = createSeededRandom(shape.seed);
  const columns = columnShapes(shape);
  const cells: Cells = new Map(columns.map(({ name }) => [name, []]));
  const rows: OracleRow[] = [];
  for (let rowIndex = 0; rowIndex < shape.rowCount; rowIndex++) {
    for (const column of columns) {
      const value = column.value(random, rowIndex);
      const isPresent = rowIndex === 0 || !random.chance(shape.missing);
      cells.get(column.name)?.push(isPresent ? value : undefined);
    }
    const timeMs = rowTime(shape, random, rowIndex);
    rows.push({ timeMs, values: new CellsOfRow(cells, rowIndex) });
  }
  return {
    name: shape.name,
    columns: columns.map(({ value: _, ...column }) => column),
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
    case "around 1970":
      return random.int(-2 * spanMs, spanMs);
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
    text("message", (random, rowIndex) => randomMessage(random, rowIndex)),
    text("odd", (random) => random.pick(oddStrings)),
    text("flag", (random) => (random.chance(0.3) ? "true" : "false")),
    text("actor.login", (random) => random.pick(["ann", "bob", "cy"])),
    text("constructor", (random) => random.pick(["__proto__", "constructor", "plain"])),
    text(`it's "quoted"`, (random) => random.pick(["'", '"', "\\", "a\tb"])),
    ...wideningColumns(shape),
    { name: "features", type: "set", decimals: 0, value: randomSet },
    { name: "stack", type: "vector", decimals: 0, value: randomVector },
  ];
  const rate = sampleRateSource(shape);
  return rate === null ? columns : [...columns, int("sample_rate", rate)];
}

/** Columns whose type changes over time: whole numbers, then decimals, then strings, then lists. */
function wideningColumns({ rowCount }: TableShape): ColumnShape[] {
  const part = (rowIndex: number, parts: number) => Math.floor((rowIndex / rowCount) * parts);
  const number = (random: SeededRandom, isWhole: boolean) =>
    `${random.int(-5, 5)}${isWhole ? "" : `.${random.pick(["5", "25", "125"])}`}`;
  const string = (random: SeededRandom, rowIndex: number, parts: number) => {
    const ofParts = part(rowIndex, parts);
    return ofParts < 2 ? number(random, ofParts === 0) : random.pick(wideningStrings);
  };
  return [
    decimal("grown", (random, rowIndex) => {
      const unit = [1_000_000, 10_000, 1][part(rowIndex, 3)] ?? 1;
      return BigInt(random.int(-7, 7)) * BigInt(unit);
    }),
    {
      ...text("mixed", (random, rowIndex) => string(random, rowIndex, 3)),
      isSentNarrow: true,
    },
    {
      ...{ name: "turned", type: "vector", decimals: 0, isSentNarrow: true },
      value: (random, rowIndex) =>
        part(rowIndex, 4) < 3 ? [string(random, rowIndex, 4)] : randomVector(random),
    },
    {
      ...{ name: "gathered", type: "set", decimals: 0, isSentNarrow: true },
      value: (random, rowIndex) =>
        part(rowIndex, 4) < 3 ? [string(random, rowIndex, 4)] : randomSet(random),
    },
  ];
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

const wideningStrings = ["", "5", "-5", "beta", "2.5", "x"];

/** A line of a log: in a long table its pages have signatures, and one in a thousand has a word that few pages hold. */
function randomMessage(random: SeededRandom, rowIndex: number): string {
  const status = random.pick(["200 OK", "404 not found", "500 INTERNAL", "é \u{1F41F}"]);
  const rare = random.chance(0.001) ? ` needle-${random.int(0, 30)}` : "";
  return `GET /cart/${random.int(0, 99_999)} took ${rowIndex % 977} ms: ${status}${rare}`;
}

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
