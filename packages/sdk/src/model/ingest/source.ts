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

/** How brokers know who reads. */
export interface KafkaSasl {
  readonly mechanism: (typeof saslMechanisms)[number];
  readonly username: string;
  /**
   * The environment variable with the password, on every gateway; left out: `KAFKA_PASSWORD`. Its name
   * begins so: settings can name no other secret of the server.
   */
  readonly passwordFrom?: string;
}

export const saslMechanisms = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] as const;

/** Whether the mechanism sends the password as it is. */
export const sendsPassword = (mechanism: unknown): boolean => mechanism === "PLAIN";

export const passwordVariableDefault = "KAFKA_PASSWORD";

/** Topics of a Kafka cluster that are read as long as the source exists. */
export interface KafkaSource {
  readonly kind: "kafka";
  /** `host:port` of some brokers; the others are found through them. */
  readonly brokers: readonly string[];
  /** The consumer group that all gateways share; `hadal` when left out. */
  readonly group?: string;
  /** Left out: `earliest`. */
  readonly start?: SourceStart;
  /**
   * Whether connections are encrypted. Certificates of brokers are checked against the authorities that
   * Node.js trusts, and those of the file `NODE_EXTRA_CA_CERTS`.
   */
  readonly tls?: boolean;
  readonly sasl?: KafkaSasl;
  readonly topics: readonly KafkaTopic[];
}

export type SourceSettings = KafkaSource;

export type SourceInfo = SourceSettings & {
  readonly id: string;
  /** Set by flags of the server: it cannot be changed over the API. */
  readonly isFixed: boolean;
};

export const sourceGroupDefault = "hadal";
