import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Registry } from "../../../registry/registry.js";
import { listPositions } from "../../../registry/source/sourcePositions.js";
import { type RegistryFolder, registryFolder } from "../../../registry/testing/registryFolder.js";
import type { RowIngest } from "../../ingestRows.js";
import { startGateway, type TestGateway } from "../../testing/gateway.js";
import { MemoryLeaf } from "../../testing/memoryLeaf.js";
import { SourceReport } from "../sourceReport.js";
import type { KafkaMessage } from "./messages.js";
import { PartitionReader } from "./partitionReader.js";

const place = { source: "s", topic: "orders", partition: 3 };
const topic = { topic: "orders", table: "t", timeUnit: "ms" as const };
const fromMs = 1_750_500_000_000;

let folder: RegistryFolder;
let registry: Registry;
let leaves: MemoryLeaf[];
let gateways: TestGateway[];
beforeEach(async () => {
  folder = await registryFolder();
  registry = await folder.open();
  leaves = [new MemoryLeaf("leaf-1"), new MemoryLeaf("leaf-2")];
  gateways = [];
});
afterEach(async () => {
  for (const gateway of gateways) await gateway.stop();
  await folder.remove();
});

const message = (offset: number): KafkaMessage => ({
  ...{ offset, timestampMs: fromMs, contentType: undefined, leaderEpoch: 0 },
  value: Buffer.from(`{"time":${fromMs + offset},"n":${offset}}`),
});

/** A gateway that knows nothing of what others have sent. */
async function newGateway(): Promise<TestGateway> {
  const gateway = await startGateway(await mkdtemp(join(folder.path, "gateway-")), leaves);
  gateways.push(gateway);
  return gateway;
}

/** The event times on all leaves: one for each message, by its offset. */
const storedOffsets = (): number[] =>
  leaves
    .flatMap(({ held }) => [...held.values()].flatMap(({ times }) => [...times]))
    .map((time) => time - fromMs)
    .sort((a, b) => a - b);

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Where a gateway that reads the partition ends, as by `kill -9`. */
type Crash = "before the rows are sent" | "after they are stored" | "never";

interface Reading {
  readonly reader: PartitionReader;
  readonly report: SourceReport;
  /** Resolves when it has crashed, or stored as many as there are. */
  readonly over: Promise<"crashed" | "done">;
  /** A gateway that only seemed to be gone goes on. */
  wake(): void;
}

