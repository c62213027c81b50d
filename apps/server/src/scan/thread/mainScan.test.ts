import { afterEach, describe, expect, test, vi } from "vitest";
import { StopController } from "../../base/schedule/stopController.js";
import type { ResolvedFilter, ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { rescaleBatch } from "../../store/columns/rescaleBatch.js";
import { TableColumns } from "../../store/columns/tableColumns.js";
import { OpenSegment } from "../../store/open/openSegment.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { batchOfRows, type PlainRow } from "../../store/testing/plainRows.js";
import { QueryMemory } from "../memory/queryMemory.js";
import { ScanRun } from "../run/scanRun.js";
import type { ScanAnswer } from "../task/scanAnswer.js";
import type { ScanTask } from "../task/scanTask.js";
import { lowerNow } from "../testing/lowerNow.js";
import { createScanMemory } from "../testing/scanMemory.js";
import { MainScan } from "./mainScan.js";

const { memory, kernel, leaf, scratch } = createScanMemory(128, 64);
const segmentCount = 12;
const segmentRows = 500;

const segments: readonly SegmentView[] = Array.from({ length: segmentCount }, (_, segment) => {
  const rows = Array.from(
    { length: segmentRows },
    (_row, i): PlainRow => ({
      time: segment * segmentRows + i,
      values: new Map<string, string | bigint>([
        ["s", `name ${i % 7}`],
        ["line", `said ${i}`],
        ["n", BigInt(segment * segmentRows + i)],
      ]),
    }),
  );
  const batch = batchOfRows(rows);
  const columns = new TableColumns();
  columns.take(batch);
  columns.storeAsText("line");
  const layoutOf = (name: string) => columns.layoutOf(name);
  const open = new OpenSegment(leaf, kernel);
  const ready = rescaleBatch(batch, layoutOf);
  open.reserve(ready, layoutOf);
  open.append(ready);
  return open.view();
});

const all: ResolvedFilter = { kind: "all", filters: [] };

function ask(filter: ResolvedFilter = all): ResolvedQuery {
  return {
    table: "t",
    sides: [{ fromMs: 0, toMs: 1_000_000, filter, buckets: null }],
    groupBy: [{ kind: "column", column: "s", type: "string", decimals: 0 }],
    states: [{ kind: "rows" }],
    sample: null,
    cut: { max: 100, bySeries: false, ranks: [] },
  };
}

const contains: ResolvedFilter = {
  kind: "contains",
  column: "line",
  needle: "9",
  negated: false,
};

const queryMemory = new QueryMemory(leaf);
const lower = (query: ResolvedQuery): ScanTask => lowerNow(1, query, [segments], queryMemory).task;
const signal = (): StopController => new StopController();

const warned: string[] = [];
/** Each step is a turn of its own. */
const createMain = (turnMs = 0): MainScan =>
  new MainScan({ memory, kernel, scratch, warn: (text) => void warned.push(text), turnMs });
afterEach(() => {
  warned.length = 0;
});

/** What does not hang on the time it took. */
const asScanned = ({ scanMs: _, ...answer }: ScanAnswer) => answer;

describe("a scan on the leaf's own thread", () => {
  test("answers as another thread would, and lets messages through between its turns", async () => {
    const main = createMain();
    const alone = new ScanRun({ memory, kernel, scratch }, lower(ask()));
    while (!alone.done) alone.step();
    let messages = 0;
    const message = (): void => {
      messages++;
      if (main.running > 0) setImmediate(message);
    };
    const scanned = main.run(lower(ask()), signal().signal, () => undefined);
    expect(main.running).toBe(1);
    setImmediate(message);
    expect(asScanned(await scanned)).toEqual(asScanned(alone.answer()));
    expect(messages).toBeGreaterThan(segmentCount / 2);
    expect([main.running, main.rowsScanned]).toEqual([0, segmentCount * segmentRows]);
  });

  test("ends soon after it was called off", async () => {
    const main = createMain();
    const controller = signal();
    const scanned = main.run(lower(ask()), controller.signal, () => undefined);
    controller.abort();
    await expect(scanned).rejects.toMatchObject({ code: "cancelled" });
    expect(main.running).toBe(0);
    expect(main.rowsScanned).toBeGreaterThan(0);
    expect(main.rowsScanned).toBeLessThan(segmentCount * segmentRows);
  });

  test("reads many groups in turns, and none where it was called off when all was scanned", async () => {
    const byNumber = (): ScanTask =>
      lower({ ...ask(), groupBy: [{ kind: "column", column: "n", type: "int", decimals: 0 }] });
    const alone = new ScanRun({ memory, kernel, scratch }, byNumber());
    while (!alone.done) alone.step();
    const longTurn = createMain(1_000);
    const whole = await longTurn.run(byNumber(), signal().signal, () => undefined);
    expect(whole.sides[0]?.groupCount).toBe(segmentCount * segmentRows);
    expect(asScanned(whole)).toEqual(asScanned(alone.answer()));
    const controller = signal();
    const left = longTurn.run(byNumber(), controller.signal, () => undefined);
    expect(longTurn.running).toBe(1);
    controller.abort();
    await expect(left).rejects.toMatchObject({ code: "cancelled" });
    expect([longTurn.running, longTurn.rowsScanned]).toEqual([0, 2 * segmentCount * segmentRows]);
  });

  test("that fails ends only its query, and is reported", async () => {
    const main = createMain();
    const task = lower(ask());
    const broken = { ...task, units: [null, ...task.units] } as unknown as ScanTask;
    const refusal = await main
      .run(broken, signal().signal, () => undefined)
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "internal" });
    expect(warned).toEqual([expect.stringContaining("TypeError")]);
    expect(main.running).toBe(0);
  });
});

