import type { RawParameters, TimeUnit } from "./ingest.js";

/** Where a source begins in a topic of which its group has no offset yet. */
export type SourceStart = (typeof sourceStarts)[number];

export const sourceStarts = ["earliest", "latest"] as const;

/**
 * Where the time of a row comes from: its own column, or, where it has none, the timestamp of its
 * message.
 */
export type RowTimeSource = (typeof rowTimeSources)[number];

export const rowTimeSources = ["row", "message"] as const;

/** A topic whose messages become rows of a table. */
export interface KafkaTopic {
  readonly topic: string;
  readonly table: string;
  /** Of messages without a header `content-type`; left out: `application/x-ndjson`. */
  readonly contentType?: string;
  /** Column of the event time; `time` when left out. */
  readonly time?: string;
  readonly timeUnit?: TimeUnit;
  readonly timeZone?: string;
  /** Left out: `row`. */
  readonly timeFrom?: RowTimeSource;
  /** Of raw lines (`text/plain`). */
  readonly pattern?: string;
  /** Of raw lines. */
  readonly multiline?: NonNullable<RawParameters["multiline"]>;
}

/** Topics of a Kafka cluster that are read as long as the source exists. */
export interface KafkaSource {
  readonly kind: "kafka";
  /** `host:port` of some brokers; the others are found through them. */
  readonly brokers: readonly string[];
  /** The consumer group that all gateways share; `hadal` when left out. */
  readonly group?: string;
  /** Left out: `earliest`. */
  readonly start?: SourceStart;
  readonly topics: readonly KafkaTopic[];
}

export type SourceSettings = KafkaSource;

export type SourceInfo = SourceSettings & {
  readonly id: string;
  /** Set by flags of the server: it cannot be changed over the API. */
  readonly isFixed: boolean;
};

export const sourceGroupDefault = "hadal";
