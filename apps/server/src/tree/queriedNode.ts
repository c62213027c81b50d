import type { HadalError } from "@hadal/sdk";
import type { StopSignal } from "../base/schedule/stopController.js";
import type { LeafQueryStats } from "../cluster/leafReply.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";

/** What can be asked a query: a leaf (such as a LeafConnection), or an aggregator that asks several. */
export interface QueriedNode {
  readonly id: string;
  /** The leaves that an aggregator answers for. Absent: the node is a leaf. */
  readonly leafIds?: readonly string[];
  /** The same aggregator, asked for some of its leaves only. */
  readonly restrictedTo?: (leafIds: readonly string[]) => QueriedNode;
  /** Each answer replaces the one before. */
  streamQuery(query: ResolvedQuery, options: NodeStreamOptions): Promise<void>;
}

export interface NodeStreamOptions {
  readonly budgetMs: number;
  readonly signal: StopSignal;
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

/** An aggregator's answer: one part of the leaves that are done, and one of those that are not. */
export interface StreamedParts {
  /** Nothing follows, though leaves may be missing. */
  readonly done: boolean;
  readonly workMs: number;
  readonly parts: readonly EncodedPart[];
  /** Why leaves did not answer, for those that sent a problem. */
  readonly failures: ReadonlyMap<string, HadalError>;
}

export interface EncodedPart {
  /** Never empty; all of them are done, or none is. */
  readonly leaves: readonly LeafReport[];
  readonly body: Uint8Array;
}

/** One leaf's share of an answer (S74). */
export interface LeafReport {
  readonly leafId: string;
  readonly done: boolean;
  readonly stats: LeafQueryStats;
}

export const leafIdsOf = ({ id, leafIds = [id] }: QueriedNode): readonly string[] => leafIds;
