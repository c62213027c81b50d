import {
  appendFile,
  type FileHandle,
  open as openFile,
  readdir,
  readFile,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { withFolder } from "../testing/gateway.js";
import { BatchWindow, windowBatches, windowBatchesMax, windowMs } from "./batchWindow.js";
import type { BatchIntent } from "./ledgerEvents.js";
import { readLedger } from "./ledgerFiles.js";
import { countMinutes, MinuteCounts, minuteMs } from "./minuteCounts.js";
import { RowCountLedger } from "./rowCountLedger.js";

const minute = fc.integer({ min: -5, max: 40 });
const batchTimes = fc.array(
  fc.tuple(minute, fc.nat(minuteMs - 1)).map(([m, ms]) => m * minuteMs + ms),
  {
    minLength: 1,
    maxLength: 30,
  },
);

describe("MinuteCounts", () => {
  it("sums whole minutes as counting every row does, in any order of arrival", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(batchTimes, fc.integer({ min: -400_000, max: 2_500_000 }), fc.nat(2_000_000)),
          { maxLength: 12 },
        ),
        (steps) => {
          const counts = new MinuteCounts();
          const all: number[] = [];
          for (const [times, fromMs, lengthMs] of steps) {
            counts.add(countMinutes(Float64Array.from(times)));
            all.push(...times);
            const toMs = fromMs + lengthMs;
            const from = Math.floor(fromMs / minuteMs) * minuteMs;
            const to = Math.ceil(toMs / minuteMs) * minuteMs;
            const covered =
              lengthMs === 0 ? 0 : all.filter((time) => time >= from && time < to).length;
            expect(counts.sum(fromMs, toMs)).toBe(covered);
            const between = all.filter((time) => time >= from && time < to);
            const minutes = countMinutes(Float64Array.from(lengthMs === 0 ? [] : between));
            expect(counts.between(fromMs, toMs)).toEqual(minutes);
            const first = countMinutes(Float64Array.from(all)).minutes[0];
            expect(counts.firstMs()).toBe(first! * minuteMs);
          }
        },
      ),
    );
  });
});

it("counts how often a table's rows have changed: not when a batch is only begun, nor with other tables", () =>
  withFolder(async (folder) => {
    const ledger = await open(folder);
    const before = ledger.changes("t");
    await ledger.begin(intentOf("b1", "leaf-1", [1, 2]));
    expect(ledger.changes("t")).toBe(before);
    ledger.settle("t", "b1", "stored");
    const stored = ledger.changes("t");
    expect(stored).not.toBe(before);
    const rows = countMinutes(Float64Array.from([1]));
    await ledger.expire({ table: "t", leaf: "leaf-1", rows, generations: [1] });
    const expired = ledger.changes("t");
    expect(expired).not.toBe(stored);
    await ledger.deleteTable("t", ["leaf-1"]);
    expect(ledger.changes("t")).not.toBe(expired);
    expect(ledger.changes("other")).toBe(0);
    await ledger.close();
  }));

it("does not know the share while a leaf has not settled a batch that the last run began", () =>
  withFolder(async (folder) => {
    const before = await open(folder);
    await before.noteRebuilt();
    await before.begin(intentOf("b1", "leaf-1", [3 * minuteMs, 3 * minuteMs + 5]));
    // On its way in this run: its sender gets the outcome.
    expect(before.doubt("t", 0)).toBeNull();
    await before.close();
    const ledger = await open(folder);
    expect(ledger.doubt("t", 0)).toBe(
      "leaf-1 has not said whether it holds 2 rows that were on their way to it when the server ended",
    );
    expect(ledger.doubt("t", 3 * minuteMs)).not.toBeNull();
    expect([ledger.doubt("t", 4 * minuteMs), ledger.doubt("other", 0)]).toEqual([null, null]);
    ledger.settle("t", "b1", "stored");
    expect(ledger.doubt("t", 0)).toBeNull();
    expect(ledger.expected("t", 0, 10 * minuteMs)).toEqual(new Map([["leaf-1", 2]]));
    await ledger.close();
  }));

