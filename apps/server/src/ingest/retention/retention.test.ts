import { join } from "node:path";
import { HadalError, type TableSettings } from "@hadal/sdk";
import { describe, expect, it } from "vitest";
import type { LeafRequestBody } from "../../cluster/leafProtocol.js";
import type { LeafReply } from "../../cluster/leafReply.js";
import { openRegistry } from "../../registry/openRegistry.js";
import type { BatchIntent } from "../ledger/ledgerEvents.js";
import { RowCountLedger } from "../ledger/rowCountLedger.js";
import { withFolder } from "../testing/gateway.js";
import { type RetainingLeaf, Retention } from "./retention.js";
import { TableSettingsStore } from "./tableSettings.js";

const rows = { minutes: [0], counts: [3] };
const intent: BatchIntent = {
  ...{ table: "t", batchId: "k/0", contentHash: "hash", leaf: "leaf", atMs: 1 },
  ...{ key: "k", requestHash: "request", rows },
};
const settings: TableSettings = {
  retention: { maxAgeMs: 1, maxBytes: null },
  thinning: [],
  columns: [],
};

/** A leaf that answers with what the test says, and what it was asked. */
function answeringLeaf(answer: (request: LeafRequestBody) => Promise<LeafReply>) {
  const asked: string[] = [];
  const leaf: { -readonly [key in keyof RetainingLeaf]: RetainingLeaf[key] } = {
    id: "leaf",
    state: "alive",
    status: null,
    request: async (request) => {
      asked.push(`${request.kind} ${"table" in request ? request.table : ""}`);
      return { header: await answer(request) };
    },
  };
  return { leaf, asked };
}

const withRetention = (
  answer: (request: LeafRequestBody) => Promise<LeafReply>,
  test: (parts: {
    ledger: RowCountLedger;
    retention: Retention;
    leaf: ReturnType<typeof answeringLeaf>["leaf"];
    asked: string[];
    warnings: string[];
  }) => Promise<void>,
) =>
  withFolder(async (folder) => {
    const warnings: string[] = [];
    const warn = (text: string) => void warnings.push(text);
    const ledger = await RowCountLedger.open(join(folder, "ledger"), warn);
    const registry = await openRegistry({ dataDir: folder, databaseUrl: null, warn });
    const store = await TableSettingsStore.open(registry);
    await store.set("t", settings);
    await store.set("u", settings);
    const { leaf, asked } = answeringLeaf(answer);
    const leaves = () => [leaf];
    const clock = { nowMs: 1e9 };
    const sleep = async (ms: number) => {
      clock.nowMs += ms;
      await new Promise(setImmediate);
    };
    const nowMs = async () => clock.nowMs;
    const retention = new Retention({ leaves, ledger, settings: store, nowMs, sleep, warn });
    await test({ ledger, retention, leaf, asked, warnings });
    await ledger.close();
    await registry.close();
  });

const done: LeafReply = { kind: "done", id: 1 };
const expiring = (generations: readonly number[]): LeafReply => ({
  kind: "expiring",
  id: 1,
  generations,
  rows: generations.length > 0 ? rows : { minutes: [], counts: [] },
});
const problem: LeafReply = {
  kind: "problem",
  id: 1,
  problem: new HadalError("storage-full", { leaf: "leaf", detail: "no room" }).toProblem(),
};

