import fc from "fast-check";
import { expect, test } from "vitest";
import { withFolder } from "../testing/gateway.js";
import type { BatchIntent } from "./ledgerEvents.js";
import { countMinutes, MinuteCounts, minuteMs } from "./minuteCounts.js";
import { RowCountLedger } from "./rowCountLedger.js";

const rowsAt = (...minutes: number[]) =>
  countMinutes(Float64Array.from(minutes, (minute) => minute * minuteMs));

const intent = (batchId: string, minutes: readonly number[], leaf = "leaf-1"): BatchIntent => ({
  ...{ table: "t", batchId, leaf, contentHash: batchId, key: null, requestHash: "", atMs: 0 },
  rows: rowsAt(...minutes),
});

async function withLedger(check: (ledger: RowCountLedger) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const ledger = await RowCountLedger.open(folder, () => undefined);
    await ledger.noteRebuilt();
    await check(ledger);
    await ledger.close();
  });
}

const versionOf = (ledger: RowCountLedger, fromMinute: number, toMinute: number): string | null =>
  ledger.version("t", fromMinute * minuteMs, toMinute * minuteMs);

async function store(ledger: RowCountLedger, ...of: Parameters<typeof intent>): Promise<void> {
  await ledger.begin(intent(...of));
  ledger.settle("t", of[0], "stored");
}

test("M2, M3: rows change the version of their minutes alone, whichever leaf has them", () =>
  withLedger(async (ledger) => {
    const empty = versionOf(ledger, 0, 10);
    expect(empty).not.toBeNull();
    await store(ledger, "b1", [1, 2]);
    const [first, later] = [versionOf(ledger, 0, 10), versionOf(ledger, 10, 20)];
    expect(first).not.toBe(empty);
    await store(ledger, "b2", [12]);
    expect(versionOf(ledger, 0, 10)).toBe(first);
    expect(versionOf(ledger, 10, 20)).not.toBe(later);
    await store(ledger, "b3", [2], "leaf-2");
    const onOther = versionOf(ledger, 0, 10);
    expect(onOther).not.toBe(first);
    await store(ledger, "b4", [2]);
    expect(new Set([empty, first, onOther, versionOf(ledger, 0, 10)]).size).toBe(4);
  }));

test("while a batch is open its minutes have no version; one that is refused changes it", () =>
  withLedger(async (ledger) => {
    await store(ledger, "b1", [1]);
    const before = versionOf(ledger, 0, 10);
    await ledger.begin(intent("b2", [9, 12]));
    expect(versionOf(ledger, 0, 10)).toBeNull();
    expect(versionOf(ledger, 12, 13)).toBeNull();
    expect(versionOf(ledger, 0, 9)).toBe(before);
    // A leaf may have shown its rows in between.
    ledger.settle("t", "b2", "refused");
    expect(versionOf(ledger, 0, 9)).not.toBe(before);
  }));

test("a unit that is undecided has no version; one that was aborted changes it", () =>
  withLedger(async (ledger) => {
    await store(ledger, "b1", [1]);
    const before = versionOf(ledger, 0, 10);
    const number = ledger.units.begin(1);
    await ledger.begin({ ...intent("b2", [2]), unit: { gateway: "", number, parts: 1 } });
    expect(versionOf(ledger, 0, 10)).toBeNull();
    await ledger.abortUnit(number);
    expect(versionOf(ledger, 0, 10)).not.toBe(before);
    expect(versionOf(ledger, 0, 10)).not.toBeNull();
  }));

test("M9: rows that go and as many that come late are another version; while they go there is none", () =>
  withLedger(async (ledger) => {
    await store(ledger, "b1", [1, 1]);
    const before = versionOf(ledger, 0, 10);
    const drop = { table: "t", leaf: "leaf-1", generations: [1], keepOneIn: 2 };
    await ledger.expire({ ...drop, rows: rowsAt(1) });
    expect(versionOf(ledger, 0, 10)).toBeNull();
    ledger.dropped("t", "leaf-1");
    const thinned = versionOf(ledger, 0, 10);
    expect(thinned).not.toBe(before);
    await store(ledger, "b2", [1]);
    expect([before, thinned]).not.toContain(versionOf(ledger, 0, 10));
    // Thinning that removes no row of a minute changes what its rows stand for.
    const counted = versionOf(ledger, 0, 10);
    await ledger.expire({ ...drop, rows: rowsAt(30) });
    ledger.dropped("t", "leaf-1");
    expect(versionOf(ledger, 0, 10)).not.toBe(counted);
  }));

test("a table that is made again under its name has another version with the same counts", () =>
  withLedger(async (ledger) => {
    const never = versionOf(ledger, 0, 10);
    await store(ledger, "b1", [1]);
    const before = versionOf(ledger, 0, 10);
    await ledger.deleteTable("t", ["leaf-1"]);
    expect(versionOf(ledger, 0, 10)).toBeNull();
    ledger.dropped("t", "leaf-1");
    expect(versionOf(ledger, 0, 10)).not.toBe(never);
    await store(ledger, "b2", [1]);
    expect(versionOf(ledger, 0, 10)).not.toBe(before);
  }));

test("what was lost and found again has no version in between, and another one after", () =>
  withLedger(async (ledger) => {
    await store(ledger, "b1", [1]);
    const before = versionOf(ledger, 0, 10);
    await ledger.noteDamage("test", 1_000_000);
    expect(versionOf(ledger, 0, 10)).toBeNull();
    await ledger.noteRebuilt();
    expect(versionOf(ledger, 0, 10)).not.toBe(before);
    await ledger.noteDoubt("t", { reason: "test", sinceMs: 1_000_000 });
    expect(versionOf(ledger, 0, 10)).toBeNull();
  }));

test("hashes of a range are the same for the same counts, in whatever order they came", () => {
  const minute = fc.integer({ min: -20, max: 60 });
  const batch = fc.array(minute, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 8 }), minute, fc.nat(40), (batches, from, length) => {
      const range = [from * minuteMs, (from + length) * minuteMs] as const;
      const [inOrder, reversed] = [new MinuteCounts(), new MinuteCounts()];
      for (const minutes of batches) {
        inOrder.add(rowsAt(...minutes));
        // Read in between, as sums are kept.
        inOrder.hash(...range);
      }
      for (const minutes of batches.toReversed()) reversed.add(rowsAt(...minutes));
      expect(inOrder.hash(...range)).toBe(reversed.hash(...range));
      const fresh = new MinuteCounts();
      fresh.add(inOrder.between(...range));
      expect(fresh.hash(...range)).toBe(inOrder.hash(...range));
      fresh.add(rowsAt(from));
      if (length > 0) expect(fresh.hash(...range)).not.toBe(inOrder.hash(...range));
    }),
  );
});
