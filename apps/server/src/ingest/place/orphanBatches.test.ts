import { rm } from "node:fs/promises";
import { join } from "node:path";
import { HadalError } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { rowsText, startGateway, type TestGateway, withFolder } from "../testing/gateway.js";
import { MemoryLeaf } from "../testing/memoryLeaf.js";
import { BatchPlacer } from "./batchPlacer.js";

const leavesOf = (count: number): MemoryLeaf[] =>
  Array.from({ length: count }, (_, i) => new MemoryLeaf(`leaf-${i + 1}`));
const expectedTotal = ({ ledger }: TestGateway): number =>
  [...ledger.expected("t", -1e15, 1e15).values()].reduce((sum, rows) => sum + rows, 0);
const rowsOn = (leaves: readonly MemoryLeaf[]) => leaves.map((leaf) => leaf.rowCount("t"));
const hintsOn = (leaves: readonly MemoryLeaf[]) => leaves.map(({ hints }) => hints.size);

/** A gateway whose ledger is gone. */
async function startAgain(folder: string, leaves: readonly MemoryLeaf[]): Promise<TestGateway> {
  await rm(join(folder, "ledger"), { recursive: true, force: true });
  return startGateway(join(folder, "ledger"), leaves, () => 0, { isCompared: false });
}

/** Rounds until nothing changes any more. */
async function settle(gateway: TestGateway): Promise<void> {
  for (let round = 0; round < 4; round++) await gateway.ingest.resolvePending();
}

/** Does something each time before the leaf hears such a request. */
function before(leaf: MemoryLeaf, kind: string, work: () => Promise<void>): void {
  const request = leaf.request.bind(leaf);
  leaf.request = async (...asked) => {
    if (asked[0].kind === kind) await work();
    return request(...asked);
  };
}

/**
 * Three rows are acknowledged with a hint on the second of three leaves, as the first is silent;
 * then the ledger is lost.
 */
async function loseLedgerAfterHint(
  fate: "gone after it" | "gone before it",
  test: (gateway: TestGateway, leaves: readonly MemoryLeaf[]) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const leaves = leavesOf(3);
    leaves[0]!.fates = [fate];
    const first = await startGateway(join(folder, "ledger"), leaves, () => 0);
    expect(await first.send(rowsText(3), "k")).toMatchObject({ accepted: 3 });
    expect(hintsOn(leaves)).toEqual([0, 1, 0]);
    await first.stop();
    const second = await startAgain(folder, leaves);
    await test(second, leaves).finally(() => second.stop());
  });
}

