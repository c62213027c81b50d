import { describe, expect, test } from "vitest";
import { scaledNumber } from "../../base/number/scaledNumber.js";
import { bindTerm } from "../bind/bindTerm.js";
import type { BoundTerm, Slot } from "../bind/boundTerm.js";
import { emitModule } from "../emit/emitModule.js";
import { moduleImports } from "../emit/moduleImports.js";
import { createEvaluator } from "../evaluate/evaluate.js";
import { type Cell, larger, overflow, smaller } from "../term/cell.js";
import type { InputColumn } from "../term/inputColumn.js";
import { columnFinder } from "../testing/columnFinder.js";
import { type Random, randomInt } from "../testing/randomExpression.js";
import { functionColumns, randomFunction } from "../testing/randomFunction.js";
import { createRandom } from "../testing/seededRandom.js";
import { compileFunction } from "./compileFunction.js";
import { readRowFunction } from "./functionSource.js";
import { parseFunction } from "./functionSyntax.js";

const find = columnFinder(functionColumns);
const memory = new WebAssembly.Memory({ initial: 16, maximum: 65_536, shared: true });
const view = new DataView(memory.buffer);
const strings = ["", "a", "b", "slow"];

/** A row as columns have it: integers at their scale, strings, null. */
type StoredRow = readonly (bigint | string | null)[];

/** Small whole numbers are computed as integers, others as doubles; both with and without missing ones. */
function randomRow(
  random: Random,
  shape: { readonly small: boolean; readonly missing: boolean },
): StoredRow {
  return functionColumns.map(({ type }) => {
    if (shape.missing && random.below(5) === 0) return null;
    if (type === "string") return strings[random.below(4)]!;
    return shape.small ? BigInt(random.below(41) - 20) : randomInt(random);
  });
}

/** What JavaScript itself makes of a row, as its column would store it. */
function truthOf(source: string, row: StoredRow, type: string, decimals: number): Cell {
  // The test's own generator wrote it.
  const fn = new Function(`"use strict"; return (${source})`)() as (row: object) => unknown;
  const properties = functionColumns.map(({ name, decimals }, i) => {
    const cell = row[i]!;
    return [name, typeof cell === "bigint" ? Number(cell) / 10 ** decimals : (cell ?? undefined)];
  });
  const value = fn(Object.fromEntries(properties));
  if (value === null || value === undefined) return null;
  if (type === "string") return String(value);
  const scaled = scaledNumber(value as number, decimals);
  if (scaled !== null) return BigInt(scaled);
  return Number.isFinite(value) ? overflow : null;
}

function compile(source: string) {
  const read = readRowFunction(source, "js", find);
  const columns = {
    find: (name: string) => functionColumns.find((one) => one.name === name),
    values: null,
  };
  const compiled = compileFunction(parseFunction(source, "js"), columns, read);
  return { read, compiled };
}