it("says which expected rows only a hint has: no query sees them", () =>
  withFolder(async (folder) => {
    const ledger = await open(folder);
    await ledger.begin(intentOf("b1", "leaf-1", [3 * minuteMs, 3 * minuteMs + 5, 7 * minuteMs]));
    await ledger.beginHint("t", "b1", "leaf-2");
    expect(ledger.unseen("t", 0, 10 * minuteMs)).toBe(0);
    ledger.noteHintHeld("t", "b1", "leaf-2");
    expect(ledger.expected("t", 0, 10 * minuteMs)).toEqual(new Map([["leaf-2", 3]]));
    expect(ledger.unseen("t", 0, 10 * minuteMs)).toBe(3);
    expect(ledger.unseen("t", 3 * minuteMs + 1, 4 * minuteMs)).toBe(2);
    expect(ledger.unseen("other", 0, 10 * minuteMs)).toBe(0);
    ledger.settle("t", "b1", "stored");
    expect(ledger.unseen("t", 0, 10 * minuteMs)).toBe(0);
    await ledger.close();
  }));

it("gives minutes by leaf, and the first of all", () =>
  withFolder(async (folder) => {
    const ledger = await open(folder);
    expect(ledger.firstMs("t")).toBeNull();
    const batches = [
      ["b1", "leaf-1", [3 * minuteMs, 3 * minuteMs + 5, 7 * minuteMs]],
      ["b2", "leaf-2", [2 * minuteMs, 9 * minuteMs]],
    ] as const;
    for (const [batchId, leaf, times] of batches) {
      await ledger.begin(intentOf(batchId, leaf, [...times]));
      ledger.settle("t", batchId, "stored");
    }
    expect(ledger.firstMs("t")).toBe(2 * minuteMs);
    expect(ledger.firstMs("other")).toBeNull();
    expect(ledger.expectedMinutes("t", 3 * minuteMs, 8 * minuteMs)).toEqual(
      new Map([
        ["leaf-1", { minutes: [3, 7], counts: [2, 1] }],
        ["leaf-2", { minutes: [], counts: [] }],
      ]),
    );
    await ledger.close();
  }));

const intentOf = (
  batchId: string,
  leaf: string,
  times: number[],
  key: string | null = null,
): BatchIntent => ({
  table: "t",
  batchId,
  contentHash: `hash of ${batchId}`,
  leaf,
  key,
  requestHash: `bytes of ${key}`,
  rows: countMinutes(Float64Array.from(times)),
  atMs: 1_000,
});

const silent = () => {};
const open = (folder: string, warnings: string[] = []) =>
  RowCountLedger.open(folder, (text) => warnings.push(text));

/** All that a ledger answers. */
function tell(ledger: RowCountLedger, keys: readonly string[]) {
  const minutes = Array.from({ length: 46 }, (_, i) => (i - 5) * minuteMs);
  return {
    counts: minutes.map((from) => [...ledger.expected("t", from, from + minuteMs)].sort()),
    pending: ledger.pending(),
    keys: keys.map((key) => {
      const entry = ledger.findKey("t", key);
      return entry === undefined ? null : { ...entry, batches: [...entry.batches] };
    }),
  };
}

