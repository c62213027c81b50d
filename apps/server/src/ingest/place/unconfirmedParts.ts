import { HadalError } from "@hadal/sdk";
import type { BatchIntent } from "../ledger/ledgerEvents.js";
import { answerWithin, askLeaf } from "./askLeaf.js";
import type { LeafTarget } from "./leafTarget.js";
import type { PlacedBatch, PlacerDeps, UnitOfBatch } from "./outgoingBatch.js";
import { leafSilentMs } from "./unconfirmedBatches.js";

const retryMsMin = 20;
const retryMsMax = 500;

/** It is not known what has become of a part: the unit has to be sent as another one. */
export class UnitBroken extends Error {}

/** What a leaf says of a batch of a unit. `decided`: as far as it knows, queries see the batch. */
export type HeldPart = "undecided" | "decided" | "none" | "unknown";

/** `unknown`: it does not answer now. Another batch under this id is not ours. */
export async function askForPart(
  leaf: LeafTarget | undefined,
  { table, batchId, contentHash, unit }: BatchIntent,
): Promise<HeldPart> {
  if (leaf?.state !== "alive") return "unknown";
  const request = { kind: "holds", table, batchIds: [batchId] } as const;
  const asking = askLeaf(leaf, request, undefined, (header) =>
    header.kind === "holding" ? header.batches : null,
  );
  const answer = await answerWithin(leafSilentMs, asking);
  if (answer.kind !== "answered") return "unknown";
  const held = answer.outcome.find((one) => one.batchId === batchId);
  if (held === undefined || held.contentHash !== contentHash) return "none";
  if (held.undecided === undefined) return "decided";
  const { gateway, number } = held.undecided;
  return gateway === unit?.gateway && number === unit.number ? "undecided" : "none";
}

/** Parts of units that their leaf may have stored or not. */
export class UnconfirmedParts {
  readonly #deps: PlacerDeps;

  constructor(deps: PlacerDeps) {
    this.#deps = deps;
  }

  /**
   * Waits until the leaf says whether it has the part. One that is busy is waited for. Throws
   * {@link UnitBroken} where it is gone for a while.
   */
  async resolve(
    intent: BatchIntent,
    unit: UnitOfBatch,
    deadlineMs: number,
  ): Promise<PlacedBatch | "refused"> {
    const { ledger, nowMs, sleep } = this.#deps;
    const isOpen = (): boolean => ledger.findPending(intent.table, intent.batchId) === intent;
    for (let retryMs = retryMsMin; ; retryMs = Math.min(retryMs * 2, retryMsMax)) {
      unit.check();
      if (unit.hasStored(intent)) return "stored";
      if (!isOpen()) return "refused";
      const leaf = this.#deps.leaves().find(({ id }) => id === intent.leaf);
      const held = await askForPart(leaf, intent);
      if (unit.hasStored(intent)) return "stored";
      if (held === "undecided") {
        unit.noteStored(intent);
        return "stored";
      }
      if (held !== "unknown") {
        ledger.settle(intent.table, intent.batchId, held === "decided" ? "known" : "refused");
        return held === "decided" ? "known" : "refused";
      }
      const isSilent = leaf?.state !== "alive" && nowMs() - intent.atMs >= leafSilentMs;
      if (isSilent)
        throw new UnitBroken(`${intent.leaf} did not say in time whether it has its part`);
      if (nowMs() >= deadlineMs) throw new HadalError("leaf-unreachable", { leaf: intent.leaf });
      await sleep(retryMs);
    }
  }
}