describe("compiled functions answer as JavaScript does", () => {
  test.each(Array.from({ length: 30 }, (_, i) => i))("random functions, seed %i", (seed) => {
    const random = createRandom(seed + 1);
    let compiledCount = 0;
    for (let round = 0; round < 40; round++) {
      const kind = (["number", "number", "text", "truth"] as const)[random.below(4)]!;
      const source = randomFunction(random, kind);
      const { read, compiled } = compile(source);
      if (compiled === null) continue;
      compiledCount++;
      const { expression, inputs } = compiled;
      const shape = { small: random.below(2) === 0, missing: random.below(3) > 0 };
      const rows = Array.from({ length: 70 }, () => randomRow(random, shape));
      const wanted = rows.map((row) => truthOf(source, row, read.type, read.decimals));
      const places = inputs.map((input) =>
        functionColumns.findIndex(({ name }) => name === input.name),
      );
      const cells = rows.map((row) => places.map((place) => row[place]!));
      const evaluate = createEvaluator(expression);
      expect(
        cells.map((row) => evaluate(row)),
        source,
      ).toEqual(wanted);
      expect(runCode(expression, inputs, cells), source).toEqual(wanted);
    }
    // Null beside undefined, and results of two types, are left to the sandbox.
    expect(compiledCount).toBeGreaterThan(20);
  });

  /** The same by emitted code; strings lie as codes of the list above. */
  function runCode(
    expression: Parameters<typeof createEvaluator>[0],
    inputs: readonly InputColumn[],
    rows: readonly StoredRow[],
  ): Cell[] {
    const known = ["", ...strings, "true", "false"];
    const slots: Slot[] = [];
    const args: (number | bigint)[] = [];
    const terms = inputs.map((input, i): BoundTerm => {
      const address = 100_000 + i * 2_000;
      const values = rows.map((row) => row[i] ?? null);
      let present = 0n;
      values.forEach((cell, row) => {
        const code = typeof cell === "string" ? known.indexOf(cell, 1) : 0;
        if (input.type === "int") view.setBigInt64(address + row * 8, (cell ?? 0n) as bigint, true);
        else view.setUint8(address + row, cell === null ? 0 : code);
        if (cell !== null) present |= 1n << BigInt(row);
      });
      view.setBigUint64(address + 1_000, BigInt.asUintN(64, present), true);
      view.setBigUint64(address + 1_008, present >> 64n, true);
      const { decimals } = input;
      if (input.type === "int") {
        const mayMiss = values.includes(null);
        slots.push({ kind: "ints", width: 8, hasPresent: mayMiss, hasOverflow: false });
        args.push(address, 0n, ...(mayMiss ? [address + 1_000] : []));
        const ints = values.filter((cell) => typeof cell === "bigint");
        const bounds = {
          min: ints.reduce(smaller, ints[0] ?? 1n),
          max: ints.reduce(larger, ints[0] ?? 0n),
        };
        return {
          kind: "slot",
          slot: i,
          type: "int",
          decimals,
          ...bounds,
          mayMiss,
          mayOverflow: false,
        };
      }
      slots.push({ kind: "table", width: 1, entry: "i32", hasStates: true });
      known.forEach((_, code) => {
        view.setUint32(address + 1_100 + code * 4, code, true);
        view.setUint8(address + 1_200 + code, code === 0 ? 0 : 1);
      });
      args.push(address, address + 1_100, address + 1_200);
      const bounds = { min: 0n, max: 1n };
      return {
        kind: "slot",
        slot: i,
        type: "string",
        decimals,
        ...bounds,
        mayMiss: true,
        mayOverflow: false,
      };
    });
    const bound = bindTerm(expression, {
      find: (term) => (term.kind === "input" ? terms[term.index]! : undefined),
      codeOf: (text) => known.indexOf(text, 1),
    });
    if (bound === null) throw new Error("compiled functions have code");
    const isInt = bound.type === "int";
    const hasOverflow = bound.mayOverflow;
    const output = { width: isInt ? 8 : 4, hasPresent: true, hasOverflow } as const;
    const module = new WebAssembly.Module(emitModule(bound, slots, output));
    const env = { memory, ...moduleImports };
    const run = new WebAssembly.Instance(module, { env }).exports.run as (
      ...args: (number | bigint)[]
    ) => number;
    run(rows.length, 200_000, 0n, 300_000, hasOverflow ? 310_000 : 0, ...args);
    const isSet = (bitmap: number, row: number) =>
      ((view.getUint8(bitmap + (row >> 3)) >> (row & 7)) & 1) === 1;
    return rows.map((_, row): Cell => {
      if (hasOverflow && isSet(310_000, row)) return overflow;
      if (!isSet(300_000, row)) return null;
      if (!isInt) return known[view.getUint32(200_000 + row * 4, true)]!;
      const value = view.getBigInt64(200_000 + row * 8, true);
      expect(value >= bound.min && value <= bound.max, "within the predicted bounds").toBe(true);
      return value;
    });
  }

  test.each([
    "(row) => row.s.length",
    "(row) => row.s + row.n",
    "(row) => { let x = 0; x = row.n; return x }",
    "(row) => Math.log(row.n)",
    "(row) => row.n > 1 ? 'many' : 1",
    "(row) => { for (const c of row.s) return c }",
    "(row) => (row.n > 1 ? null : undefined) === undefined",
    "(row) => (row.n > 1 ? null : row.n) + 1",
    "(row) => row.s < 'b'",
    "(row) => row.n & 1",
    "(row) => { { const n = 1 } return n }",
  ])("%s is left to the sandbox", (source) => {
    expect(compile(source).compiled).toBeNull();
  });

  test.each([
    "(row) => row.n > 1e6 ? 'slow' : 'ok'",
    "({ n, price: p }) => n * p",
    "function (row) { const a = row.n; if (a) { return a } return null }",
    "(row) => row.s === 'a' || row.s == null",
  ])("%s is compiled", (source) => {
    expect(compile(source).compiled).not.toBeNull();
  });
});