describe("RowCountLedger", () => {
  const step = fc.record({
    batch: fc.nat(5),
    leaf: fc.constantFrom("leaf-1", "leaf-2"),
    times: batchTimes,
    outcome: fc.constantFrom("stored", "refused", null),
    afterwards: fc.constantFrom("restart", "compact", null, null),
  });

  it("has the same counts after any restart and compaction", async () => {
    const keys = Array.from({ length: 6 }, (_, i) => `k${i}`);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), (steps) =>
        withFolder(async (folder) => {
          let ledger = await open(folder);
          for (const { batch, leaf, times, outcome, afterwards } of steps) {
            const id = `k${batch}/0`;
            if (ledger.findPending("t", id) === undefined) {
              await ledger.begin(intentOf(id, leaf, times, `k${batch}`));
            }
            if (outcome !== null) ledger.settle("t", id, outcome);
            if (afterwards === "compact") ledger.compact();
            if (afterwards !== "restart") continue;
            const before = tell(ledger, keys);
            await ledger.close();
            ledger = await open(folder);
            expect(tell(ledger, keys)).toEqual(before);
          }
          await ledger.close();
        }),
      ),
      { numRuns: 25 },
    );
  });

  it("counts a batch from its acknowledgement, once", async () => {
    await withFolder(async (folder) => {
      const ledger = await open(folder);
      await ledger.begin(intentOf("b", "leaf-1", [0, 1, minuteMs]));
      expect(ledger.expected("t", 0, 1).size).toBe(0);
      ledger.settle("t", "b", "stored");
      ledger.settle("t", "b", "stored");
      expect([...ledger.expected("t", 0, 1)]).toEqual([["leaf-1", 2]]);
      expect([...ledger.expected("t", 59_999, 60_001)]).toEqual([["leaf-1", 3]]);
      expect(ledger.expected("other", 0, 1).size).toBe(0);
      await ledger.close();
    });
  });

  it("opens with the journal cut at any byte: whole lines count, the torn one is dropped", async () => {
    await withFolder(async (folder) => {
      const ledger = await open(folder);
      await ledger.begin(intentOf("a", "leaf-1", [0]));
      ledger.settle("t", "a", "stored");
      await ledger.begin(intentOf("b", "leaf-2", [0, 1]));
      ledger.settle("t", "b", "stored");
      await ledger.close();
      const [name] = (await readdir(folder)).filter((file) => file.startsWith("journal"));
      const journal = await readFile(join(folder, name!));
      const lineEnds = [...journal.keys()].filter((i) => journal[i] === 0x0a).map((i) => i + 1);
      for (let bytes = 0; bytes <= journal.length; bytes++) {
        const warnings: string[] = [];
        await withFolder(async (copy) => {
          await writeFile(join(copy, name!), journal.subarray(0, bytes));
          const opened = await open(copy, warnings);
          // The first line says which event was the last before, the second that the ledger is new.
          const lines = lineEnds.filter((end) => end <= bytes).length - 2;
          expect(opened.expected("t", 0, 1).get("leaf-1") ?? 0).toBe(lines >= 2 ? 1 : 0);
          expect(opened.expected("t", 0, 1).get("leaf-2") ?? 0).toBe(lines >= 4 ? 2 : 0);
          expect(opened.pending().length).toBe(Math.max(0, lines) % 2);
          expect(warnings.length).toBe(bytes === 0 || lineEnds.includes(bytes) ? 0 : 1);
          await opened.close();
        });
      }
    });
  });

  it("continues after a torn tail, and drops only a damaged line", async () => {
    await withFolder(async (folder) => {
      const ledger = await open(folder);
      await ledger.noteRebuilt();
      await ledger.begin(intentOf("a", "leaf-1", [0]));
      ledger.settle("t", "a", "stored");
      await ledger.close();
      const name = "journal-2.log";
      const path = join(folder, name!);
      await appendFile(path, '00000000 {}\ndeadbeef {"kind":"sto');
      const warnings: string[] = [];
      const again = await open(folder, warnings);
      expect(warnings[0]).toMatch(/2 torn lines/);
      expect(again.damage?.reason).toBe(`${name} has 1 damaged lines`);
      expect(await readdir(folder)).toContain(`${name}.damaged`);
      await again.begin(intentOf("b", "leaf-1", [0]));
      again.settle("t", "b", "stored");
      await again.close();
      const last = await open(folder);
      expect(last.expected("t", 0, 1).get("leaf-1")).toBe(2);
      await last.close();
    });
  });

  it("keeps two snapshots and the journals since the older, and no more", async () => {
    await withFolder(async (folder) => {
      const names = async () => (await readdir(folder)).sort();
      for (let start = 1; start <= 4; start++) {
        const ledger = await open(folder);
        await ledger.begin(intentOf(`b${start}`, "leaf-1", [0]));
        ledger.settle("t", `b${start}`, "stored");
        await ledger.close();
      }
      const before = await names();
      const old = await readFile(join(folder, "journal-5.log"));
      await (await open(folder)).close();
      expect(before.filter((name) => name.startsWith("snapshot"))).toHaveLength(2);
      expect(await names()).toHaveLength(before.length);
      expect(await names()).not.toEqual(before);
      // A crash between a snapshot and the removal of what it replaces counts nothing twice.
      await writeFile(join(folder, "journal-5.log"), old);
      const opened = await open(folder);
      expect(opened.expected("t", 0, 1).get("leaf-1")).toBe(4);
      await opened.close();
    });
  });

  it("refuses a batch when its intent cannot be written", async () => {
    await withFolder(async (folder) => {
      const ledger = await RowCountLedger.open(folder, silent);
      await ledger.close();
      await expect(ledger.begin(intentOf("a", "leaf-1", [0], "k"))).rejects.toThrow();
      expect(ledger.pending()).toEqual([]);
    });
  });

  it("reads the snapshot of the version before, and does not need it for long", async () => {
    await withFolder(async (folder) => {
      const counts = [{ table: "t", leaf: "leaf-1", rows: { minutes: [0], counts: [7] } }];
      const state = { counts, pending: [], windows: [] };
      const snapshot = { format: "hadal-ledger-1", journal: 3, sequence: 12, state };
      await writeFile(join(folder, "snapshot.json"), JSON.stringify(snapshot));
      await writeFile(join(folder, "journal-3.log"), "");
      for (let start = 1; start <= 3; start++) {
        const ledger = await open(folder);
        expect([ledger.damage, ledger.expected("t", 0, 1).get("leaf-1")]).toEqual([
          null,
          6 + start,
        ]);
        // The first start makes one with a checksum, whatever happens after it.
        if (start === 1) expect(await readdir(folder)).toContain("snapshot-5.json");
        await ledger.begin(intentOf(`b${start}`, "leaf-1", [0]));
        ledger.settle("t", `b${start}`, "stored");
        await ledger.close();
      }
      expect(await readdir(folder)).not.toContain("snapshot.json");
    });
  });

  it("renames a snapshot of the version before that is no JSON, and reports the doubt", async () => {
    await withFolder(async (folder) => {
      await writeFile(join(folder, "snapshot.json"), "{");
      const warnings: string[] = [];
      const ledger = await RowCountLedger.open(folder, (text) => warnings.push(text), {
        nowMs: () => 5_000,
      });
      expect(warnings[0]).toMatch(/snapshot\.json is damaged .*renamed, counts are lost/);
      expect(await readdir(folder)).toContain("snapshot.json.damaged");
      expect(ledger.doubt("t", 0)).toMatch(/snapshot\.json is damaged/);
      // Rows that arrive from now on are counted: what is asked of them is sure.
      expect(ledger.doubt("t", 700_000)).toBeNull();
      await ledger.close();
      const again = await open(folder);
      expect(again.doubt("t", 0)).toMatch(/snapshot\.json is damaged/);
      await again.noteRebuilt();
      expect(again.doubt("t", 0)).toBeNull();
      await again.close();
    });
  });
});

