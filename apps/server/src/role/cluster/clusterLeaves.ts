import { createLeafConnection } from "../../cluster/connectToLeaf.js";
import type { LeafConnection } from "../../cluster/leafConnection.js";
import type { TreeMachine } from "../../cluster/treeProtocol.js";
import type { TreeSize } from "../../planner/treeShape.js";
import type { Member } from "../../registry/member/members.js";
import { nodesOfMachines } from "../../tree/machineNodes.js";
import type { QueriedNode } from "../../tree/queriedNode.js";
import { rotated } from "../../tree/splitMachines.js";
import { MemberLinks } from "./memberLinks.js";
import { leafPath } from "./passToLeaf.js";

export interface ClusterLeavesOptions {
  readonly key: string;
  readonly clientId: string;
  readonly fanOut: number;
}

/** The leaves of a cluster as a gateway sees them: a connection to each for rows, a tree for queries. */
export class ClusterLeaves {
  readonly #options: ClusterLeavesOptions;
  readonly #links: MemberLinks;
  #machines: readonly TreeMachine[] = [];
  readonly #addresses = new Map<string, string>();
  readonly #connections = new Map<string, LeafConnection>();
  #all: readonly LeafConnection[] = [];
  #queryNumber = 0;

  constructor(options: ClusterLeavesOptions) {
    this.#options = options;
    this.#links = new MemberLinks(options.key);
  }

  /** Connections to all leaves of members, also of those that are silent. */
  get all(): readonly LeafConnection[] {
    return this.#all;
  }

  /** The machines, and the most leaves that one of them has. */
  get treeSize(): TreeSize {
    const { fanOut } = this.#options;
    const leaves = Math.max(0, ...this.#machines.map(({ leafIds }) => leafIds.length));
    return { machines: this.#machines.length, leaves, fanOut };
  }

  /** What to ask the next query: each has another tree, so that work spreads. */
  nextNodes(): readonly QueriedNode[] {
    const { fanOut } = this.#options;
    const machines = rotated(this.#machines, this.#queryNumber++);
    return nodesOfMachines(machines, fanOut, { fanOut, linkTo: this.#links.to.bind(this.#links) });
  }

  /** Connects to new members; leaves of members that are gone are no longer listed. */
  use(members: readonly Member[]): void {
    const aggregators = members.filter(({ role }) => role === "aggregator");
    this.#machines = aggregators.map(({ name, address, leafIds }) => ({ name, address, leafIds }));
    this.#links.keepOnly(new Set(aggregators.map(({ address }) => address)));
    this.#addresses.clear();
    for (const { address, leafIds } of aggregators) {
      for (const leafId of leafIds) this.#addresses.set(leafId, `${address}/${leafPath(leafId)}`);
    }
    for (const [leafId, connection] of this.#connections) {
      const address = this.#addresses.get(leafId);
      if (address === undefined) {
        connection.close();
        this.#connections.delete(leafId);
      } else if (connection.address !== address) connection.reconnect();
    }
    for (const leafId of this.#addresses.keys()) this.#connect(leafId);
    this.#all = [...this.#connections.values()];
  }

  close(): void {
    this.#links.close();
    for (const connection of this.#connections.values()) connection.close();
  }

  #connect(leafId: string): void {
    if (this.#connections.has(leafId)) return;
    const { key, clientId } = this.#options;
    const address = (): string | null => this.#addresses.get(leafId) ?? null;
    const connection = createLeafConnection({ id: leafId, key, clientId, address });
    this.#connections.set(leafId, connection);
  }
}
