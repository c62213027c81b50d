import { createLeafConnection } from "../../cluster/connectToLeaf.js";
import type { LeafConnection } from "../../cluster/leafConnection.js";
import type { TreeMachine } from "../../cluster/treeProtocol.js";
import type { WindowCounts } from "../../cluster/windowCounts.js";
import type { TreeSize } from "../../planner/treeShape.js";
import type { Member } from "../../registry/member/members.js";
import { type HedgeCounts, HedgeShare } from "../../tree/copies/hedgeShare.js";
import { PartitionLoads } from "../../tree/copies/partitionLoads.js";
import { nodesOfMachines } from "../../tree/machineNodes.js";
import type { QueriedNode } from "../../tree/queriedNode.js";
import { rotated } from "../../tree/splitMachines.js";
import { TreeWindows } from "../../tree/window/treeWindows.js";
import { type AskedMachines, askedMachines } from "./askedMachines.js";
import { BusyPartitions } from "./busyPartitions.js";
import { type LinkSecurity, MemberLinks } from "./memberLinks.js";
import { leafPath } from "./passToLeaf.js";

export interface ClusterLeavesOptions extends LinkSecurity {
  readonly clientId: string;
  readonly fanOut: number;
  /** Of 100 partitions that are asked, how many may be asked twice because they are late. */
  readonly hedgePercent: number;
}

/** The leaves of a cluster as a gateway sees them: a connection to each for rows, a tree for queries. */
export class ClusterLeaves {
  readonly #options: ClusterLeavesOptions;
  readonly #links: MemberLinks;
  readonly #hedges: HedgeShare;
  readonly #windows = new TreeWindows();
  readonly #loads = new PartitionLoads();
  readonly #busy = new BusyPartitions(this.#loads);
  #asked: AskedMachines = { machines: [], second: new Map() };
  readonly #leaves: KeptConnections;
  /** Copies of partitions whose machine is silent. */
  readonly #standIns: KeptConnections;
  #all: readonly LeafConnection[] = [];
  #described: readonly LeafConnection[] = [];
  #queryNumber = 0;

  constructor(options: ClusterLeavesOptions) {
    this.#options = options;
    this.#links = new MemberLinks(options);
    this.#hedges = new HedgeShare(options.hedgePercent / 100);
    this.#leaves = new KeptConnections(options);
    this.#standIns = new KeptConnections(options);
  }

  /** How often copies were asked. */
  get hedges(): HedgeCounts {
    return this.#hedges.counts;
  }

  /** How often copies were asked before their leaves, because these were busier. */
  get movedCount(): number {
    return this.#busy.movedCount;
  }

  /** The windows of requests to machines. */
  get windows(): TreeWindows["counts"] {
    return this.#windows.counts;
  }

