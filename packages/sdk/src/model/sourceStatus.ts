/**
 * `joining`: the group assigns partitions. `reading`. `waiting`: Hadal cannot store rows now; none is
 * lost. `away`: no broker can be reached, and it is tried again. `failed`: a setting is wrong, or a
 * topic does not exist; it is tried again.
 */
export type SourceState = "joining" | "reading" | "waiting" | "away" | "failed";

/** What became of messages that are no rows, by their place in the topic. */
export interface SourceProblem {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly code: string;
  readonly detail: string;
  readonly atMs: number;
}

export interface SourcePartition {
  readonly topic: string;
  readonly table: string;
  readonly partition: number;
  /** All messages below it are stored, or were refused. */
  readonly offset: number;
  /** Of the next message that comes; null: it is not known yet. */
  readonly endOffset: number | null;
  readonly lagRows: number;
  /** The gateway that reads it. */
  readonly gateway: string;
  /** When that gateway knew both offsets. */
  readonly atMs: number;
}

export interface SourceStatus {
  readonly id: string;
  readonly kind: "kafka";
  readonly group: string;
  /** On the gateway that answers, as the reason and the problems. */
  readonly state: SourceState;
  readonly reason: string | null;
  /** Messages that are not rows yet, of all partitions together. */
  readonly lagRows: number;
  /** Of all gateways. */
  readonly partitions: readonly SourcePartition[];
  /** Rows stored and refused since the gateway started. */
  readonly accepted: number;
  readonly rejected: number;
  /** The newest first. */
  readonly problems: readonly SourceProblem[];
}
