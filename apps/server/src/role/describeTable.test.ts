import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { BatchColumn } from "../base/row/rowBatch.js";
import { LeafStore } from "../store/leaf/leafStore.js";
import type { Table } from "../store/table/table.js";
import { createLeafContext } from "../store/testing/leafContext.js";
import { batchOfRows } from "../store/testing/plainRows.js";
import { damageHead, damagePart } from "../store/testing/segmentBytes.js";
import { describeTable } from "./describeTable.js";

const createContext = () => createLeafContext(256 * 2 ** 20, (text) => expect.fail(text));

/** 8 bytes each for time and n, 9 for `service-3`, and 8 for a third of the rows. */
const rowsOf = (from: number) =>
  Array.from({ length: 16_000 }, (_, i) => ({
    time: from + i,
    values: new Map<string, bigint | string>([
      ["n", BigInt(i)],
      ["service", `service-${i % 7}`],
      ...(i % 3 === 0 ? [["rare", 5n] as const] : []),
    ]),
  }));

/** Not while its writer is at work. */
async function seal(table: Table): Promise<void> {
  while (table.openGeneration !== null) {
    table.sealOpen();
    await new Promise(setImmediate);
  }
}

test("assigns every byte of the store to a column, and reports the same after a restart (S26)", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hadal-describe-"));
  const context = createContext();
  const store = await LeafStore.open(folder, context);
  const table = await store.findOrCreate("events");
  for (let i = 0; i < 6; i++) {
    await table.append({ batch: batchOfRows(rowsOf(i * 1e6)), batchId: `${i}`, contentHash: "" });
  }
  const reported = (one: Table) => {
    const { rows, columns, rawBytes } = describeTable(one);
    return { rows, rawBytes, columns: columns.map(({ name, rows }) => `${name} ${rows}`).sort() };
  };
  const { bytes, columns, rawBytes } = describeTable(table);
  const positive = () =>
    describeTable(table).columns.flatMap(({ name, neverNegative }) =>
      neverNegative === true ? [name] : [],
    );
  expect(positive()).toEqual(["n", "rare"]);
  expect(columns.reduce((sum, column) => sum + column.bytes, 0)).toBe(bytes);
  expect(bytes - table.columns.dictionaryBytes).toBe(context.memory.store.usedBytes);
  expect(columns.reduce((sum, column) => sum + column.rawBytes, 0)).toBe(rawBytes);
  expect(rawBytes).toBe(96_000 * (8 + 8 + 9) + 32_004 * 8);
  const below = [{ time: 7e6, values: new Map([["rare", -1n]]) }];
  await table.append({ batch: batchOfRows(below), batchId: "below", contentHash: "" });
  expect(positive()).toEqual(["n"]);
  await store.close();
  const restarted = await LeafStore.open(folder, createContext());
  expect(reported(restarted.find("events")!)).toEqual(reported(table));
  await restarted.close();
  await rm(folder, { recursive: true });
});

test.each<[string, (path: string) => Promise<void>]>([
  ["a column", (path) => damagePart(path, "n")],
  ["a whole segment", damageHead],
])("says that values are lost where %s is damaged", async (_what, damage) => {
  const folder = await mkdtemp(join(tmpdir(), "hadal-describe-"));
  const store = await LeafStore.open(folder, createContext());
  const table = await store.findOrCreate("events");
  await table.append({ batch: batchOfRows(rowsOf(0)), batchId: "a", contentHash: "" });
  await seal(table);
  expect(describeTable(table).hasLost).toBeUndefined();
  await store.close();
  const [tableFolder] = await readdir(folder);
  await damage(join(folder, tableFolder!, "segment-1.hds"));
  const context = createLeafContext(256 * 2 ** 20, () => undefined);
  const restarted = await LeafStore.open(folder, context);
  expect(describeTable(restarted.find("events")!).hasLost).toBe(true);
  await restarted.close();
  await rm(folder, { recursive: true });
});

