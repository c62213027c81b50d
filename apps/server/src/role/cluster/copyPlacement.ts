import type { LeafFolder, Member, MemberCopy } from "../../registry/member/members.js";
import { leafPath } from "./passToLeaf.js";

/** A partition of another machine, a copy of which a machine holds. */
export interface CopyToHold {
  /** The leaf whose rows they are: a partition has its id. */
  readonly leafId: string;
  /** `HOST:PORT/leaf/ID` to copy from; null: nobody has more than this machine. */
  readonly sourceAddress: string | null;
  /** The data folder whose rows they are. */
  readonly folderId: string;
}

export interface CopiesWanted {
  readonly members: readonly Member[];
  /** How many machines are to have a partition, its home among them. */
  readonly copiesWanted: number;
}

/**
 * The partitions of which a machine is to hold copies, by the list of members alone: all machines
 * that read the same list agree. What it holds of others is no longer wanted (C9, L11).
 */
export function copiesToHold({
  machine,
  ...wanted
}: CopiesWanted & { readonly machine: string }): readonly CopyToHold[] {
  const aggregators = wanted.members.filter(({ role }) => role === "aggregator");
  const self = aggregators.find(({ name }) => name === machine);
  if (self === undefined) return [];
  const cluster = new Cluster(aggregators, wanted.copiesWanted);
  return aggregators.flatMap((home) =>
    home === self
      ? []
      : home.leafIds.flatMap((leafId) => cluster.copyToHold(self, home, leafId) ?? []),
  );
}

/** The machine to ask for a partition instead of its home; null: no other one that is alive has all of it. */
export const copyHolder = (members: readonly Member[], leafId: string): Member | null =>
  copyHolders(members).get(leafId) ?? null;

/** The same for all partitions that have one. */
export function copyHolders(members: readonly Member[]): ReadonlyMap<string, Member> {
  const aggregators = members.filter(({ role }) => role === "aggregator");
  const homes = new Map(
    aggregators.flatMap((home) => home.leafIds.map((id) => [id, home] as const)),
  );
  const holders = new Map<string, Member>();
  for (const machine of aggregators) {
    if (machine.state !== "alive") continue;
    for (const copy of machine.copies) {
      const { leafId } = copy;
      const home = homes.get(leafId);
      if (!copy.isWhole || home === undefined || home === machine) continue;
      if (!isCurrent(copy, home)) continue;
      const before = holders.get(leafId);
      if (before === undefined || isBefore(weightOf(machine, leafId), weightOf(before, leafId))) {
        holders.set(leafId, machine);
      }
    }
  }
  return holders;
}

/**
 * The machine to ask for a partition of a lost machine, of which none that is alive has all rows: the
 * copy with most of them among those that know of all removals, so that what it lacks can be counted.
 */
export function lastHolder(members: readonly Member[], leafId: string): Member | null {
  const home = homeOf(members, leafId);
  return home === null ? null : withMostRows(members, leafId, (copy) => isCurrent(copy, home));
}

export interface RestoreSource {
  /** Null: none can be used. */
  readonly holder: Member | null;
  /** How many removals the leaf has planned, with the rows of the holder. */
  readonly removalsMin: number;
}

/**
 * Where a leaf that lost its rows reads them. Copies on machines that are away may have more than those
 * that are there: they are waited for, as are those that know of all removals.
 */
export function restoreSource(
  members: readonly Member[],
  leafId: string,
  isOldAccepted: boolean,
): RestoreSource {
  const home = homeOf(members, leafId);
  const planned = (home === null ? null : folderIn(home, leafId)?.removals) ?? 0;
  const isAway = ({ state, copies }: Member): boolean =>
    state !== "alive" && copies.some((copy) => copy.leafId === leafId);
  const lacking = members.some(isAway) ? null : lastHolder(members, leafId);
  const holder = copyHolder(members, leafId) ?? lacking;
  if (holder !== null || !isOldAccepted) return { holder, removalsMin: planned };
  const folderId = home === null ? null : folderOf(home, leafId);
  const isUsable = (copy: MemberCopy): boolean => (folderId ?? copy.folderId) === copy.folderId;
  // Removals that the copy does not know of are planned once more: no other copy knows of these.
  return { holder: withMostRows(members, leafId, isUsable), removalsMin: planned + 1 };
}

