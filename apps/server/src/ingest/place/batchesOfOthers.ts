import { crc32 } from "node:zlib";
import { HadalError } from "@hadal/sdk";
import type { Attempt } from "../ledger/batchWindow.js";
import { answerWithin, askLeaf } from "./askLeaf.js";
import type { LeafTarget } from "./leafTarget.js";
import type { OtherPlacers } from "./outgoingBatch.js";
import { leafSilentMs } from "./unconfirmedBatches.js";

interface AskedBody {
  readonly table: string;
  readonly bodyId: string;
}

interface FoundBatches {
  readonly found: Map<string, Attempt>;
  readonly undecidedOf: Set<string>;
}

/**
 * Batches of a body that leaves have stored for another gateway. For a leaf that does not answer its
 * copy does, and the other gateways say what they have stored there; the same for leaves that only
 * they know. Throws `key-in-doubt` while it
 * is not known whether a leaf has one: stored on another leaf, its rows would count twice.
 */
export async function findOfOthers(
  asked: AskedBody,
  { leaves, copies }: Readonly<Record<"leaves" | "copies", readonly LeafTarget[]>>,
  others: OtherPlacers,
): Promise<ReadonlyMap<string, Attempt>> {
  const { table, bodyId: key } = asked;
  const found = new Map<string, Attempt>();
  /** Gateways that have not decided yet what becomes of parts of it. */
  const undecidedOf = new Set<string>();
  const answered = await askAll(asked, leaves, { found, undecidedOf });
  // Others may place on a leaf that has just joined, or know more than a gateway that has just started.
  const all = new Set([...leaves.map(({ id }) => id), ...others.leavesOfOthers]);
  const silent = [...all].filter((id) => !answered.has(id));
  const silentCopies = copies.filter(({ id }) => silent.includes(id));
  const copied = await askAll(asked, silentCopies, { found, undecidedOf });
  undecidedOf.delete(others.sender.gateway);
  const isOpen =
    undecidedOf.size > 0 ||
    others.isOpenElsewhere(table, `${key}/`) ||
    (silent.length > 0 &&
      (await others.isKeyOpen({ table, key, found: found.keys() }, { silent, copied })));
  if (!isOpen) return found;
  const places = silent.length > 0 ? silent.join(", ") : "Their leaf";
  const detail = `they may have come through another gateway. ${places} cannot say yet`;
  throw new HadalError("key-in-doubt", { key, detail });
}

/** Returns the ids of those that have answered. */
async function askAll(
  { table, bodyId }: AskedBody,
  leaves: readonly LeafTarget[],
  { found, undecidedOf }: FoundBatches,
): Promise<ReadonlySet<string>> {
  const answered = new Set<string>();
  // All of its batches: under the same key other rows may be stored, in other parts.
  const request = { kind: "holdsOfBody", table, idsStart: `${bodyId}/` } as const;
  await Promise.all(
    leaves
      .filter(({ state }) => state === "alive")
      .map(async (leaf) => {
        const asking = askLeaf(leaf, request, undefined, (header) =>
          header.kind === "holding" ? header.batches : null,
        );
        const answer = await answerWithin(leafSilentMs, asking);
        if (answer.kind !== "answered") return;
        answered.add(leaf.id);
        for (const { batchId, contentHash, undecided } of answer.outcome)
          if (undecided !== undefined) undecidedOf.add(undecided.gateway);
          else found.set(batchId, { leaf: leaf.id, contentHash, state: "stored" });
      }),
  );
  return answered;
}

/**
 * The leaf for a batch of a key: all gateways choose the same, which stores one of two that come at
 * once. Null: there is none.
 */
export function leafOfKey(batchId: string, leaves: readonly LeafTarget[]): string | null {
  let best: { readonly id: string; readonly weight: number } | null = null;
  for (const { id, freeBytes } of leaves) {
    const weight = crc32(`${batchId}\n${id}`);
    if (freeBytes > 0 && (best === null || weight > best.weight)) best = { id, weight };
  }
  return best?.id ?? null;
}
