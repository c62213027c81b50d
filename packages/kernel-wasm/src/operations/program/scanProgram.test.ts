import { describe, expect, test } from "vitest";
import { PROGRAM_BLOCK_ROWS } from "../../../assembly/abi.js";
import {
  type Case,
  checkCases,
  i64Max,
  i64Min,
  randomPresent,
  randomValues,
  seeded,
  spreads,
  valueRange,
} from "../../testing/columns.js";
import type { Random } from "../../testing/random.js";
import { TwinArena } from "../../testing/twinArena.js";
import {
  columnWords,
  type ProgramColumn,
  type ProgramCondition,
  type ProgramUnit,
  programHeadBytes,
  programScratchBytes,
  programTotalsBytes,
  unitHeadWords,
  writeProgramColumn,
  writeProgramHead,
  writeProgramUnit,
} from "./scanProgram.js";

const arena = TwinArena.readingAhead();
const widths = [0, 1, 2, 3, 4, 8] as const;

interface LaidUnit {
  readonly unit: ProgramUnit;
  readonly columns: readonly (ProgramColumn | null)[];
}

/** Puts a program into the arena, runs it on both, and returns its totals. */
function run(
  conditions: readonly ProgramCondition[],
  [inputCount, spreadCount, spreadRows = 1_024]: readonly [number, number, number?],
  units: readonly LaidUnit[],
  [first, end]: readonly [number, number] = [0, units.length],
): readonly bigint[] {
  const headBytes = programHeadBytes(conditions);
  const words = new Int32Array(
    units.length * (unitHeadWords + (conditions.length + inputCount + spreadCount) * columnWords),
  );
  let at = 0;
  for (const { unit, columns } of units) {
    writeProgramUnit(words, at, unit);
    at += unitHeadWords;
    for (const column of columns) {
      writeProgramColumn(words, at, column);
      at += columnWords;
    }
  }
  const program = arena.region(headBytes + words.byteLength);
  const head = new WebAssembly.Memory({ initial: 128, maximum: 128, shared: true });
  const spreads = { count: spreadCount, rows: spreadRows };
  writeProgramHead(head, program, conditions, inputCount, spreads);
  arena.write(program, new Uint8Array(head.buffer).slice(program, program + headBytes));
  arena.write(program + headBytes, new Uint8Array(words.buffer));
  const totalsBytes = programTotalsBytes(inputCount + spreadCount);
  const totals = arena.i64s(new Array<bigint>(totalsBytes / 8).fill(0n));
  const scratch = arena.region(programScratchBytes);
  arena.run(
    (kernel) => kernel.runProgram(program, first, end, totals, scratch),
    [[scratch, programScratchBytes]],
  );
  return [...new BigInt64Array(arena.read(totals, totalsBytes).buffer)];
}

/** value + base stays an int64. */
function randomBase(random: Random, width: ProgramColumn["values"]["width"]): bigint {
  const [, highest] = valueRange(width);
  return width === 8 ? 0n : random.pick([0n, i64Min, i64Max - highest, -100n, 5_000_000_000n]);
}

function randomColumn(random: Random, each: Case): ProgramColumn & { readonly meant: bigint[] } {
  const width = random.pick(widths);
  const stored = randomValues(random, each.length, width, random.pick(spreads));
  const values = arena.values(width, stored);
  const base = randomBase(random, width);
  const present = randomPresent(arena, random, { ...each, hasMissing: random.below(2) === 0 });
  return { values, base, present, table: null, meant: stored.map((value) => value + base) };
}

/** Codes of a table of ascending values. */
function codedColumn(random: Random, each: Case): ReturnType<typeof randomColumn> {
  const tableWidth = random.pick([1, 2, 3, 4, 8] as const);
  const distinct = new Set(randomValues(random, 1 + random.below(200), tableWidth, "any"));
  const table = [...distinct].sort((a, b) => (a < b ? -1 : 1));
  const base = randomBase(random, tableWidth);
  const codes = Array.from({ length: each.length }, () => BigInt(random.below(table.length)));
  const width = table.length === 1 ? 0 : random.pick([1, 2] as const);
  return {
    values: arena.values(width, codes),
    base,
    present: randomPresent(arena, random, each),
    table: { values: arena.values(tableWidth, table), count: table.length },
    meant: codes.map((code) => table[Number(code)]! + base),
  };
}

/** Of two columns of at most 4 bytes, present where both are. */
function productColumn(random: Random, each: Case): ReturnType<typeof randomColumn> {
  const factor = () => {
    const width = random.pick([0, 1, 2, 3, 4] as const);
    const stored = randomValues(random, each.length, width, random.pick(spreads));
    return { values: arena.values(width, stored), stored };
  };
  const [first, second] = [factor(), factor()];
  const base = random.pick([0n, 0n, i64Min, -100n, 5_000_000_000n]);
  const secondBase = random.pick([0, 0, -(2 ** 31), 2 ** 31 - 1, -7]);
  return {
    ...{ values: first.values, base, table: null },
    second: { values: second.values, base: secondBase },
    present: randomPresent(arena, random, { ...each, hasMissing: random.below(2) === 0 }),
    meant: first.stored.map(
      (value, row) => (value + base) * (second.stored[row]! + BigInt(secondBase)),
    ),
  };
}

