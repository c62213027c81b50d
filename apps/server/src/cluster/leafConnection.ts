import type { UnitSnapshot } from "../base/row/unitSnapshot.js";
import type { StopSignal } from "../base/schedule/stopController.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import type { Frame } from "./frame.js";
import type { HeartbeatSettings } from "./heartbeat.js";
import type { LeafRequestBody } from "./leafProtocol.js";
import type { LeafQueryStats, LeafReply, LeafStatus } from "./leafReply.js";
import type { StreamedParts, TreeMachine } from "./treeProtocol.js";
import type { WindowCounts } from "./windowCounts.js";

export interface LeafConnectionOptions {
  readonly id: string;
  /**
   * `host:port`, or null while the leaf has none; read before every attempt, as a restarted leaf
   * may have another address.
   */
  readonly address: () => string | null;
  readonly key: string;
  /** The other end encrypts with the key. Absent: it does not. */
  readonly tls?: boolean;
  /** A leaf ends the earlier connection of the same client; by default it is a name of its own. */
  readonly clientId?: string;
  readonly heartbeat?: HeartbeatSettings;
  readonly backoff?: { readonly minMs: number; readonly maxMs: number };
  readonly onState?: (state: LeafState) => void;
}

/**
 * alive: answers; suspect: being connected, or late with an answer; dead: refused, or silent for
 * too long.
 */
export type LeafState = "alive" | "suspect" | "dead";

export interface RequestOptions {
  readonly timeoutMs: number;
  readonly signal?: StopSignal;
}

export interface StreamOptions {
  /** Time the query may take, connecting included. */
  readonly budgetMs: number;
  readonly signal?: StopSignal;
  /** The units that are visible; absent: as the leaf knows. */
  readonly snapshot?: UnitSnapshot;
  readonly onPartial: (partial: StreamedPartial) => void;
}

export interface TreeStreamOptions extends Omit<StreamOptions, "onPartial"> {
  /** The aggregator's own machine first. */
  readonly machines: readonly TreeMachine[];
  readonly fanOut: number;
  /** Absent: this is the root, and the tree gets an id. */
  readonly treeId?: string;
  readonly onParts: (parts: StreamedParts) => void;
  /**
   * Called where the aggregator may not know that its answer is not waited for: the connection is
   * lost, or it does not confirm the cancel. Those that it has asked go on.
   */
  readonly onUnheard?: (treeId: string) => void;
}

export interface StreamedPartial {
  readonly done: boolean;
  /** The leaf's time from the request to this reply. */
  readonly workMs: number;
  readonly stats: LeafQueryStats;
  /** An encoded PartialResult; starts at a multiple of 8. */
  readonly body: Uint8Array;
}

/** A leaf as others see it: a connection that mends itself. */
export interface LeafConnection {
  readonly id: string;
  readonly address: string | null;
  readonly state: LeafState;
  /** The leaf's last values; 0 and null before the first reply. */
  readonly freeBytes: number;
  readonly status: LeafStatus | null;
  /** What names the last start of the leaf; null or absent: it is not known. */
  readonly startId?: string | null;
  /** What an aggregator last said of its windows; null or absent: nothing yet. */
  readonly windows?: WindowCounts | null;
  /** Milliseconds since 1970; 0 before the leaf's first message. */
  readonly lastHeardMs: number;
  /**
   * Rejects with the leaf's problem, or with `connection-lost` when no answer came: at once when
   * the leaf is dead.
   */
  request(
    request: LeafRequestBody,
    body: Uint8Array | undefined,
    options: RequestOptions,
  ): Promise<Frame<LeafReply>>;
  /** Resolves after the partial that is done. */
  streamQuery(query: ResolvedQuery, options: StreamOptions): Promise<void>;
  /** The same of an aggregator, over several machines. */
  streamTree(query: ResolvedQuery, options: TreeStreamOptions): Promise<void>;
  /** Ends what the aggregator does for a tree, whoever has asked it. Nothing comes back. */
  cancelTree(treeId: string): void;
  /** Tries again now: the leaf has a new address. */
  reconnect(): void;
  close(): void;
}