describe("the leaf's own thread takes a scan", () => {
  test("that is short: no text is searched, no rows are shown, few groups are read", () => {
    const main = createMain();
    const task = lower(ask());
    expect(main.takes(task)).toBe(true);
    expect(main.takes(lower(ask(contains)))).toBe(false);
    expect(main.takes({ ...task, background: true })).toBe(false);
    expect(main.takes({ ...task, sample: {} as ScanTask["sample"] })).toBe(false);
    expect(main.takes({ ...task, branches: [{}] as unknown as ScanTask["branches"] })).toBe(false);
    const groups = (groupCount: number, kind: string, dealt: object | null = null): ScanTask => {
      const side = {
        table: { kind: "direct", groupCount, strides: [1], tallies: 0 },
        states: [{ kind }],
        dealt,
      };
      return { ...task, sides: [side] } as unknown as ScanTask;
    };
    expect(main.takes(groups(300_000, "rows"))).toBe(true);
    expect(main.takes(groups(300_000, "rows", {}))).toBe(false);
    expect(main.takes(groups(3_000_000, "rows"))).toBe(false);
    expect(main.takes(groups(1_000, "histogram"))).toBe(true);
    expect(main.takes(groups(5_000, "histogram"))).toBe(false);
    expect(main.takes(groups(5_000, "distinct"))).toBe(false);
    const units = Array.from({ length: 600 }, () => task.units[0]!);
    expect(main.takes({ ...task, units })).toBe(false);
  });

  test("while it has no other", async () => {
    const main = createMain();
    const scanned = main.run(lower(ask()), signal().signal, () => undefined);
    expect(main.takes(lower(ask()))).toBe(false);
    await scanned;
    expect(main.takes(lower(ask()))).toBe(true);
  });

  test("while it is not busy with other work; its own scan does not count", async () => {
    const main = createMain(10);
    const task = lower(ask());
    const busyMs = 300;
    const keepBusy = (work: () => void): void => {
      const endMs = performance.now() + busyMs;
      while (performance.now() < endMs) work();
    };
    keepBusy(() => undefined);
    expect(main.takes(task)).toBe(false);
    // Other processes may keep this one from its idle time.
    await vi.waitUntil(() => main.takes(task), { timeout: 20_000, interval: 2 * busyMs });
    const endMs = performance.now() + busyMs;
    while (performance.now() < endMs) await main.run(task, signal().signal, () => undefined);
    expect(main.takes(task)).toBe(true);
  });
});