describe("a ledger whose files are damaged", () => {
  /** Three starts, so that there are two snapshots, and journals before, between and after them. */
  async function fill(folder: string): Promise<Record<string, Buffer>> {
    let id = 0;
    for (let start = 0; start < 3; start++) {
      const ledger = await open(folder);
      if (start === 0) await ledger.noteRebuilt();
      for (let i = 0; i < 3; i++) {
        await ledger.begin(intentOf(`b${++id}`, i === 0 ? "leaf-2" : "leaf-1", [id * minuteMs]));
        ledger.settle("t", `b${id}`, "stored");
      }
      await ledger.close();
    }
    const names = await readdir(folder);
    const files = await Promise.all(names.map((name) => readFile(join(folder, name))));
    return Object.fromEntries(names.map((name, i) => [name, files[i]!]));
  }

  it("by one bit in any place has the same counts, or reports damage", async () => {
    await withFolder(async (folder) => {
      const files = await fill(folder);
      const whole = await open(folder);
      const truth = tell(whole, []).counts;
      await whole.close();
      const names = Object.keys(files).sort();
      let exact = 0;
      await fc.assert(
        fc.asyncProperty(fc.nat(1e9), fc.nat(7), fc.nat(names.length - 1), (at, bit, which) =>
          withFolder(async (copy) => {
            for (const name of names) await writeFile(join(copy, name), files[name]!);
            const bytes = Buffer.from(files[names[which]!]!);
            if (bytes.length === 0) return;
            bytes[at % bytes.length]! ^= 1 << bit;
            await writeFile(join(copy, names[which]!), bytes);
            const ledger = await open(copy);
            const isSame = JSON.stringify(tell(ledger, []).counts) === JSON.stringify(truth);
            if (ledger.damage === null && ledger.pending().length === 0)
              expect(isSame, `${names[which]} byte ${at % bytes.length}`).toBe(true);
            if (names[which]!.startsWith("snapshot")) {
              // The other snapshot and the journals since make up for it.
              expect([isSame, ledger.damage]).toEqual([true, null]);
              exact++;
            }
            await ledger.close();
          }),
        ),
        { numRuns: 80 },
      );
      expect(exact).toBeGreaterThan(10);
    });
  });

  it("by the loss of any files but the last journal has the same counts, or reports damage", async () => {
    await withFolder(async (folder) => {
      const files = await fill(folder);
      const whole = await open(folder);
      const truth = JSON.stringify(tell(whole, []).counts);
      await whole.close();
      const names = Object.keys(files).sort();
      const last = names.filter((name) => name.startsWith("journal")).at(-1);
      await fc.assert(
        fc.asyncProperty(fc.subarray(names.filter((name) => name !== last)), (kept) =>
          withFolder(async (copy) => {
            for (const name of [...kept, last!]) await writeFile(join(copy, name), files[name]!);
            const ledger = await open(copy);
            const isSame = JSON.stringify(tell(ledger, []).counts) === truth;
            expect(isSame || ledger.damage !== null).toBe(true);
            const hasSnapshot = kept.some((name) => name.startsWith("snapshot"));
            if (kept.length === names.length - 2 && hasSnapshot && !isSame)
              expect(ledger.damage?.reason).toMatch(/missing/);
            await ledger.close();
          }),
        ),
        { numRuns: 40 },
      );
    });
  });

  it("of which the disk cannot read one has the same counts or reports damage, and renames the file", async () => {
    await withFolder(async (folder) => {
      const files = await fill(folder);
      const whole = await open(folder);
      const truth = JSON.stringify(tell(whole, []).counts);
      await whole.close();
      let unknown = 0;
      for (const unread of Object.keys(files)) {
        await withFolder(async (copy) => {
          for (const [name, bytes] of Object.entries(files)) {
            const path = join(copy, name);
            // A link to itself.
            await (name === unread ? symlink(name, path) : writeFile(path, bytes));
          }
          const ledger = await open(copy);
          const isSame = JSON.stringify(tell(ledger, []).counts) === truth;
          expect(isSame || ledger.damage !== null, unread).toBe(true);
          if (ledger.damage !== null) {
            unknown++;
            expect(ledger.damage.reason).toBe(
              `${unread} cannot be read (too many symbolic links encountered)`,
            );
          }
          await ledger.close();
          // Journals of before the newest snapshot are not read.
          const names = await readdir(copy);
          if (!isSame) expect(names).toContain(`${unread}.damaged`);
          const again = await open(copy);
          await again.close();
        });
      }
      expect(unknown).toBe(1);
    });
  });
});

