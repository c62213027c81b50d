import { isVisible, type UnitSnapshot, type UnitStamp } from "../../base/row/unitSnapshot.js";
import type { LeafReply, UndecidedBatch } from "../../cluster/leafReply.js";
import type { Doubt } from "../ledger/ledgerDoubts.js";
import { askLeaf } from "../place/askLeaf.js";
import type { LeafTarget } from "../place/leafTarget.js";
import type { PlacerDeps } from "../place/outgoingBatch.js";

/** Units of gateways that are gone are searched for so often. */
const searchEveryMs = 10_000;

interface FoundUnit {
  readonly stamp: UnitStamp;
  /** Tables and ids of its batches that leaves have undecided. */
  readonly batches: Set<string>;
}

/** What all leaves say. */
interface FoundUnits {
  readonly units: readonly FoundUnit[];
  /** What each knows to be committed. */
  readonly decided: readonly UnitSnapshot[];
}

/**
 * Units that leaves have undecided and no gateway knows: the ledger has lost them, or their gateway is
 * gone. Nothing more of them can come: where a leaf knows that the unit is committed, or leaves have all
 * parts, it is committed, else it is aborted.
 */
export class OrphanUnits {
  readonly #deps: PlacerDeps;
  /** The ledger's damage when all leaves were searched; undefined: they were not. */
  #searchedAt: Doubt | null | undefined;
  #searchedMs = 0;
  #searching: Promise<boolean> | null = null;

  constructor(deps: PlacerDeps) {
    this.#deps = deps;
  }

  /** Whether all were found since the ledger was last damaged: until then no number may be given. */
  get areFound(): boolean {
    if (this.#deps.others?.isLeader === false) return true;
    return this.#damage === null || this.#searchedAt === this.#damage;
  }

  /** Whether no leaf is away, so that all will be searched in a moment. */
  get areSoonFound(): boolean {
    const { leaves, leavesLeftOut = [] } = this.#deps;
    return leavesLeftOut.length === 0 && leaves().every(({ state }) => state !== "dead");
  }

  /** Needs all leaves. Returns whether units of this gateway were decided; callers share one search. */
  search(): Promise<boolean> {
    this.#searching ??= this.#searchAll().finally(() => {
      this.#searching = null;
    });
    return this.#searching;
  }

  get #damage(): Doubt | null {
    const { ledger, others } = this.#deps;
    return others === undefined ? ledger.damage : others.damage;
  }

  async #searchAll(): Promise<boolean> {
    const { others, nowMs, leaves: leavesNow, leavesLeftOut = [] } = this.#deps;
    const damage = this.#damage;
    const isDue = others !== undefined && nowMs() - this.#searchedMs >= searchEveryMs;
    if (others?.isLeader === false || (this.areFound && !isDue)) return false;
    const leaves = leavesNow();
    if (leavesLeftOut.length > 0 || !leaves.every(isAlive)) return false;
    const open = await undecidedUnits(leaves);
    if (open === null) return false;
    const own = others?.sender.gateway ?? "";
    if (this.areFound && !open.units.some(({ stamp }) => this.#isGone(stamp))) {
      // Those of living gateways may soon be of gone ones.
      if (open.units.every(({ stamp }) => stamp.gateway === own)) this.#searchedMs = nowMs();
      return false;
    }
    // What was under way until then is among them.
    const found = (await this.#fenceAll(leaves)) ? await undecidedUnits(leaves) : null;
    if (found === null) return false;
    const areOwn = await this.#decideOwn(found);
    const areSettled = await this.#settleOthers(found, leaves);
    if (areSettled) [this.#searchedAt, this.#searchedMs] = [damage, nowMs()];
    return areOwn;
  }

  #isGone({ gateway }: UnitStamp): boolean {
    return this.#deps.others?.isGone?.(gateway) === true;
  }

  /** From here on nothing of gateways comes whose place was taken. */
  async #fenceAll(leaves: readonly LeafTarget[]): Promise<boolean> {
    const { others } = this.#deps;
    if (others === undefined) return true;
    const fenced = await Promise.allSettled(leaves.map((leaf) => others.fence(leaf)));
    return fenced.every(({ status }) => status === "fulfilled");
  }

  /** Units of this gateway that its ledger has lost. Their rows are counted when leaves are compared. */
  async #decideOwn(found: FoundUnits): Promise<boolean> {
    const { ledger, others } = this.#deps;
    const gateway = others?.sender.gateway ?? "";
    const { upTo } = ledger.units.visible;
    const lost = found.units.filter(
      ({ stamp }) => stamp.gateway === gateway && stamp.number > upTo,
    );
    for (const unit of lost) {
      if (isCommitted(unit, found)) ledger.commitUnit(unit.stamp.number);
      else await ledger.abortUnit(unit.stamp.number);
    }
    return lost.length > 0;
  }

  /** Says to all leaves what has become of units of gateways that are gone. */
  async #settleOthers(found: FoundUnits, leaves: readonly LeafTarget[]): Promise<boolean> {
    const gone = found.units.filter(({ stamp }) => this.#isGone(stamp));
    let areSettled = true;
    for (const gateway of new Set(gone.map(({ stamp }) => stamp.gateway))) {
      const own = gone.filter(({ stamp }) => stamp.gateway === gateway);
      const aborted = own
        .filter((unit) => !isCommitted(unit, found))
        .map(({ stamp }) => stamp.number);
      const upTo = Math.max(...own.map(({ stamp }) => stamp.number));
      const request = { kind: "settle", gateway, upTo, except: aborted, aborted } as const;
      const answers = await Promise.all(
        leaves.map((leaf) =>
          askLeaf(leaf, request, undefined, ({ kind }) => kind === "done" || null),
        ),
      );
      areSettled &&= answers.every(({ kind }) => kind === "answered");
    }
    return areSettled;
  }
}

const isAlive = ({ state }: LeafTarget): boolean => state === "alive";

/** Of a unit that was committed, some leaves may not know it yet: others have its rows sealed. */
const isCommitted = ({ stamp, batches }: FoundUnit, { decided }: FoundUnits): boolean =>
  batches.size >= stamp.parts || decided.some((known) => isVisible(stamp, known));

/** Null: not all leaves say. */
async function undecidedUnits(leaves: readonly LeafTarget[]): Promise<FoundUnits | null> {
  const found = await Promise.all(leaves.map(undecidedOf));
  if (found.includes(null)) return null;
  return {
    units: byUnit(found.flatMap((one) => one?.batches ?? [])),
    decided: found.map((one) => one?.decided ?? {}),
  };
}

type Undecided = Pick<Extract<LeafReply, { kind: "undecided" }>, "batches" | "decided">;

/** Null: the leaf does not say. One of an older version has none. */
async function undecidedOf(leaf: LeafTarget): Promise<Undecided | null> {
  if (leaf.status?.takesUnits !== true)
    return leaf.status == null ? null : { batches: [], decided: {} };
  const answer = await askLeaf(leaf, { kind: "undecided" }, undefined, (header) =>
    header.kind === "undecided" ? header : null,
  );
  return answer.kind === "answered" ? answer.outcome : null;
}

function byUnit(batches: readonly UndecidedBatch[]): readonly FoundUnit[] {
  const units = new Map<string, FoundUnit>();
  for (const { table, batchId, unit: stamp } of batches) {
    const id = `${stamp.number} ${stamp.gateway}`;
    const unit = units.get(id) ?? { stamp, batches: new Set() };
    unit.batches.add(`${table}\n${batchId}`);
    units.set(id, unit);
  }
  return [...units.values()];
}