/** Of each column, read from all segments. */
function readForms(table: Table) {
  const segments = table.snapshot();
  return Array.from(table.columns.names, (name) => {
    const places = table.columns.placesOf(name);
    const found = places.flatMap((place) =>
      segments.flatMap(({ columns }) => {
        const column = columns.get(place.name);
        return column === undefined ? [] : [{ type: place.type, column }];
      }),
    );
    const ints = found.flatMap(({ column }) => (column.kind === "int" ? [column] : []));
    const fits = ({ min, max, decimals }: (typeof ints)[number], digits: number): boolean =>
      min > max ||
      [min, max].every((value) => {
        const scaled = value * 10n ** BigInt(digits - decimals);
        return scaled >= -(2n ** 63n) && scaled < 2n ** 63n;
      });
    const decimals = Math.max(0, ...ints.map((int) => int.decimals));
    const rooms = ints.map((int) => {
      let digits = int.decimals;
      while (digits < 18 && fits(int, digits + 1)) digits++;
      return digits;
    });
    const bytes = segments.reduce(
      (sum, { columnBytes }) =>
        places.reduce((all, place) => all + (columnBytes.get(place.name) ?? 0), sum),
      table.columns.dictionaryBytesOf(name),
    );
    const isNegative = ints.some(({ min, max }) => min <= max && min < 0n);
    return {
      ...{ name, bytes, decimals, decimalsMax: Math.min(18, ...rooms) },
      types: [...new Set(found.map(({ type }) => type))].sort(),
      neverNegative: places.every(({ type }) => type === "int") && !isNegative,
    };
  });
}

const cell = fc.oneof(
  fc.record({ value: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), decimals: fc.nat(6) }),
  fc.record({ value: fc.bigInt({ min: -9n, max: 99n }), decimals: fc.nat(2) }),
  fc.constant("text"),
);
const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ column: fc.constantFrom("a", "b", "c"), cell }) },
  fc.constant("seal" as const),
  fc.constant("merge" as const),
  fc.constant("drop" as const),
);

test("the description of a table's columns covers all its segments, whichever came or went", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 24 }), async (changes) => {
      const folder = await mkdtemp(join(tmpdir(), "hadal-describe-"));
      const store = await LeafStore.open(folder, createContext());
      const table = await store.findOrCreate("events");
      for (const [i, one] of changes.entries()) {
        if (one === "seal") {
          await seal(table);
        } else if (one === "merge") await table.merge(Date.now(), async () => undefined);
        else if (one === "drop") {
          const [first] = await table
            .planExpiry({ beforeMs: 1e9, maxBytes: null })
            .then(({ generations }) => generations);
          if (first !== undefined) await table.dropSegments([first]);
        } else {
          const values = BigInt64Array.of(typeof one.cell === "string" ? 0n : one.cell.value);
          const column: BatchColumn =
            typeof one.cell === "string"
              ? {
                  name: one.column,
                  type: "string",
                  dictionary: [one.cell],
                  codes: Uint32Array.of(1),
                }
              : {
                  ...{ name: one.column, type: "int", decimals: one.cell.decimals },
                  ...{ values, present: null },
                };
          const batch = { rowCount: 1, times: Float64Array.of(i), columns: [column] };
          await table.append({ batch, batchId: `${i}`, contentHash: "" });
        }
        const told = describeTable(table).columns.slice(1);
        const wanted = readForms(table);
        expect(told.map(({ name }) => name)).toEqual(wanted.map(({ name }) => name));
        for (const [at, { types, ...rest }] of wanted.entries()) {
          expect(told[at]).toMatchObject(rest);
          if (types.length > 0) expect([...told[at]!.types].sort()).toEqual(types);
        }
        // Asked again, it is the same without a look.
        expect(describeTable(table).columns).toBe(describeTable(table).columns);
      }
      await store.close();
      await rm(folder, { recursive: true });
    }),
    { numRuns: 60 },
  );
}, 120_000);

test("its forms have the same name until a query would be bound in another way", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hadal-describe-"));
  const store = await LeafStore.open(folder, createContext());
  const table = await store.findOrCreate("events");
  let batchCount = 0;
  const formsAfter = async (name: string, ...values: bigint[]): Promise<string | undefined> => {
    const rows = values.map((value) => ({ time: 1, values: new Map([[name, value]]) }));
    const batchId = `${batchCount++}`;
    await table.append({ batch: batchOfRows(rows), batchId, contentHash: "" });
    return describeTable(table).forms;
  };
  const first = await formsAfter("n", 1n, 2n);
  expect(first).toBeDefined();
  expect(await formsAfter("n", 3n)).toBe(first);
  await seal(table);
  expect(describeTable(table).forms).toBe(first);
  const seen = [first];
  for (const [name, value] of [
    ["other", 1n],
    ["n", 10n],
    ["n", -1n],
    ["n", 2n ** 62n],
  ] as const) {
    const forms = await formsAfter(name, value);
    expect(seen).not.toContain(forms);
    seen.push(forms);
    expect(await formsAfter(name, 5n)).toBe(forms);
  }
  await store.close();
  await rm(folder, { recursive: true });
});