describe("a journal with a page that was not written", () => {
  const name = "journal-2.log";

  /** Two batches, synced one after the other, and ten that are written together. */
  async function writeJournal(folder: string): Promise<{ bytes: Buffer; ends: number[] }> {
    const ledger = await open(folder);
    await ledger.noteRebuilt();
    const begin = (i: number) => ledger.begin(intentOf(`b${i}`, "leaf-1", [i * minuteMs]));
    for (const i of [1, 2]) await begin(i);
    // The first of them is written at once.
    await Promise.all(Array.from({ length: 11 }, (_, i) => begin(3 + i)));
    await ledger.close();
    const bytes = await readFile(join(folder, name));
    const ends = [...bytes.keys()].filter((i) => bytes[i] === 0x0a).map((i) => i + 1);
    return { bytes, ends };
  }

  /** Zeros from there up to the end of its sector; null: they are too few to be seen as such. */
  function withHole(bytes: Buffer, from: number): Buffer | null {
    const to = Math.ceil((from + 1) / 512) * 512;
    return to - from < 16 || to >= bytes.length ? null : Buffer.from(bytes).fill(0, from, to);
  }

  it("among lines that no sync followed is torn: they are left out, with those behind", async () => {
    await withFolder(async (folder) => {
      const { bytes, ends } = await writeJournal(folder);
      const lastSyncedEnd = ends.at(-11)!;
      let holes = 0;
      for (let from = lastSyncedEnd; from < bytes.length; from += 37) {
        const torn = withHole(bytes, from);
        if (torn === null) continue;
        holes++;
        await writeFile(join(folder, name), torn);
        const { content, damagedFiles, sequence } = await readLedger(folder);
        expect([content.loss, damagedFiles]).toEqual([null, []]);
        expect(content.linesDropped).toBeGreaterThan(0);
        const whole = ends.filter((end) => end <= from).length;
        // The first line has no event; two came before.
        expect(content.events.at(-1)).toMatchObject({ batchId: `b${whole - 1}` });
        expect(sequence).toBe(whole + 1);
      }
      expect(holes).toBeGreaterThan(20);
    });
  });

  it("among lines that were synced is damage", async () => {
    await withFolder(async (folder) => {
      const { bytes, ends } = await writeJournal(folder);
      for (let from = 0; from < ends.at(-11)! - 1; from += 37) {
        const damaged = withHole(bytes, from);
        if (damaged === null) continue;
        await writeFile(join(folder, name), damaged);
        expect((await readLedger(folder)).content.loss).toMatch(/damaged lines|are missing/);
      }
    });
  });
});