/** Reads what a topic of `count` messages has, `step` at a time, up to the crash in its `batch`th batch. */
function read(
  gateway: TestGateway,
  { count, step, batch, crash }: { count: number; step: number; batch: number; crash: Crash },
): Reading {
  const report = new SourceReport();
  let wake = (): void => undefined;
  const asleep = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let fell = (): void => undefined;
  const crashed = new Promise<"crashed">((resolve) => {
    fell = () => resolve("crashed");
  });
  let sent = 0;
  const ingest: Pick<RowIngest, "rows"> = {
    async rows(request) {
      const isLast = sent++ === batch;
      if (isLast && crash === "before the rows are sent") {
        fell();
        await asleep;
      }
      const reply = await gateway.ingest.rows(request);
      if (isLast && crash === "after they are stored") {
        fell();
        await asleep;
      }
      return reply;
    },
  };
  const reader = new PartitionReader(
    place,
    topic,
    { token: `${Math.random()}`, gateway: "gateway", topicId: "4f2c81d0-topic" },
    {
      ...{ ingest, report, registry, nowMs: () => fromMs + count },
      findStart: async () => 0,
      onRoom: () => undefined,
    },
  );
  const failed = new Promise<never>((_, reject) => reader.start(reject));
  const feed = async (): Promise<"done"> => {
    for (;;) {
      const { readTo, hasRoom } = reader.buffer;
      reader.buffer.endOffset = count;
      if (readTo !== null && hasRoom && readTo < count) {
        const messages = upTo(Math.min(step, count - readTo)).map((i) => message(readTo + i));
        reader.buffer.add(readTo, { messages, bytes: 1, readTo: readTo + messages.length });
      }
      if (reader.nextOffset === count || reader.isLost) return "done";
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  return { reader, report, over: Promise.race([crashed, feed(), failed]), wake: () => wake() };
}

const crashes = fc.record({
  step: fc.integer({ min: 1, max: 400 }),
  batch: fc.integer({ min: 0, max: 2 }),
  crash: fc.constantFrom<Crash>("before the rows are sent", "after they are stored"),
  /** Whether the next one to read is the same gateway after a restart, or another one. */
  isOther: fc.boolean(),
  /**
   * Whether it goes on after all, while the same gateway reads again. (Gateways of a cluster share what
   * they have sent: see the tests of clusters.)
   */
  wakes: fc.boolean(),
});

describe("a partition whose readers crash", () => {
  test("has each of its rows once, wherever they do and whoever goes on", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(crashes, { maxLength: 4 }), async (falls) => {
        for (const leaf of leaves) leaf.held.clear();
        await registry.write((transaction) =>
          transaction
            .deleteFrom("source_position")
            .execute()
            .then(() => undefined),
        );
        const count = 600;
        let gateway = await newGateway();
        const asleep: Reading[] = [];
        for (const { isOther, wakes, ...fall } of falls) {
          const reading = read(gateway, { count, ...fall });
          await reading.over;
          if (isOther) gateway = await newGateway();
          else asleep.push(reading);
          if (wakes && !isOther) reading.wake();
        }
        const last = read(gateway, { count, step: 250, batch: -1, crash: "never" });
        expect(await last.over).toBe("done");
        for (const reading of asleep) {
          reading.wake();
          await reading.reader.stop();
        }
        await last.reader.stop();
        expect(storedOffsets()).toEqual(upTo(count));
        const [position] = await registry.read(listPositions);
        expect(position).toMatchObject({ next_offset: count, pending: null });
      }),
      { numRuns: 25 },
    );
  }, 40_000);

  test("is left by a reader whose place was taken, before it sends more", async () => {
    const gateway = await newGateway();
    const first = read(gateway, { count: 10, step: 5, batch: 0, crash: "after they are stored" });
    await first.over;
    const second = read(gateway, { count: 10, step: 10, batch: -1, crash: "never" });
    await second.over;
    first.wake();
    await first.reader.stop();
    expect(first.reader.isLost).toBe(true);
    await second.reader.stop();
    expect(storedOffsets()).toEqual(upTo(10));
  });
});

test("a reader waits while rows cannot be stored, and says why", async () => {
  const gateway = await newGateway();
  for (const leaf of leaves) leaf.state = "dead";
  const reading = read(gateway, { count: 3, step: 3, batch: -1, crash: "never" });
  reading.report.noteLink("reading");
  await expect.poll(() => reading.report.state.state, { timeout: 10_000 }).toBe("waiting");
  expect(reading.report.state.reason).toContain("orders/3");
  for (const leaf of leaves) leaf.state = "alive";
  expect(await reading.over).toBe("done");
  await reading.reader.stop();
  expect(reading.report.state.state).toBe("reading");
  expect(storedOffsets()).toEqual(upTo(3));
});

test("a table that may not be made fails the source, and loses no message", async () => {
  const gateway = await newGateway();
  for (const table of ["a", "b", "c"]) await gateway.send(`{"time":${fromMs}}`, undefined, table);
  for (const leaf of leaves) leaf.held.clear();
  const reading = read(gateway, { count: 3, step: 3, batch: -1, crash: "never" });
  reading.report.noteLink("reading");
  await expect.poll(() => reading.report.state.state, { timeout: 10_000 }).toBe("failed");
  expect(reading.report.state.reason).toContain("3 tables");
  await reading.reader.stop();
  expect(reading.reader.nextOffset).toBe(0);
});