describe("a round of retention", () => {
  it("books rows out after the batches that the leaf may have counted among them", async () => {
    let ledgerOf: RowCountLedger | undefined;
    const answer = async (request: LeafRequestBody) => {
      if (request.kind !== "expire") return done;
      // Stored before the leaf looked; its answer is noted after that.
      setImmediate(() => ledgerOf!.settle("t", "k/0", "stored"));
      return expiring(request.table === "t" ? [1] : []);
    };
    await withRetention(answer, async ({ ledger, retention, asked }) => {
      ledgerOf = ledger;
      await ledger.begin(intent);
      await retention.run();
      expect(asked).toContain("drop t");
      expect([...ledger.expected("t", 0, 1e9)]).toEqual([]);
    });
  });

  it("removes nothing as long as the leaf does not say whether it has such a batch", async () => {
    const answer = async (request: LeafRequestBody) =>
      expiring(request.kind === "expire" && request.table === "t" ? [1] : []);
    await withRetention(answer, async ({ ledger, retention, asked }) => {
      await ledger.begin(intent);
      await retention.run();
      expect(asked).toEqual(["expire t", "expire u"]);
      ledger.settle("t", "k/0", "stored");
      await retention.run();
      expect(asked).toContain("drop t");
    });
  });

  it("lets nothing go of a table that was deleted while it waited for such a batch", async () => {
    let ledgerOf: RowCountLedger | undefined;
    const answer = async (request: LeafRequestBody) => {
      if (request.kind !== "expire" || request.table !== "t") return expiring([]);
      setImmediate(() => void ledgerOf!.deleteTable("t", ["leaf"]));
      return expiring([1]);
    };
    await withRetention(answer, async ({ ledger, retention }) => {
      ledgerOf = ledger;
      await ledger.begin(intent);
      await retention.run();
      expect(ledger.drops.find("t", "leaf")?.generations).toBeNull();
    });
  });

  it("continues with the other tables where one finds no room, and reports it", async () => {
    const answer = async (request: LeafRequestBody) => {
      if (request.kind === "reduce") return problem;
      return request.kind === "expire" && request.table === "u" ? expiring([7]) : done;
    };
    await withRetention(answer, async ({ ledger, retention, asked, warnings }) => {
      await ledger.expire({ table: "t", leaf: "leaf", generations: [1], rows, keepOneIn: 10 });
      await retention.run();
      expect(asked).toEqual(["reduce t", "expire u", "drop u"]);
      expect(warnings.join()).toContain("no room");
      expect(ledger.drops.list().map(({ table }) => table)).toEqual(["t"]);
    });
  });

  it("reports why a leaf cannot plan", async () => {
    await withRetention(
      async () => problem,
      async ({ retention, warnings }) => {
        await retention.run();
        expect(warnings).toHaveLength(2);
      },
    );
  });

  it("stops asking a leaf whose connection is lost", async () => {
    const answer = async (): Promise<LeafReply> => {
      throw new HadalError("connection-lost", { url: "leaf" });
    };
    await withRetention(answer, async ({ retention, asked }) => {
      await retention.run();
      expect(asked).toHaveLength(1);
    });
  });

  it("frees a leaf that is over its budget: tables furthest over an equal share first, once a status", async () => {
    const bounds: unknown[] = [];
    const answer = async (request: LeafRequestBody) => {
      if (request.kind === "expire") bounds.push([request.table, request.maxBytes]);
      return expiring(request.kind === "expire" && request.table === "large" ? [4] : []);
    };
    await withRetention(answer, async ({ ledger, retention, leaf, asked }) => {
      const tables = [
        ...[{ name: "small", rows: 1, bytes: 100 }],
        ...[{ name: "large", rows: 1, bytes: 1_000 }],
        ...[{ name: "other", rows: 1, bytes: 700 }],
      ];
      leaf.status = { tables, excessBytes: 0 };
      await retention.runBounded();
      expect(bounds).toEqual([]);
      // 1,200 stay: 400 each.
      leaf.status = { tables, excessBytes: 600 };
      await retention.runBounded();
      expect(bounds).toEqual([["large", 400]]);
      expect(asked).toContain("drop large");
      expect(ledger.drops.list()).toEqual([]);
      await retention.runBounded();
      expect(bounds).toHaveLength(1);
      leaf.status = { tables, excessBytes: 750 };
      await retention.runBounded();
      expect(bounds.slice(1)).toEqual([
        ["large", 350],
        ["other", 600],
      ]);
    });
  });
});
