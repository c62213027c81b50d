import { describe, expect, test } from "vitest";
import { bindTerm } from "../bind/bindTerm.js";
import type { Slot, SlotTerm } from "../bind/boundTerm.js";
import { createEvaluator } from "../evaluate/evaluate.js";
import { type Cell, larger, overflow, smaller } from "../term/cell.js";
import type { TypedExpression } from "../term/typedExpression.js";
import { type Random, randomInt, randomIntExpression } from "../testing/randomExpression.js";
import { emitModule, type Output } from "./emitModule.js";
import { moduleImports } from "./moduleImports.js";

/** One column of the test: its values, missing ones null, and how it lies in memory. */
interface TestColumn {
  readonly cells: readonly (bigint | null)[];
  readonly width: 1 | 2 | 3 | 4 | 8;
  readonly base: bigint;
  readonly decimals: number;
}

const memory = new WebAssembly.Memory({ initial: 16, maximum: 65_536, shared: true });
const view = new DataView(memory.buffer);
const inputAt = 65_536;
const outAt = 600_000;
const presentAt = 700_000;
const overflowAt = 710_000;
const canary = 0x5a;

function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    below(end) {
      state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
      let mixed = state;
      mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad) >>> 0;
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97) >>> 0;
      return ((mixed ^ (mixed >>> 15)) >>> 0) % end;
    },
  };
}

function randomColumn(random: Random, rowCount: number): TestColumn {
  const width = ([1, 2, 3, 4, 8] as const)[random.below(5)]!;
  const base = width === 8 ? 0n : BigInt(random.below(2000) - 1000);
  const span = width === 8 ? 0 : Math.min(2 ** (8 * width), 2 ** 31);
  const missing = random.below(3) === 0;
  const cells = Array.from({ length: rowCount }, () => {
    if (missing && random.below(4) === 0) return null;
    return width === 8 ? randomInt(random) : base + BigInt(random.below(span));
  });
  return { cells, width, base, decimals: random.below(3) === 0 ? 3 : 0 };
}

/** Writes the columns and gives each a slot; what is missing holds whatever is there. */
function place(
  columns: readonly TestColumn[],
  random: Random,
): { slots: Slot[]; args: (number | bigint)[] } {
  const slots: Slot[] = [];
  const args: (number | bigint)[] = [];
  columns.forEach(({ cells, width, base }, i) => {
    const address = inputAt + i * 40_000;
    const present = address + 30_000;
    const hasPresent = cells.includes(null);
    cells.forEach((cell, row) => {
      const stored = cell === null ? BigInt(random.below(7)) - 1n : cell - base;
      for (let byte = 0; byte < width; byte++) {
        view.setUint8(address + row * width + byte, Number((stored >> BigInt(byte * 8)) & 0xffn));
      }
      const at = present + (row >> 3);
      const bit = 1 << (row & 7);
      view.setUint8(at, cell === null ? view.getUint8(at) & ~bit : view.getUint8(at) | bit);
    });
    slots.push({ kind: "ints", width, hasPresent, hasOverflow: false });
    args.push(address, base, ...(hasPresent ? [present] : []));
  });
  return { slots, args };
}

function slotTerm({ cells, decimals }: TestColumn, slot: number): SlotTerm {
  const values = cells.filter((cell) => cell !== null);
  const min = values.reduce(smaller, values[0] ?? 1n);
  const max = values.reduce(larger, values[0] ?? 0n);
  const mayMiss = cells.includes(null);
  return { kind: "slot", slot, type: "int", decimals, min, max, mayMiss, mayOverflow: false };
}

function run(
  expression: TypedExpression,
  columns: readonly TestColumn[],
  random: Random,
): { readonly found: Cell[]; readonly status: number; readonly facts: string | null } {
  const rowCount = columns[0]!.cells.length;
  const { slots, args } = place(columns, random);
  const terms = columns.map(slotTerm);
  const bound = bindTerm(expression, {
    find: (term) => (term.kind === "input" ? terms[term.index]! : undefined),
    codeOf: () => 0,
  });
  if (bound === null) throw new Error("every random expression has code");
  const narrow = bound.min <= bound.max && bound.max - bound.min < 2n ** 32n;
  const output: Output = {
    width: narrow ? 4 : 8,
    hasPresent: bound.mayMiss || bound.mayOverflow,
    hasOverflow: bound.mayOverflow,
  };
  const base = narrow ? bound.min : 0n;
  const bytes = new Uint8Array(memory.buffer);
  bytes.fill(canary, outAt, overflowAt + 10_000);
  const module = new WebAssembly.Module(emitModule(bound, slots, output));
  const { run: runModule } = new WebAssembly.Instance(module, { env: { memory, ...moduleImports } })
    .exports as {
    run: (...args: (number | bigint)[]) => number;
  };
  const status = runModule(rowCount, outAt, base, presentAt, overflowAt, ...args);
  const bit = (at: number, row: number) => ((bytes[at + (row >> 3)]! >> (row & 7)) & 1) === 1;
  const found = Array.from({ length: rowCount }, (_, row): Cell => {
    if (output.hasOverflow && bit(overflowAt, row)) return overflow;
    if (output.hasPresent && !bit(presentAt, row)) return null;
    if (output.width === 8) return view.getBigInt64(outAt + row * 8, true);
    return base + BigInt(view.getUint32(outAt + row * 4, true));
  });
  expect(bytes[outAt + rowCount * output.width], "written behind the values").toBe(canary);
  const words = Math.ceil(rowCount / 64) * 8;
  expect(bytes[presentAt + (output.hasPresent ? words : 0)]).toBe(canary);
  expect(bytes[overflowAt + (output.hasOverflow ? words : 0)]).toBe(canary);
  const beyond = found.find(
    (cell) => typeof cell === "bigint" && (cell < bound.min || cell > bound.max),
  );
  return { found, status, facts: beyond === undefined ? null : String(beyond) };
}

describe("emitted code agrees with what expressions mean", () => {
  test.each(Array.from({ length: 40 }, (_, i) => i))("random expressions, seed %i", (seed) => {
    const random = createRandom(seed * 7919 + 17);
    for (let round = 0; round < 25; round++) {
      const rowCount = [1, 63, 64, 65, 200][random.below(5)]!;
      const columns = Array.from({ length: 3 }, () => randomColumn(random, rowCount));
      const scales = columns.map(({ decimals }) => decimals);
      const expression = randomIntExpression(random, scales, 1 + random.below(4));
      const evaluate = createEvaluator(expression);
      const wanted = Array.from({ length: rowCount }, (_, row) =>
        evaluate(columns.map(({ cells }) => cells[row]!)),
      );
      const { found, status, facts } = run(expression, columns, random);
      expect(found, JSON.stringify(expression)).toEqual(wanted);
      expect(status === 1, "reports whether there was an overflow").toBe(wanted.includes(overflow));
      expect(facts, "values lie within the predicted bounds").toBeNull();
    }
  });

  test("no rows: nothing is written", () => {
    const column: TestColumn = { cells: [], width: 8, base: 0n, decimals: 0 };
    const input: TypedExpression = { kind: "input", index: 0, type: "int", decimals: 0 };
    expect(run(input, [column], createRandom(1)).found).toEqual([]);
  });
});