/** Whether other machines may have rows of a leaf, also where none has said so: it was a member before. */
export function mayBeCopied(members: readonly Member[], leafId: string): boolean {
  const home = homeOf(members, leafId);
  if (home === null) return false;
  return members.some((one) => one.role === "aggregator" && one !== home && one.state === "alive");
}

const homeOf = (members: readonly Member[], leafId: string): Member | null =>
  members.find(({ leafIds }) => leafIds.includes(leafId)) ?? null;

/** Of the machines that are alive and have such a copy. */
function withMostRows(
  members: readonly Member[],
  leafId: string,
  isUsable: (copy: MemberCopy) => boolean,
): Member | null {
  const found = members.flatMap((machine) => {
    const copy = machine.copies.find((one) => one.leafId === leafId);
    const isFound = machine.state === "alive" && copy !== undefined && isUsable(copy);
    return isFound ? [{ machine, rows: copy.rows ?? 0 }] : [];
  });
  return found.sort((a, b) => b.rows - a.rows)[0]?.machine ?? null;
}

/** Whether a machine that is not drained has all of a partition of another one. */
export function staysOnCopies(members: readonly Member[], leafId: string): boolean {
  const others = members.filter(({ drain, leafIds }) => drain === null || leafIds.includes(leafId));
  return copyHolder(others, leafId) !== null;
}

/** The partitions that fewer machines have whole than are to have them. */
export function partitionsNotWhole({ members, copiesWanted }: CopiesWanted): readonly string[] {
  const aggregators = members.filter(({ role }) => role === "aggregator");
  return aggregators.flatMap((home) =>
    home.leafIds.filter((leafId) => {
      const folderId = folderOf(home, leafId);
      const holders = aggregators.filter(
        (one) => one !== home && one.state !== "dead" && holdsWhole(one, leafId, folderId),
      );
      return holders.length + (home.state === "dead" ? 0 : 1) < copiesWanted;
    }),
  );
}

/** The machines of a cluster, of which each leaf has its own order. */
class Cluster {
  readonly #aggregators: readonly Member[];
  readonly #copiesWanted: number;

  constructor(aggregators: readonly Member[], copiesWanted: number) {
    this.#aggregators = aggregators;
    this.#copiesWanted = copiesWanted;
  }

  /** Null: `self` is to hold no copy of the partition. */
  copyToHold(self: Member, home: Member, leafId: string): CopyToHold | null {
    const own = self.copies.find((copy) => copy.leafId === leafId) ?? null;
    const folderId = folderOf(home, leafId);
    // The home has not said what it has, or has lost it: what is held may be all that is left.
    if (folderId === null || (own?.isWhole === true && own.folderId !== folderId)) {
      return own === null ? null : { leafId, sourceAddress: null, folderId: own.folderId };
    }
    const isLast = own?.folderId === folderId && this.#isLast(self, home, leafId, folderId);
    if (!isLast && !this.#isToHold(self, home, leafId, folderId)) return null;
    const sourceAddress = this.#sourceOf(self, home, leafId, folderId);
    const isUseless = sourceAddress === null && own?.folderId !== folderId;
    return isUseless ? null : { leafId, sourceAddress, folderId };
  }

  /** Whether nobody else has all rows of a lost machine: a copy that is not whole may only be restarting. */
  #isLast(self: Member, home: Member, leafId: string, folderId: string): boolean {
    const hasAll = (one: Member): boolean =>
      one !== self && one.state === "alive" && holdsWhole(one, leafId, folderId);
    return home.state === "dead" && !this.#aggregators.some(hasAll);
  }