describe("BatchWindow", () => {
  const attempt = { leaf: "leaf-1", contentHash: "h", state: "stored" } as const;
  it("forgets a key only when it is old and many are newer", () => {
    const window = new BatchWindow();
    window.set({ key: "first", requestHash: "r", atMs: 0 }, "first/0", attempt);
    for (let i = 0; i < windowBatches; i++)
      window.set({ key: `k${i}`, requestHash: "r", atMs: 1 }, `k${i}/0`, attempt);
    expect(window.find("first")).toBeDefined();
    window.set({ key: "later", requestHash: "r", atMs: windowMs + 1 }, "later/0", attempt);
    expect(window.find("first")).toBeUndefined();
    expect(window.find("k5")).toBeDefined();
  });

  it("forgets keys whose batches were all refused as it does others", () => {
    const window = new BatchWindow();
    for (let i = 0; i <= windowBatchesMax; i++) {
      window.set({ key: `k${i}`, requestHash: "r", atMs: 0 }, `k${i}/0`, attempt);
      window.remove(`k${i}`, `k${i}/0`);
    }
    expect([...window.list()]).toHaveLength(windowBatchesMax);
    window.set({ key: "k1", requestHash: "r", atMs: 0 }, "k1/0", attempt);
    expect([...window.list()]).toHaveLength(windowBatchesMax);
  });

  it("is bounded however fast batches come", () => {
    const window = new BatchWindow();
    for (let i = 0; i <= windowBatchesMax; i++)
      window.set({ key: `k${i}`, requestHash: "r", atMs: 0 }, `k${i}/0`, attempt);
    expect(window.find("k0")).toBeUndefined();
    expect(window.find("k1")).toBeDefined();
  });
});