describe("a hinted batch when the ledger is lost", () => {
  test("is stored once all leaves have denied having it", () =>
    loseLedgerAfterHint("gone before it", async (gateway, leaves) => {
      await settle(gateway);
      expect(hintsOn(leaves)).toEqual([0, 1, 0]);
      expect(gateway.ingest.areHintsKnown()).toBe(false);
      leaves[0]!.state = "alive";
      await gateway.ingest.resolvePending();
      // In doubt, and expected.
      expect([gateway.ledger.pending().length, expectedTotal(gateway)]).toEqual([1, 3]);
      await settle(gateway);
      expect([rowsOn(leaves), hintsOn(leaves)]).toEqual([
        [0, 3, 0],
        [0, 0, 0],
      ]);
      expect([gateway.ledger.pending(), gateway.ledger.hints.list()]).toEqual([[], []]);
      expect(expectedTotal(gateway)).toBe(3);
      expect(gateway.ingest.areHintsKnown()).toBe(true);
    }));

  test("is dropped where a leaf has stored it", () =>
    loseLedgerAfterHint("gone after it", async (gateway, leaves) => {
      leaves[0]!.state = "alive";
      await settle(gateway);
      expect([rowsOn(leaves), hintsOn(leaves)]).toEqual([
        [3, 0, 0],
        [0, 0, 0],
      ]);
      expect(gateway.ledger.pending()).toEqual([]);
    }));

  test("is stored from one leaf where two have a hint", () =>
    loseLedgerAfterHint("gone before it", async (gateway, leaves) => {
      for (const [key, batch] of leaves[1]!.hints) leaves[2]!.hints.set(key, batch);
      leaves[0]!.state = "alive";
      await settle(gateway);
      expect(rowsOn(leaves)).toEqual([0, 3, 0]);
      expect(hintsOn(leaves)).toEqual([0, 0, 0]);
      expect(expectedTotal(gateway)).toBe(3);
    }));

  test("is not stored again when its request comes again, before and after", () =>
    loseLedgerAfterHint("gone before it", async (gateway, leaves) => {
      await expect(gateway.send(rowsText(3), "k")).rejects.toMatchObject({ retry: true });
      leaves[0]!.state = "alive";
      for (let again = 0; again < 2; again++) {
        expect(await gateway.send(rowsText(3), "k")).toMatchObject({ accepted: 3 });
        await settle(gateway);
        expect(rowsOn(leaves)).toEqual([0, 3, 0]);
      }
      expect(expectedTotal(gateway)).toBe(3);
    }));

  test("is not stored again when its hint is stored while its request is examined", () =>
    loseLedgerAfterHint("gone before it", async (gateway, leaves) => {
      leaves[0]!.state = "alive";
      before(leaves[2]!, "holdsOfBody", () => settle(gateway));
      expect(await gateway.send(rowsText(3), "k")).toMatchObject({ accepted: 3 });
      expect([rowsOn(leaves), expectedTotal(gateway)]).toEqual([[0, 3, 0], 3]);
    }));

  test("is not stored again while a leaf cannot be asked", () =>
    loseLedgerAfterHint("gone before it", async (gateway, leaves) => {
      leaves[0]!.state = "alive";
      before(leaves[0]!, "holds", () => {
        throw new HadalError("unavailable", { detail: "unread" });
      });
      await expect(gateway.send(rowsText(3), "k")).rejects.toMatchObject({ code: "unavailable" });
      await settle(gateway);
      expect([rowsOn(leaves), hintsOn(leaves)]).toEqual([
        [0, 0, 0],
        [0, 1, 0],
      ]);
    }));

  test("is in doubt again after another restart, on its way or not", () =>
    withFolder(async (folder) => {
      const leaves = leavesOf(2);
      leaves[0]!.fates = ["gone before it"];
      const first = await startGateway(join(folder, "ledger"), leaves, () => 0);
      await first.send(rowsText(3), "k");
      await first.stop();
      leaves[0]!.state = "alive";
      const second = await startAgain(folder, leaves);
      await second.ingest.resolvePending();
      expect(second.ledger.pending()).toHaveLength(1);
      await second.stop();
      const third = await startGateway(join(folder, "ledger"), leaves, () => 0, {
        isCompared: false,
      });
      await settle(third);
      expect([rowsOn(leaves), hintsOn(leaves), expectedTotal(third)]).toEqual([[0, 3], [0, 0], 3]);
      await third.stop();
    }));
});

test("a part that is stored while its request is cut up is not sent to another leaf", () =>
  withFolder(async (folder) => {
    const leaves = leavesOf(2);
    const gateway = await startGateway(folder, leaves);
    const { ledger } = gateway;
    const intent = { table: "t", batchId: "k/0", key: "k", requestHash: "h" };
    const rows = { minutes: [0], counts: [3] };
    await ledger.begin({ ...intent, rows, contentHash: "c", leaf: "leaf-1", atMs: 0 });
    await ledger.beginHint("t", "k/0", "leaf-2");
    await ledger.beginTaking("t", "k/0", "leaf-2");
    ledger.move("t", "k/0", "leaf-2");
    const deps = { leaves: () => leaves, ledger, random: () => 0, nowMs: () => 0 };
    const placer = new BatchPlacer({ ...deps, sleep: async () => undefined });
    const sender = { client: "", request: {} } as never;
    const encode = () => Promise.reject(new Error("it is sent"));
    const batch = { intent: { ...intent, rows }, sender, size: 1, encode, durable: true };
    await placer.place({ ...batch, epoch: null, countedOn: null, leafId: "leaf-1" }, 1);
    expect(leaves.map(({ appends }) => appends)).toEqual([0, 0]);
    await gateway.stop();
  }));