/** Bounds that some of the values are at, or beyond all of them. */
function randomRange(random: Random, meant: readonly bigint[]): readonly [bigint, bigint] {
  const bound = (): bigint => {
    const value = meant.length === 0 ? 0n : meant[random.below(meant.length)]!;
    const near = value + BigInt(random.below(3)) - 1n;
    return random.pick([value, near < i64Min || near > i64Max ? value : near, i64Min, i64Max]);
  };
  const [a, b] = [bound(), bound()];
  return random.below(8) === 0 || a < b ? [a, b] : [b, a];
}

function randomUnit(random: Random, each: Case): ProgramUnit {
  const bound = (): number => random.pick([0, each.length, random.below(each.length + 1)]);
  const [a, b] = [bound(), bound()];
  const weights = Array.from({ length: each.length }, () => random.pick([0n, 1n, 10n, 255n]));
  return {
    rowCount: each.length,
    ...{ from: Math.min(a, b), to: Math.max(a, b) },
    weights: each.weightWidth === null ? null : arena.values(1, weights),
    readBytes: random.below(1000),
    trueConditions: random.pick([0, 0, 0, 1, 2, 3]),
  };
}

test("S6, S39: rows that pass any ranges of any columns, counted, weighed and added up as the twin says", () => {
  checkCases((each) => {
    const random = seeded(each);
    arena.clear();
    const [conditionCount, inputCount] = [random.below(4), random.below(4)];
    const spreadCount = random.below(3);
    const unitCount = each.length > 10_000 ? 1 : 1 + random.below(3);
    const known: bigint[] = [];
    const units = Array.from({ length: unitCount }, (): LaidUnit => {
      const count = conditionCount + inputCount + spreadCount;
      const columns = Array.from({ length: count }, (_, index) => {
        if (random.below(12) === 0) return null;
        const isSpecial = index < conditionCount + inputCount && random.below(3) === 0;
        const special = index < conditionCount ? codedColumn : productColumn;
        const column = (isSpecial ? special : randomColumn)(random, each);
        if (index < conditionCount) known.push(...column.meant.slice(0, 100));
        return column;
      });
      return { unit: randomUnit(random, each), columns };
    });
    const conditions = Array.from({ length: conditionCount }, () => ({
      negated: random.below(3) === 0,
      ranges: Array.from({ length: random.pick([1, 1, 1, 0, 2, 5]) }, () =>
        randomRange(random, known),
      ),
    }));
    const first = random.below(unitCount);
    run(
      conditions,
      [inputCount, spreadCount, random.pick([8, 100, 1_024])],
      units,
      random.pick([
        [0, unitCount],
        [first, unitCount],
      ] as const),
    );
  }, 400);
});

test.each(widths)("a block's largest sums fit, under the largest weight: width %d", (width) => {
  arena.clear();
  const length = 2_061;
  const [lowest, highest] = valueRange(width);
  const values = arena.values(width, new Array<bigint>(length).fill(highest));
  const column = { values, base: 0n, present: 0, table: null };
  const weights = arena.values(1, new Array<bigint>(length).fill(255n));
  const all = { rowCount: length, from: 3, to: length, readBytes: 7, trueConditions: 0 };
  const asked = arena.values(
    1,
    Array.from({ length }, (_, row) => BigInt(row % 2)),
  );
  const isOdd = { values: asked, base: 0n, present: 0, table: null };
  const conditions = [{ negated: false, ranges: [[1n, 1n]] as const }];
  const odd = BigInt(length - 3) / 2n;
  const weight = odd * 255n;
  const unit = { unit: { ...all, weights }, columns: [isOdd, column] };
  const sum = BigInt.asIntN(64, weight * highest);
  expect(run(conditions, [1, 0], [unit])).toEqual([
    BigInt(length),
    7n,
    odd,
    weight,
    sum,
    weight,
    odd,
    0n,
  ]);
  const least = arena.values(width, new Array<bigint>(length).fill(lowest));
  const single = {
    unit: { ...all, weights: null },
    columns: [isOdd, { ...column, values: least }],
  };
  const lowestSum = BigInt.asIntN(64, lowest * odd);
  expect(run(conditions, [1, 0], [single]).slice(2)).toEqual([odd, odd, lowestSum, odd, odd, 0n]);
});