  /** What each machine has said of its own windows. */
  get machineWindows(): ReadonlyMap<string, WindowCounts> {
    return new Map(
      this.#asked.machines.flatMap((machine) => {
        const { windows = null } = this.#links.to(machine);
        return windows === null ? [] : [[machine.name, windows] as const];
      }),
    );
  }

  /** How many partitions can be asked of another machine where the first one fails or is late. */
  get copiedCount(): number {
    return this.#asked.second.size;
  }

  /** Connections to all leaves of members, also of those that are silent. */
  get all(): readonly LeafConnection[] {
    return this.#all;
  }

  /** The same for questions about tables: of a machine that is silent, copies of its leaves. */
  get described(): readonly LeafConnection[] {
    return this.#described;
  }

  /** The machines, and the most leaves that one of them has. */
  get treeSize(): TreeSize {
    const { fanOut } = this.#options;
    const { machines } = this.#asked;
    const leaves = Math.max(0, ...machines.map(({ leafIds }) => leafIds.length));
    return { machines: machines.length, leaves, fanOut };
  }

  /** What to ask the next query: each has another tree, so that work spreads. */
  nextNodes(): readonly QueriedNode[] {
    const { fanOut } = this.#options;
    const linkTo = this.#links.to.bind(this.#links);
    const onTrace = this.#loads.noteTrace.bind(this.#loads);
    const tree = { fanOut, linkTo, windows: this.#windows, onTrace };
    // A query keeps to the list of its start.
    const { second } = this.#asked;
    const { machines, moved } = this.#busy.split(this.#asked, fanOut);
    const at = (machine: TreeMachine): QueriedNode => nodesOfMachines([machine], 1, tree)[0]!;
    const of = (leafId: string): QueriedNode | null => {
      const machine = second.get(leafId);
      return machine === undefined ? null : at(machine);
    };
    const copies = { of, budget: this.#hedges };
    const asked = rotated(machines, this.#queryNumber++);
    return [
      ...nodesOfMachines(asked, fanOut, { ...tree, copies }),
      ...moved.flatMap(({ copy, home }) => {
        const onShort = this.#busy.noteShort.bind(this.#busy);
        const leaf = { of: () => at(home), budget: this.#hedges, onShort };
        return nodesOfMachines([copy], 1, { ...tree, copies: leaf });
      }),
    ];
  }

  /** Connects to new members; leaves of members that are gone are no longer listed. */
  use(members: readonly Member[]): void {
    const present = members.filter((member) => !isGone(member));
    const aggregators = present.filter(({ role }) => role === "aggregator");
    this.#asked = askedMachines(present);
    this.#links.keepOnly(new Set(aggregators.map(({ address }) => address)));
    // Also to those that no query has asked yet: they say how they are.
    for (const { name, address } of aggregators) this.#links.to({ name, address });
    const homes = leavesOf(aggregators);
    const homeOf = new Map(homes.map(({ id, address }) => [id, address]));
    const moved = leavesOf(this.#asked.machines).filter(
      ({ id, address }) => homeOf.get(id) !== address,
    );
    this.#leaves.keep(new Map(homes.map((leaf) => [leaf.id, leaf])));
    // By address: a copy on another machine is another connection.
    this.#standIns.keep(new Map(moved.map((copy) => [copy.address, copy])));
    this.#all = this.#leaves.all;
    const standIns = new Map(this.#standIns.all.map((standIn) => [standIn.id, standIn]));
    this.#described = this.#all.map((leaf) => standIns.get(leaf.id) ?? leaf);
  }

  close(): void {
    this.#links.close();
    this.#leaves.keep(new Map());
    this.#standIns.keep(new Map());
  }
}

interface LeafAt {
  readonly id: string;
  readonly address: string;
}

const leavesOf = (machines: readonly Omit<TreeMachine, "name">[]): readonly LeafAt[] =>
  machines.flatMap(({ address, leafIds }) =>
    leafIds.map((id) => ({ id, address: `${address}/${leafPath(id)}` })),
  );

/** A connection to each of these leaves. */
class KeptConnections {
  readonly #options: LinkSecurity & Pick<ClusterLeavesOptions, "clientId">;
  readonly #connections = new Map<string, LeafConnection>();
  #leaves: ReadonlyMap<string, LeafAt> = new Map();

  constructor(options: LinkSecurity & Pick<ClusterLeavesOptions, "clientId">) {
    this.#options = options;
  }

  get all(): readonly LeafConnection[] {
    return [...this.#connections.values()];
  }

  /** Connects to leaves that are new or at another address, and closes connections to all others. */
  keep(leaves: ReadonlyMap<string, LeafAt>): void {
    this.#leaves = leaves;
    for (const [key, connection] of this.#connections) {
      const leaf = leaves.get(key);
      if (leaf === undefined) {
        connection.close();
        this.#connections.delete(key);
      } else if (connection.address !== leaf.address) connection.reconnect();
    }
    for (const [key, { id }] of leaves) this.#connect(key, id);
  }

  #connect(name: string, id: string): void {
    if (this.#connections.has(name)) return;
    const { key, tls, clientId } = this.#options;
    const address = (): string | null => this.#leaves.get(name)?.address ?? null;
    this.#connections.set(name, createLeafConnection({ id, key, tls, clientId, address }));
  }
}

/** A machine that was stopped when it held nothing any more: no answer lacks anything of it. */
const isGone = ({ state, drain }: Member): boolean =>
  state === "dead" && drain !== null && drain.drainedMs !== null && drain.isEmpty;
