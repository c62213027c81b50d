import type { Values } from "@hadal/kernel-wasm";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { EncodedInts } from "../../column/encodedInts.js";
import { packedInts } from "../../column/packedInts.js";
import { createColumnReader } from "../../column/readColumn.js";
import { createTextReader } from "../../column/textReader.js";
import { directGroups } from "../key/groupNumbers.js";

import { QueryMemory } from "../memory/queryMemory.js";
import type { Selection } from "../memory/selection.js";
import { addToStates } from "../state/stateScans.js";
import type {
  ComponentTask,
  ScanUnit,
  SegmentGroup,
  SideTask,
  StateTask,
} from "../task/scanTask.js";
import { createScanMemory } from "../testing/scanMemory.js";
import { createStringReader } from "../value/stringReader.js";
import { addByTime, isAddedByTime } from "./addByTime.js";
import { addTotals } from "./addTotals.js";
import { chooseTable } from "./chooseTable.js";
import type { SideWith } from "./groupTable.js";
import { createGroupProgress, prepareSide } from "./groupTables.js";

const { memory, kernel, leaf, scratch } = createScanMemory(128, 96);
const reader = createColumnReader(memory);
const strings = createStringReader(reader, createTextReader(memory, kernel, scratch.pages));
const context = { memory, kernel, reader, strings, scratch };

type ComponentKind = "time" | "codes" | "ints" | "intsOrMissing" | "missing";
type StateName =
  | ("rows" | "weight" | "present" | "sum")
  | ("sumOfSome" | "wide" | "min" | "squares");
const component = fc.constantFrom<ComponentKind[]>(
  "time",
  "codes",
  "ints",
  "intsOrMissing",
  "missing",
);
const totalStates = fc.constantFrom<StateName[]>("rows", "weight", "present", "sum");
const otherStates = fc.constantFrom<StateName[]>("sumOfSome", "wide", "min", "squares");
const cases = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  rowCount: fc.constantFrom(1, 40, 700, 3_000, 9_000),
  sorted: fc.boolean(),
  bucketCount: fc.constantFrom(1, 2, 7, 60),
  components: fc.oneof(
    fc.uniqueArray(component, { minLength: 1, maxLength: 3 }),
    fc.constantFrom<ComponentKind[][]>(["time"], ["time", "codes"]),
  ),
  codeCount: fc.constantFrom(2, 90, 5_000),
  codeWidth: fc.constantFrom(0, 1, 2, 3, 4),
  // Edges lie on both sides of where the halves of a 64-bit time change, and of 1970.
  timeBase: fc.constantFrom(
    ...[1_750_000_000_000n, 1_750_199_173_120n - 30_000n, 1_748_051_689_472n - 30_000n, -30_000n],
  ),
  timeWidth: fc.constantFrom(2, 3, 4, 8),
  packsTimes: fc.boolean(),
  valueWidth: fc.constantFrom(0, 1, 2, 3, 4, 8),
  states: fc.oneof(
    fc.uniqueArray(totalStates, { maxLength: 4 }),
    fc.uniqueArray(fc.oneof(totalStates, otherStates), { maxLength: 5 }),
  ),
  weighted: fc.boolean(),
  selected: fc.constantFrom("all", "run", "few", "many"),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

