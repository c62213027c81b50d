import { expect, test } from "vitest";
import type { LeafReply } from "../../cluster/leafReply.js";
import type { Attempt } from "../ledger/batchWindow.js";
import type { LeafIngestRequest, LeafTarget } from "./leafTarget.js";
import { storeLost } from "./storeLost.js";

const bytes = new Uint8Array([1]);
const part = (batchId: string, contentHash = "h") => ({
  batchId,
  encode: async () => ({ bytes, contentHash }),
});
const attempt = (leaf: string, state: Attempt["state"] = "stored"): Attempt => ({
  ...{ leaf, state, contentHash: "h" },
});

/** A leaf that has some batches, and what it was asked. */
function leafWith(id: string, held: readonly string[], state: LeafTarget["state"] = "alive") {
  const asked: string[] = [];
  const request = async (sent: LeafIngestRequest): Promise<{ readonly header: LeafReply }> => {
    asked.push(sent.kind === "append" ? `append ${sent.batchId}` : sent.kind);
    if (sent.kind === "append") {
      return { header: { kind: "appended", id: 1, rowCount: 1, duplicate: false, freeBytes: 1 } };
    }
    const batches = held.map((batchId) => ({ batchId, contentHash: "h", rowCount: 1 }));
    return { header: { kind: "holding", id: 1, batches } };
  };
  const leaf: LeafTarget = { id, state, freeBytes: 1, request };
  return { leaf, asked };
}

test("a part that its leaf has lost is sent to that leaf again, and no other part", async () => {
  const one = leafWith("one", ["k/0"]);
  const two = leafWith("two", []);
  const before = new Map([
    ["k/0", attempt("one")],
    ["k/1", attempt("one")],
    ["k/2", attempt("two", "pending")],
    ["k/3", attempt("one")],
  ]);
  const parts = [part("k/0"), part("k/1"), part("k/2"), part("k/3", "with other types")];
  await storeLost({ leaves: () => [one.leaf, two.leaf] }, "t", before, parts);
  expect(one.asked).toEqual(["holds", "append k/1"]);
  expect(two.asked).toEqual([]);
});

test("a leaf that is away, or does not say what it has, gets nothing", async () => {
  const away = leafWith("away", [], "suspect");
  const before = new Map([
    ["k/0", attempt("away")],
    ["k/1", attempt("silent")],
  ]);
  const asked: string[] = [];
  const silent: LeafTarget = {
    ...{ id: "silent", state: "alive", freeBytes: 1 },
    request: async ({ kind }) => {
      asked.push(kind);
      throw new Error("the connection ended");
    },
  };
  await storeLost({ leaves: () => [away.leaf, silent] }, "t", before, [part("k/0"), part("k/1")]);
  expect(away.asked).toEqual([]);
  expect(asked).toEqual(["holds"]);
});