  /** One of the first by weight; or it has the partition, which one of these still lacks. */
  #isToHold(self: Member, home: Member, leafId: string, folderId: string): boolean {
    // A machine that is being emptied is to be missed by no one.
    const count = this.#copiesWanted - (stays(home) ? 1 : 0);
    const others = this.#aggregators.filter((one) => one !== home && (stays(one) || one === self));
    const own = weightOf(self, leafId);
    const before = others.filter((one) => isBefore(weightOf(one, leafId), own)).length;
    if (before < count && self.drain === null) return true;
    if (!holdsWhole(self, leafId, folderId)) return false;
    const staying = others.filter(({ drain }) => drain === null);
    const first = byWeight(staying, leafId).slice(0, count);
    const isWhole = (one: Member): boolean =>
      one.state === "alive" && holdsWhole(one, leafId, folderId);
    // Where fewer stay than are to have it, what is held stays, too.
    return first.length < count || !first.every(isWhole);
  }

  #sourceOf(self: Member, home: Member, leafId: string, folderId: string): string | null {
    if (home.state !== "dead") return `${home.address}/${leafPath(leafId)}`;
    if (holdsWhole(self, leafId, folderId)) return null;
    const holders = this.#aggregators.filter(
      (one) => one.state === "alive" && one !== self && holdsWhole(one, leafId, folderId),
    );
    const source = byWeight(holders, leafId)[0] ?? lastHolder(this.#aggregators, leafId);
    const isOther = source !== null && source !== self;
    return isOther ? `${source.address}/${leafPath(leafId)}` : null;
  }
}

const stays = ({ state, drain }: Member): boolean => state !== "dead" && drain === null;

/**
 * Whether what a copy lacks of its leaf can be counted: it has rows of the same folder, and knows which
 * rows the leaf has removed. Those would stand for others that it lacks.
 */
function isCurrent(copy: MemberCopy, home: Member): boolean {
  const leaf = folderIn(home, copy.leafId);
  if (leaf === null) return copy.isWhole;
  if (leaf.folderId !== copy.folderId) return false;
  // A leaf of an older version does not count its removals.
  if (leaf.removals === undefined || leaf.removals === null) return copy.isWhole;
  return (copy.removals ?? -1) >= leaf.removals;
}

const folderOf = (home: Member, leafId: string): string | null =>
  folderIn(home, leafId)?.folderId ?? null;

const folderIn = ({ leafFolders }: Member, leafId: string): LeafFolder | null =>
  leafFolders.find((leaf) => leaf.leafId === leafId) ?? null;

/** `folderId`: that of the partition; null: not known, any. */
function holdsWhole({ copies }: Member, leafId: string, folderId: string | null): boolean {
  const isIt = (copy: MemberCopy): boolean =>
    copy.leafId === leafId && copy.isWhole && (folderId === null || copy.folderId === folderId);
  return copies.some(isIt);
}

/** Rendezvous: where a machine comes or goes, only its own share moves. */
function byWeight(machines: readonly Member[], leafId: string): readonly Member[] {
  const weighed = machines.map((machine) => ({ machine, weight: weightOf(machine, leafId) }));
  weighed.sort((a, b) => (isBefore(a.weight, b.weight) ? -1 : 1));
  return weighed.map(({ machine }) => machine);
}

interface Weight {
  readonly weight: number;
  readonly name: string;
}

const weightOf = ({ name }: Member, leafId: string): Weight => ({
  weight: mixed(hashOf(leafId) ^ hashOf(name)),
  name,
});

const isBefore = (a: Weight, b: Weight): boolean =>
  a.weight === b.weight ? a.name < b.name : a.weight > b.weight;

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mixed(hash);
}

/** The last steps of MurmurHash3: names that differ in a digit are far apart. */
function mixed(hash: number): number {
  let bits = hash;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
