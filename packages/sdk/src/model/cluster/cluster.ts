/**
 * alive: heard from in the last 3 seconds; suspect: in the last 10; dead: not for longer. draining: it
 * takes no new rows, and answers queries; drained: it can be stopped, and no answer will lack rows.
 */
export type MachineState = "alive" | "suspect" | "draining" | "drained" | "dead";
export const machineStates: readonly MachineState[] = [
  ...(["alive", "suspect", "draining", "drained", "dead"] as const),
];

export type LeafCopyState = "whole" | "building" | "old" | "away";
export const leafCopyStates: readonly LeafCopyState[] = ["whole", "building", "old", "away"];

/** A copy of a leaf's rows on another machine. */
export interface LeafCopy {
  /** The leaf whose rows they are. */
  readonly leaf: string;
  /** The machine that holds the copy. */
  readonly machine: string;
  /**
   * whole: it can answer in the leaf's place; old: of a data folder that the leaf has no more; away: its
   * machine is dead.
   */
  readonly state: LeafCopyState;
  /** By how much it is behind the leaf; null: that is not known. */
  readonly lagMs: number | null;
  /** Why it does not go on, such as a full disk; absent: it does. */
  readonly problem?: string;
}

export interface MachineInfo {
  readonly name: string;
  readonly state: MachineState;
  /** `host:port` for other members. */
  readonly address: string;
  /** Of the program. */
  readonly version: string;
  /** Of the protocol between members; neighbouring ones work together. */
  readonly protocol: number;
  /** Ids of its leaves. */
  readonly leaves: readonly string[];
  /** Copies that it holds of other machines' leaves. */
  readonly copies: readonly LeafCopy[];
  /** Rows on its leaves, as they last said; null: they have not, or not all tables may be read. */
  readonly rows: number | null;
  /** Why it does not answer though it is alive; absent: it does. */
  readonly problem?: string;
}

/** A member that a query was asked through. */
export interface TreeNode {
  /** Of a gateway or a leaf its id, of an aggregator its machine. */
  readonly id: string;
  readonly role: "gateway" | "aggregator" | "leaf";
  /** Merging, cutting and encoding; 0 for a leaf. */
  readonly mergeMs: number;
}

/** Who asked whom. */
export interface TreeEdge {
  readonly from: string;
  readonly to: string;
  /** How long `from` waited for the last answer of `to`; null: it did not come. */
  readonly waitMs: number | null;
}

/** The tree that a query was answered by. The first node is the root. */
export interface QueryTree {
  /** When it was answered, in milliseconds since 1970. */
  readonly atMs: number;
  readonly nodes: readonly TreeNode[];
  readonly edges: readonly TreeEdge[];
}

/** The machines of a cluster, as one gateway sees them. */
export interface ClusterInfo {
  /** By name. */
  readonly machines: readonly MachineInfo[];
  /** Of the last query that leaves were asked for; null: there was none since the start. */
  readonly tree: QueryTree | null;
  /** Why the registry cannot be reached: machines are then as they were last known. null: it can. */
  readonly registryProblem: string | null;
  /**
   * Leaves whose rows fewer machines have whole than are to have them. Absent in answers of older
   * versions.
   */
  readonly notWhole?: readonly string[];
}

export interface DrainOptions {
  /** false: the machine takes rows again. Default true. */
  readonly drain?: boolean;
}

/** How a member that joins by a gateway asks where the registry is. */
export interface RegistryRequest {
  /** 32 hexadecimal digits, other ones each time. */
  readonly nonce: string;
  /** Made of it with the cluster's key. */
  readonly proof: string;
}

/** Its address, sealed with that key. */
export interface SealedRegistry {
  readonly sealed: string;
}
