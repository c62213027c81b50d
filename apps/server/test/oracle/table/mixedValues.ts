import { createSeededRandom, type SeededRandom } from "../seed/seededRandom.js";

/** A value as it is sent, and what it is. */
export interface MixedValue {
  readonly json: string;
  readonly type: "int" | "string" | "set" | "vector";
  /** A number in units of 10^-6. */
  readonly millionths?: bigint;
  /** As it is read as text; of lists their elements. */
  readonly text: string;
  readonly elements: readonly string[];
}

export interface MixedRow {
  readonly time: number;
  readonly v: MixedValue | null;
  readonly side: "a" | "b";
}

const million = 1_000_000n;

function whole(value: bigint): MixedValue {
  const text = String(value);
  return { json: text, type: "int", millionths: value * million, text, elements: [text] };
}

/** `json` may have more digits than are kept. */
function fraction(json: string, text: string, millionths: bigint): MixedValue {
  return { json, type: "int", millionths, text, elements: [text] };
}

function string(text: string, json = JSON.stringify(text)): MixedValue {
  return { json, type: "string", text, elements: [text] };
}

function list(type: "set" | "vector", sent: readonly string[]): MixedValue {
  const elements = type === "set" ? [...new Set(sent)].sort() : sent;
  const json = type === "set" ? JSON.stringify({ $set: sent }) : JSON.stringify(sent);
  return { json, type, text: JSON.stringify(elements), elements };
}

const pools: readonly (readonly MixedValue[])[] = [
  [whole(0n), whole(5n), whole(-7n), whole(12n), whole(9_007_199_254_740_993n)],
  [whole(1_763_632_800_123_456_789n), whole(2n ** 63n - 1n), whole(-(2n ** 63n))],
  [
    ...[fraction("0.5", "0.5", 500_000n), fraction("-1.25", "-1.25", -1_250_000n)],
    ...[fraction("0.1234567", "0.123456", 123_456n), fraction("-0.0000001", "0", 0n)],
    ...[
      fraction("5.0", "5", 5n * million),
      fraction("9223372036854.5", "9223372036854.5", 9_223_372_036_854_500_000n),
    ],
  ],
  [string("NaN"), string("5"), string(""), string("0.5"), string("true", "true"), string("x\ty")],
  [list("set", ["b", "a", "b"]), list("set", []), list("set", ["5"])],
  [list("vector", ["b", "a", "b"]), list("vector", ["5"]), list("vector", [])],
];

/** Rows with a value of several types, each at another time. Most are of one or two types. */
export function mixedRows(seed: number, rowCount: number): readonly MixedRow[] {
  const random = createSeededRandom(seed);
  const common = random.sample(pools, random.int(1, 2));
  const rare = random.sample(pools, random.int(1, 3));
  return Array.from({ length: rowCount }, (_, i): MixedRow => {
    const pool = random.pick(random.chance(0.08) ? rare : common);
    const v = random.chance(0.15) ? null : random.pick(pool);
    return { time: 1_000 + i * 10, v, side: random.pick(["a", "b"]) };
  });
}

export function rowAsJson({ time, v, side }: MixedRow): string {
  return `{"time":${time},"side":"${side}"${v === null ? "" : `,"v":${v.json}`}}`;
}

/** The rows in any order, in bodies of any size. */
export function shuffledBodies(rows: readonly MixedRow[], random: SeededRandom): string[] {
  const order = random.sample(rows, rows.length);
  const bodies: string[] = [];
  const sizeMax = random.pick([1, 3, 20, rows.length]);
  for (let at = 0; at < order.length; ) {
    const size = random.int(1, sizeMax);
    bodies.push(
      order
        .slice(at, at + size)
        .map(rowAsJson)
        .join("\n"),
    );
    at += size;
  }
  return bodies;
}