function randomOf(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** A unit, and two sides that differ only in where they add up. */
function lay(each: Case, queryMemory: QueryMemory) {
  const random = randomOf(each.seed);
  const { rowCount, timeBase } = each;
  const view = new DataView(memory.buffer);
  const column = (width: Values["width"], numberAt: (row: number) => number): Values => {
    const address = queryMemory.allocate(rowCount * width + 16);
    for (let row = 0; row < rowCount; row++) {
      const value = numberAt(row);
      const at = address + row * width;
      if (width === 8) view.setBigInt64(at, BigInt(value), true);
      for (let i = 0; width < 8 && i < width; i++) view.setUint8(at + i, (value / 256 ** i) & 255);
    }
    return { address, width };
  };
  const bitmap = (share: number): number => {
    const address = queryMemory.bitmap(rowCount);
    const bits = new Uint8Array(memory.buffer, address, Math.ceil(rowCount / 64) * 8).fill(0);
    for (let row = 0; row < rowCount; row++) {
      if (random(100) < share) bits[row >> 3]! |= 1 << (row & 7);
    }
    return address;
  };
  const below = (width: Values["width"]): number => 256 ** Math.min(width, 4);
  const offsets = Array.from({ length: rowCount }, () => random(60_000));
  if (each.sorted) offsets.sort((a, b) => a - b);
  const edges = Array.from({ length: each.bucketCount + 1 }, (_, i) =>
    i === 0 ? timeBase - 7n : timeBase + BigInt(Math.ceil((60_000 * i) / each.bucketCount)),
  );
  const edgesAt = queryMemory.allocate(edges.length * 8);
  new BigInt64Array(memory.buffer, edgesAt, edges.length).set(edges);
  const codeCount = Math.min(each.codeCount, below(each.codeWidth));
  const codes = () => column(each.codeWidth, () => random(codeCount));
  const lowered = each.components.map((kind): [ComponentTask, SegmentGroup] => {
    if (kind === "time") {
      const cardinality = BigInt(each.bucketCount);
      return [
        { kind: "time", cardinality, edges: edgesAt, edgeCount: edges.length },
        { kind: "time" },
      ];
    }
    const cardinality = BigInt(codeCount) + 12n;
    if (kind === "codes" || kind === "missing") {
      const task = { kind: "codes", cardinality, firstVirtualCode: codeCount } as const;
      return [task, kind === "missing" ? { kind } : { kind, values: codes() }];
    }
    const present = kind === "ints" ? 0 : bitmap(80);
    const group = { kind: "ints", values: codes(), base: 50n, present } as const;
    return [{ kind: "ints", cardinality, base: 50n - BigInt(random(10)) }, group];
  });
  const components = lowered.map(([task]) => task);
  const table = chooseTable(components, 20_000, queryMemory, { kind: "states" });
  const groupCount = table.kind === "direct" ? table.groupCount : 0;
  const input = (present: number) => ({
    values: column(each.valueWidth, () => random(below(each.valueWidth))),
    ...{
      coded: false,
      base: BigInt(random(1_000)) - 500n,
      present,
      small: false,

      shift: 0,
    },
    elements: null,
  });
  const unit: ScanUnit = {
    ...{ side: 0, rowCount, sorted: each.sorted, bytes: 0, filter: { op: "every" } },
    ...{ times: column(each.timeWidth, (row) => offsets[row]!), timeBase },
    minMs: Number(timeBase) + Math.min(...offsets),
    maxMs: Number(timeBase) + Math.max(...offsets),
    ...{ fromMs: Number(timeBase) - 7, toMs: Number(timeBase) + 60_000 },
    ...{ encodedTimes: each.packsTimes ? pack(offsets, queryMemory) : null, decodes: [] },
    branches: [],
    orders: [],
    weights: each.weighted ? column(1, () => random(4)) : null,
    groups: lowered.map(([, group]) => group),
    inputs: each.states.map((kind) => {
      if (kind === "rows" || kind === "weight") return null;
      return random(10) === 0 ? null : input(kind === "sumOfSome" ? bitmap(60) : 0);
    }),
  };
  const regions: { address: number; bytes: number }[][] = [];
  const createSide = (): SideTask => {
    const own: { address: number; bytes: number }[] = [];
    regions.push(own);
    const take = (perGroup: number): number => {
      const address = queryMemory.allocate(groupCount * perGroup);
      own.push({ address, bytes: groupCount * perGroup });
      return address;
    };
    const side: SideTask = {
      ...{ table, components, dealt: null, preCut: null, counts: take(4) },
      states: each.states.map((kind): StateTask => {
        if (kind === "rows") return { kind };
        if (kind === "weight" || kind === "present") return { kind, sums: take(8), weighted: true };
        if (kind === "min") return { kind, extremes: take(8), presence: take(8) };
        if (kind === "squares") return { kind, sums: take(40), wide: true };
        if (kind === "wide")
          return { kind: "sum", wide: true, lows: 0, sums: take(24), weights: take(8) };
        const weights = kind === "sum" && each.seed % 2 === 0 ? 0 : take(8);
        return { kind: "sum", wide: false, lows: 0, sums: take(8), weights };
      }),
    };
    prepareSide(context, side);
    return side;
  };
  return { unit, createSide, regions, selection: select(each, random, bitmap) };
}

/** The times as a sealed segment has them. */
function pack(offsets: readonly number[], queryMemory: QueryMemory): EncodedInts {
  const plain = queryMemory.allocate(offsets.length * 8);
  new BigInt64Array(memory.buffer, plain, offsets.length).set(offsets.map(BigInt));
  const allocate = (bytes: number): number => queryMemory.allocate(bytes + 16);
  const values = { address: plain, width: 8 } as const;
  const ordered = { memory, kernel, values, rowCount: offsets.length, span: 60_000n };
  const packed = packedInts.encode(
    { ...ordered, allocate, takeScratch: allocate },
    Number.POSITIVE_INFINITY,
  );
  if (packed === null) throw new Error("times within a minute can be packed");
  return packed;
}

/** The selected rows in the two forms that they may have, and listed. */
function select(each: Case, random: (bound: number) => number, bitmap: (share: number) => number) {
  const { rowCount } = each;
  const from = each.selected === "all" ? 0 : random(Math.ceil(rowCount / 3));
  const to = each.selected === "all" ? rowCount : rowCount - random(Math.ceil(rowCount / 3));
  const run = { start: from, count: Math.max(0, to - from), rows: 0 };
  if (each.selected === "all" || each.selected === "run") {
    const plain: Selection = { count: run.count, rows: run, mask: 0 };
    return { plain, masked: plain };
  }
  const mask = scratch.masks[0]!;
  kernel.selectRows(mask, rowCount, from, Math.max(from, to));
  kernel.andInto(mask, bitmap(each.selected === "few" ? 3 : 70), rowCount);
  const count = kernel.rowsOfSelection(mask, rowCount, scratch.rows);
  const plain: Selection = { count, rows: { start: 0, count, rows: scratch.rows }, mask: 0 };
  return { plain, masked: { count, rows: run, mask } };
}

test("S21: by runs of one bucket and by codes a unit has the same totals as by a group number for every row", () => {
  const ways = { byTime: 0, totals: 0, neither: 0 };
  fc.assert(
    fc.property(cases, (each) => {
      const queryMemory = new QueryMemory(leaf);
      const { unit, createSide, regions, selection } = lay(each, queryMemory);
      const [plain, fused] = [createSide(), createSide()];
      if (plain.table.kind === "direct" && selection.plain.count > 0) {
        const { rows } = selection.plain;
        const progress = createGroupProgress(plain);
        const groups = directGroups(context, { side: plain, unit, rows, progress });
        addToStates(context, plain, { unit, selection: selection.plain, groups });
        let added = true;
        if (isAddedByTime(memory, unit, fused)) {
          addByTime(context, unit, fused, selection.masked);
          ways.byTime++;
        } else {
          const side = fused as SideWith<"direct">;
          const progress = createGroupProgress(fused);
          added = addTotals(context, { side, unit, rows, progress });
          ways[added ? "totals" : "neither"]++;
        }
        regions[1]!.forEach(({ address, bytes }, i) => {
          const found = Buffer.from(memory.buffer, address, bytes);
          const expected = Buffer.from(memory.buffer, regions[0]![i]!.address, bytes);
          if (added) expect(found.equals(expected)).toBe(true);
        });
      }
      queryMemory.release();
    }),
    { numRuns: 600 },
  );
  // Each way was taken often enough to say something.
  for (const count of Object.values(ways)) expect(count).toBeGreaterThan(30);
});
