import { HadalError } from "@hadal/sdk";
import type { BatchSender, SenderList } from "../../../../base/row/batchSender.js";
import type { LeafReply } from "../../../../cluster/leafReply.js";

/** The parts of a leaf connection that the lease uses. */
export interface FencedLeaf {
  readonly state: "alive" | "suspect" | "dead";
  request(
    request: { readonly kind: "fence"; readonly sender: BatchSender } & SenderList,
    body: undefined,
    options: { readonly timeoutMs: number },
  ): Promise<{ readonly header: LeafReply }>;
}

export interface PlacingLeaseDeps {
  readonly leaves: () => readonly FencedLeaf[];
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly sender: () => BatchSender;
  /** Those that may place rows, as they were last read. */
  readonly senders: () => SenderList;
}

/** Others take the place of a gateway after 10 s: by then it has left off. */
const leaseMs = 7_000;
/** It publishes every second: from here on the leaves are asked, too. */
const renewedMsMax = 3_000;
/** So long after it was asked for, the word of the leaves counts. */
const confirmedMs = 3_000;
const askMsMax = 1_000;

/** Whether this gateway may place rows; leaves learn which others may. */
export class PlacingLease {
  readonly #deps: PlacingLeaseDeps;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #untilAt = Number.NEGATIVE_INFINITY;
  /** A leaf has refused it with this epoch. */
  #fencedEpoch: number | null = null;
  #isAsking = false;

  constructor(deps: PlacingLeaseDeps) {
    this.#deps = deps;
  }

  /** The registry has taken what was published from then on. */
  renew(startedAt: number): void {
    this.#renewedAt = startedAt;
    this.#untilAt = Math.max(this.#untilAt, startedAt + leaseMs);
  }

  /** Why rows may not be placed now; null: they may. */
  get problem(): HadalError | null {
    const now = this.#deps.now();
    const isFenced = this.#fencedEpoch === this.#deps.sender().epoch;
    if (!isFenced && now < this.#untilAt) return null;
    const silentMs = now - this.#renewedAt;
    const detail = isFenced
      ? "others have taken its place while it was silent"
      : `it has not reached the registry for ${Math.round(silentMs / 1_000)} s, nor enough leaves to know that no other gateway has taken its place`;
    return new HadalError("gateway-fenced", { detail });
  }

  /**
   * While the registry cannot be reached, more than half of the leaves confirm that no other gateway
   * has taken its place.
   */
  async askIfLate(): Promise<void> {
    const startedAt = this.#deps.now();
    if (this.#isAsking || startedAt - this.#renewedAt < renewedMsMax) return;
    this.#isAsking = true;
    const leafCount = this.#deps.leaves().length;
    const confirmed = await this.fenceAll();
    this.#isAsking = false;
    if (2 * confirmed > leafCount) this.#untilAt = Math.max(this.#untilAt, startedAt + confirmedMs);
  }

  /** Returns how many leaves take rows of no other senders. */
  async fenceAll(): Promise<number> {
    const reached = this.#deps.leaves().filter(({ state }) => state !== "dead");
    const asked = await Promise.allSettled(reached.map((leaf) => this.fence(leaf)));
    return asked.filter(({ status }) => status === "fulfilled").length;
  }

  /**
   * Resolves when a leaf takes no rows of other senders. Rejects with `gateway-fenced` where this
   * gateway is not among them.
   */
  async fence(leaf: FencedLeaf): Promise<void> {
    const sender = this.#deps.sender();
    try {
      const request = { kind: "fence", ...this.#deps.senders(), sender } as const;
      const { header } = await leaf.request(request, undefined, { timeoutMs: askMsMax });
      if (header.kind === "problem") throw HadalError.fromProblem(header.problem);
      if (header.kind !== "done") throw new Error(`a leaf answered ${header.kind} to fence`);
    } catch (error) {
      const code = error instanceof HadalError ? error.code : null;
      if (code === "gateway-fenced") this.#fencedEpoch = sender.epoch;
      // A leaf of an older version takes rows of all.
      if (code !== "bad-request") throw error;
    }
  }
}