describe("a RowCountLedger on a disk that fails", () => {
  /** The methods of every open file. */
  const fileMethods = async (folder: string): Promise<FileHandle> => {
    const file = await openFile(join(folder, "any"), "w");
    await file.close();
    return Object.getPrototypeOf(file) as FileHandle;
  };
  afterEach(() => vi.restoreAllMocks());

  it("writes the rest of a line of which the disk took a part", async () => {
    await withFolder(async (folder) => {
      const ledger = await open(folder);
      const methods = await fileMethods(folder);
      const write = methods.write as (...given: unknown[]) => Promise<{ bytesWritten: number }>;
      vi.spyOn(methods, "write").mockImplementationOnce(function (this: unknown, ...given) {
        const [bytes, offset, length, position] = given as unknown as [Buffer, ...number[]];
        return write.call(this, bytes, offset, length! >> 1, position) as never;
      });
      await ledger.begin(intentOf("b1", "leaf-1", [5]));
      await ledger.begin(intentOf("b2", "leaf-1", [5]));
      const warnings: string[] = [];
      const again = await open(folder, warnings);
      expect(again.pending().map(({ batchId }) => batchId)).toEqual(["b1", "b2"]);
      expect(warnings).toEqual([]);
      await again.close();
      await ledger.close();
    });
  });

  it("writes an outcome that it could not write before all that comes later", async () => {
    await withFolder(async (folder) => {
      const ledger = await open(folder);
      const methods = await fileMethods(folder);
      await ledger.begin(intentOf("b1", "leaf-1", [5], "key"));
      const datasync = vi.spyOn(methods, "datasync").mockRejectedValue(new Error("full"));
      ledger.settle("t", "b1", "stored");
      await expect(ledger.begin(intentOf("b2", "leaf-1", [6]))).rejects.toThrow("full");
      datasync.mockRestore();
      // As when the counts are published: with what was settled among them.
      await ledger.unpublished.begin();
      const before = tell(ledger, ["key"]);
      const again = await open(folder);
      expect(again.pending()).toEqual([]);
      expect(again.unpublished.publishing.rows).toHaveLength(1);
      expect(tell(again, ["key"])).toEqual(before);
      await again.close();
      await ledger.close();
    });
  });

  it("refuses what it could not write with a problem for the sender", async () => {
    await withFolder(async (folder) => {
      const ledger = await open(folder);
      const methods = await fileMethods(folder);
      const [held, hint] = [intentOf("b1", "leaf-1", [5], "key"), "leaf-2"];
      const works = [
        () => ledger.begin(held),
        () => ledger.noteHeld(held),
        () => ledger.adopt(held),
        () => ledger.beginHint("t", "b1", hint),
        () => ledger.beginTaking("t", "b1", hint),
        () => ledger.abortUnit(7),
        () => ledger.deleteTable("t", ["leaf-1"]),
        () => ledger.unpublished.begin(),
      ];
      const error = Object.assign(new Error("EIO: write '/data/ledger'"), { errno: -5 });
      for (const work of works) {
        vi.spyOn(methods, "write").mockRejectedValueOnce(error);
        await expect(work()).rejects.toMatchObject({
          code: "storage-full",
          message: "Leaf gateway has no room for the batch: i/o error",
        });
      }
      await ledger.close();
    });
  });

  it("expects rows that it could not subtract, and has nothing dropped", async () => {
    await withFolder(async (folder) => {
      const ledger = await open(folder);
      const methods = await fileMethods(folder);
      await ledger.begin(intentOf("b1", "leaf-1", [5, 6], "key"));
      ledger.settle("t", "b1", "stored");
      await ledger.begin(intentOf("b2", "leaf-1", [7]));
      const before = tell(ledger, ["key"]);
      const full = () => vi.spyOn(methods, "datasync").mockRejectedValueOnce(new Error("full"));
      full();
      const rows = countMinutes(Float64Array.from([5, 6]));
      const expired = { table: "t", leaf: "leaf-1", generations: [1], rows };
      await expect(ledger.expire(expired)).rejects.toThrow("full");
      full();
      await expect(ledger.deleteTable("t", ["leaf-1"])).rejects.toThrow("full");
      expect(tell(ledger, ["key"])).toEqual(before);
      expect(ledger.drops.list()).toEqual([]);
      await ledger.close();
      const again = await open(folder);
      expect(tell(again, ["key"])).toEqual(before);
      await again.close();
    });
  });
});
