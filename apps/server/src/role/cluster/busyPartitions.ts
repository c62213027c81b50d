import type { TreeMachine } from "../../cluster/treeProtocol.js";
import type { PartitionLoads } from "../../tree/copies/partitionLoads.js";
import type { AskedMachines } from "./askedMachines.js";

/** By so many requests a leaf has to be busier than its copy: the copy may be a moment behind. */
const marginRequests = 2;
/** A copy that lacked rows of a table that still grows would lack them again: it is not asked first so soon. */
const shortMs = 5_000;

/** A partition that its copy answers in place of its leaf. */
export interface MovedPartition {
  /** Where it is asked. */
  readonly copy: TreeMachine;
  readonly home: TreeMachine;
}

export interface SplitMachines {
  /** Without the partitions that were moved. */
  readonly machines: readonly TreeMachine[];
  readonly moved: readonly MovedPartition[];
}

/** Which partitions the next queries ask of their copies, because their leaves have more to do (C9). */
export class BusyPartitions {
  readonly #loads: Pick<PartitionLoads, "of" | "noteSent">;
  readonly #now: () => number;
  readonly #shortAtMs = new Map<string, number>();
  #movedCount = 0;

  constructor(
    loads: Pick<PartitionLoads, "of" | "noteSent">,
    now: () => number = () => performance.now(),
  ) {
    this.#loads = loads;
    this.#now = now;
  }

  /** How often a copy was asked first. */
  get movedCount(): number {
    return this.#movedCount;
  }

  /** For one query, which is asked now: the busiest partitions are moved, at most so many. */
  split({ machines, second }: AskedMachines, movedMax: number): SplitMachines {
    const moved = this.#busiest(machines, second, movedMax);
    this.#movedCount += moved.size;
    const kept = machines.map((machine) => {
      const leafIds = machine.leafIds.filter((leafId) => !moved.has(leafId));
      for (const leafId of leafIds) this.#loads.noteSent(machine.name, leafId);
      return leafIds.length === machine.leafIds.length ? machine : { ...machine, leafIds };
    });
    for (const [leafId, { copy }] of moved) this.#loads.noteSent(copy.name, leafId);
    return { machines: kept, moved: [...moved.values()] };
  }

  /** The answer of a copy lacked rows. */
  noteShort(leafId: string): void {
    this.#shortAtMs.set(leafId, this.#now());
  }

  #busiest(
    machines: readonly TreeMachine[],
    second: AskedMachines["second"],
    movedMax: number,
  ): ReadonlyMap<string, MovedPartition> {
    const found: { readonly leafId: string; readonly by: number; readonly at: MovedPartition }[] =
      [];
    for (const machine of machines) {
      for (const leafId of machine.leafIds) {
        const copy = second.get(leafId);
        if (copy?.isCopy !== true) continue;
        const by = this.#loads.of(machine.name, leafId) - this.#loads.of(copy.name, leafId);
        if (by < marginRequests || this.#wasShort(leafId)) continue;
        found.push({ leafId, by, at: { copy, home: { ...machine, leafIds: [leafId] } } });
      }
    }
    found.sort((a, b) => b.by - a.by);
    return new Map(found.slice(0, movedMax).map(({ leafId, at }) => [leafId, at]));
  }

  #wasShort(leafId: string): boolean {
    const atMs = this.#shortAtMs.get(leafId);
    return atMs !== undefined && this.#now() - atMs < shortMs;
  }
}