test.each([1, 2, 3, 4] as const)(
  "a block's largest products fit modulo 2^64, under the largest weight: width %d",
  (width) => {
    arena.clear();
    const length = 2_061;
    const [, highest] = valueRange(width);
    const values = arena.values(width, new Array<bigint>(length).fill(highest));
    const column = { values, base: -3n, present: 0, table: null, second: { values, base: 5 } };
    const ones = arena.values(1, new Array<bigint>(length).fill(1n));
    const asked = { values: ones, base: 0n, present: 0, table: null };
    const product = (highest - 3n) * (highest + 5n);
    for (const weight of [1n, 255n]) {
      const weights =
        weight === 1n ? null : arena.values(1, new Array<bigint>(length).fill(weight));
      const all = { rowCount: length, from: 5, to: length, weights, readBytes: 0 };
      const weighed = BigInt(length - 5) * weight;
      const sum = BigInt.asIntN(64, product * weighed);
      // With a condition to ask, and without.
      for (const trueConditions of [0, 1]) {
        const unit = { unit: { ...all, trueConditions }, columns: [asked, column] };
        const found = run([{ negated: false, ranges: [[1n, 1n]] }], [1, 0], [unit]);
        expect(found.slice(4)).toEqual([sum, weighed, BigInt(length - 5), 0n]);
      }
    }
  },
);

test("lanes of 32 bits take whole blocks of the largest and the smallest values and weights", () => {
  const rowCount = 2 * PROGRAM_BLOCK_ROWS + 3;
  const all = (value: bigint): bigint[] => new Array<bigint>(rowCount).fill(value);
  for (const width of [1, 2, 3, 4] as const) {
    for (const value of valueRange(width)) {
      for (const weight of [null, 255n]) {
        arena.clear();
        const plain = { base: 0n, present: 0, table: null };
        const asked = { ...plain, values: arena.values(1, all(5n)) };
        const column = { ...plain, values: arena.values(width, all(value)) };
        const weights = weight === null ? null : arena.values(1, all(weight));
        const rows = { rowCount, from: 0, to: rowCount, readBytes: 0, trueConditions: 0 };
        const unit = { unit: { ...rows, weights }, columns: [asked, column] };
        const condition = { negated: false, ranges: [[1n, 254n]] } as const;
        // Reading ahead, and not: blocks are of different sizes.
        for (let time = 0; time < 2; time++) {
          const sum = run([condition], [1, 0], [unit])[4];
          expect(sum).toBe(value * (weight ?? 1n) * BigInt(rowCount));
        }
      }
    }
  }
});

test("ranges reach over all of int64, whatever the base", () => {
  arena.clear();
  const values = arena.values(1, [0n, 1n, 254n, 255n, 7n]);
  for (const base of [i64Min, i64Max - 255n]) {
    const column = { values, base, present: 0, table: null };
    const unit = { rowCount: 5, from: 0, to: 5, weights: null, readBytes: 0, trueConditions: 0 };
    const rowsOf = (low: bigint, high: bigint, negated = false) =>
      run([{ negated, ranges: [[low, high]] }], [0, 0], [{ unit, columns: [column] }])[2];
    expect(rowsOf(i64Min, i64Max)).toBe(5n);
    expect(rowsOf(i64Min, i64Max, true)).toBe(0n);
    expect(rowsOf(base + 1n, base + 254n)).toBe(3n);
    expect(rowsOf(base + 1n, base + 254n, true)).toBe(2n);
    expect(rowsOf(base === i64Min ? 0n : i64Min, base === i64Min ? i64Max : 0n)).toBe(0n);
  }
});

describe("S83: the error of many selected rows comes from pieces all over the unit", () => {
  const length = 20_000;
  const one = { values: { address: 0, width: 0 }, base: 1n, present: 0, table: null } as const;

  /** Σ w(w−1), which is 6 for each row, of those that pass and have the column. */
  function spreadOf(passes: (row: number) => boolean, has: (row: number) => boolean): number {
    arena.clear();
    const bits = Array.from({ length }, (_, row) => (passes(row) ? 1n : 0n));
    const weights = arena.values(1, new Array<bigint>(length).fill(3n));
    const asked = { values: arena.values(1, bits), base: 0n, present: 0, table: null };
    const present = arena.bitmap(length, has);
    const all = { rowCount: length, from: 0, to: length, weights, readBytes: 0, trueConditions: 0 };
    const condition = { negated: false, ranges: [[1n, 1n]] as const };
    const unit = { unit: all, columns: [asked, { ...one, present }] };
    const totals = run([condition], [0, 1, 256], [unit]);
    return new Float64Array(BigInt64Array.from(totals).buffer, 32)[0]!;
  }

  test.each([
    ["rows that lie together", (row: number) => row >= 15_000 && row < 19_000, 4_000],
    ["the last rows", (row: number) => row >= 19_000, 1_000],
    ["every third row", (row: number) => row % 3 === 0, 6_667],
    ["all rows", () => true, length],
  ])("%s", (_, passes, rows) => {
    const found = spreadOf(passes, () => true);
    expect(found).toBeGreaterThan(0.7 * 6 * rows);
    expect(found).toBeLessThan(1.3 * 6 * rows);
  });

  test("of few rows, and of a column that few rows have, all do", () => {
    expect(
      spreadOf(
        (row) => row % 50 === 0,
        () => true,
      ),
    ).toBe(6 * 400);
    expect(
      spreadOf(
        () => true,
        (row) => row % 1_000 === 7,
      ),
    ).toBe(6 * 20);
  });
});
