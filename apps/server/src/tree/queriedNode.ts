import type { UnitSnapshot } from "../base/row/unitSnapshot.js";
import type { StopSignal } from "../base/schedule/stopController.js";
import type { LeafQueryStats } from "../cluster/leafReply.js";
import type { StreamedParts } from "../cluster/treeProtocol.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";

/** What can be asked a query: a leaf (such as a LeafConnection), or an aggregator that asks several. */
export interface QueriedNode {
  readonly id: string;
  /** The machine of an aggregator; absent: the node is a leaf. */
  readonly machine?: string;
  /** The leaves that an aggregator answers for. Absent: the node is a leaf. */
  readonly leafIds?: readonly string[];
  /** The same aggregator, asked for some of its leaves only. */
  readonly restrictedTo?: (leafIds: readonly string[]) => QueriedNode;
  /** Where its partitions can be asked a second time; absent: nowhere. */
  readonly copies?: PartitionCopies;
  /** Each answer replaces the one before. */
  streamQuery(query: ResolvedQuery, options: NodeStreamOptions): Promise<void>;
}

/** Copies of partitions on other machines (C9). */
export interface PartitionCopies {
  /** The copy of a partition, as a node of that partition alone; null: there is none now. */
  of(leafId: string): QueriedNode | null;
  readonly budget: HedgeBudget;
  /**
   * Absent: the first way leads to the leaves themselves. Present: to a copy, because its leaf was
   * busier, and `of` is the leaf. Called where the copy's answer lacks rows: the leaf is asked then.
   */
  readonly onShort?: (leafId: string) => void;
}

/** Which partitions may be asked twice. */
export interface HedgeBudget {
  /** So many partitions were asked the first time. */
  addAsked(partitions: number): void;
  /** A copy is asked for a partition that failed. */
  addReplaced(): void;
  /** Whether the copy of a partition that is late may be asked; counts it. */
  takeHedge(): boolean;
}

export interface NodeStreamOptions {
  readonly budgetMs: number;
  readonly signal: StopSignal;
  /** The units that are visible; absent: as the leaves know. */
  readonly snapshot?: UnitSnapshot;
  readonly onPartial: (answer: NodeAnswer) => void;
}

/** What a node has answered so far. */
export type NodeAnswer = StreamedLeafAnswer | StreamedParts;

export interface StreamedLeafAnswer {
  readonly done: boolean;
  /** The leaf's time, from the query to the encoded answer. */
  readonly workMs: number;
  readonly stats: LeafQueryStats;
  /** An encoded PartialResult. */
  readonly body: Uint8Array;
}

export const leafIdsOf = ({ id, leafIds = [id] }: QueriedNode): readonly string[] => leafIds;
