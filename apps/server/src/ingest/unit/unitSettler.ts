import { answerWithin, askLeaf } from "../place/askLeaf.js";
import type { LeafTarget } from "../place/leafTarget.js";
import type { PlacerDeps } from "../place/outgoingBatch.js";

/** A leaf that has restarted since it answered may know less. */
const repeatMs = 5_000;
/**
 * So long after a unit was begun (its number is not below that time), no batch of it can be on its way
 * to a leaf: one that came after the unit is forgotten would be visible.
 */
const forgetMs = 120_000;
/** An acknowledgement waits no longer for leaves that are silent. */
const waitMsMax = 1_000;

interface SettledLeaf {
  /** How many decisions there were when it was sent what it has answered. */
  readonly decisions: number;
  /** Which aborted units it knows of. */
  readonly aborted: ReadonlySet<number>;
  readonly atMs: number;
}

export type SettlerDeps = Pick<PlacerDeps, "ledger" | "leaves" | "nowMs"> & {
  readonly gateway: () => string;
};

/** Says to every leaf which units are decided, again and again until it answers. */
export class UnitSettler {
  readonly #deps: SettlerDeps;
  #decisions = 0;
  readonly #answered = new Map<string, SettledLeaf>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(deps: SettlerDeps) {
    this.#deps = deps;
  }

  /** A unit was decided. Resolves when the leaves that answer know it, after a moment at most. */
  async noteDecision(): Promise<void> {
    this.#decisions++;
    await Promise.all(this.#deps.leaves().map((leaf) => this.#say(leaf)));
  }

  /** Repeats it to leaves that may not know it. Resolves as above. */
  async repeat(): Promise<void> {
    const { ledger, leaves, nowMs } = this.#deps;
    if (ledger.units.visible.upTo === 0) return;
    const due = leaves().filter(({ id }) => {
      const { decisions = -1, atMs = 0 } = this.#answered.get(id) ?? {};
      return decisions < this.#decisions || nowMs() - atMs >= repeatMs;
    });
    await Promise.all(due.map((leaf) => this.#asking.get(leaf.id) ?? this.#ask(leaf)));
  }

  /** Whether a leaf has answered since the last decision. */
  knowsAll(leafId: string): boolean {
    return this.#answered.get(leafId)?.decisions === this.#decisions;
  }

  /** One request to a leaf at a time: it has all decisions until then. */
  async #say(leaf: LeafTarget): Promise<void> {
    const wanted = this.#decisions;
    await this.#asking.get(leaf.id);
    if ((this.#answered.get(leaf.id)?.decisions ?? -1) >= wanted) return;
    // All that have waited share the next one.
    await (this.#asking.get(leaf.id) ?? this.#ask(leaf));
  }

  #ask(leaf: LeafTarget): Promise<void> {
    const asking = this.#askOnce(leaf).finally(() => this.#asking.delete(leaf.id));
    this.#asking.set(leaf.id, asking);
    return asking;
  }

  async #askOnce(leaf: LeafTarget): Promise<void> {
    const { ledger, gateway, nowMs } = this.#deps;
    if (leaf.state !== "alive" || leaf.status?.takesUnits !== true) return;
    const decisions = this.#decisions;
    const { aborted, visible, named } = ledger.units;
    const isUnsure = leaf.status.areUnitsUnsure === true;
    const request = {
      ...({ kind: "settle", gateway: gateway(), ...visible, aborted } as const),
      ...(isUnsure && { named }),
    };
    const asking = askLeaf(leaf, request, undefined, ({ kind }) => kind === "done" || null);
    const noted = asking.then((answer) => {
      const before = this.#answered.get(leaf.id)?.decisions ?? -1;
      if (answer.kind === "answered" && before <= decisions) {
        this.#answered.set(leaf.id, { decisions, aborted: new Set(aborted), atMs: nowMs() });
        this.#forget();
      }
      return answer;
    });
    await answerWithin(waitMsMax, noted);
  }

  /** What every leaf has on its disk need not be said with every query. */
  #forget(): void {
    const { ledger, leaves, nowMs } = this.#deps;
    const known = leaves().map(({ id }) => this.#answered.get(id)?.aborted);
    const forgotten = ledger.units.aborted.filter(
      (number) =>
        nowMs() - number >= forgetMs && known.every((aborted) => aborted?.has(number) === true),
    );
    if (forgotten.length > 0) ledger.forgetUnits(forgotten);
  }
}
