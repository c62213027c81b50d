import { randomUUID } from "node:crypto";
import {
  HadalError,
  type SourceInfo,
  type SourcePartition,
  type SourceSettings,
  type SourceStatus,
  sourceGroupDefault,
} from "@hadal/sdk";
import type { RegistryTransaction } from "../../registry/database/database.js";
import type { SourcePositionRow } from "../../registry/database/tables.js";
import type { Registry } from "../../registry/registry.js";
import { listPositions } from "../../registry/source/sourcePositions.js";
import {
  putSource,
  readSources,
  removeSource,
  type StoredSources,
} from "../../registry/source/sourceRows.js";
import type { RowIngest } from "../ingestRows.js";
import { checkSourceBody } from "./checkFormats.js";
import { RunningKafkaSource } from "./kafka/kafkaSource.js";

export interface SourcesOptions {
  readonly registry: Registry;
  readonly ingest: Pick<RowIngest, "rows">;
  /** Of the server's flags; null: there is none. */
  readonly fixed: SourceSettings | null;
  /** The name of this gateway, for people. */
  readonly gateway: string;
  /** The same after a restart, and of no other gateway. */
  readonly gatewayId: string;
  readonly nowMs: () => number;
  /** The value of an environment variable. */
  readonly secretOf: (variable: string) => string | undefined;
}

/** The id of the source of the server's flags. */
const fixedSourceId = "kafka";

/** Called in the transaction of a change. */
type OnChange = (transaction: RegistryTransaction) => Promise<void>;

/** Rows of a source by topic, for metrics. */
export interface SourceLag {
  readonly source: string;
  readonly topic: string;
  readonly lagRows: number;
}

/** Everything that rows are read from without being sent, as admins set it; each gateway reads a part. */
export class Sources {
  readonly #options: SourcesOptions;
  readonly #running = new Map<string, RunningKafkaSource>();
  #stored: StoredSources = [];
  #changing: Promise<unknown> = Promise.resolve();
  #isStarted = false;
  #isClosed = false;

  private constructor(options: SourcesOptions) {
    this.#options = options;
  }

  static async open(options: SourcesOptions): Promise<Sources> {
    const sources = new Sources(options);
    const { registry } = options;
    await registry.watch("sources", {
      read: (database) => readSources(database, (text) => registry.warn(text)),
      use: (stored) => sources.#use(stored),
    });
    return sources;
  }

  /** Once rows can be stored. */
  start(): void {
    this.#isStarted = true;
    this.#use(this.#stored);
  }

  /** In the order of their ids. */
  list(): readonly SourceInfo[] {
    return [...this.#settings()]
      .map(([id, settings]) => ({ id, isFixed: this.#isFixed(id), ...settings }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  get(id: string): SourceInfo {
    const sources = this.list();
    const found = sources.find((source) => source.id === id);
    if (found !== undefined) return found;
    const known = sources.map((source) => source.id).join(", ") || "none";
    throw new HadalError("unknown-source", { id, known });
  }

  /** Creates it, or replaces its settings. */
  async set(id: string, body: unknown, onChange: OnChange): Promise<SourceInfo> {
    this.#refuseFixed(id);
    const settings = checkSourceBody(id, body);
    await this.#options.registry.change("sources", async (transaction) => {
      await putSource(transaction, id, settings);
      await onChange(transaction);
    });
    return { id, isFixed: false, ...settings };
  }

  async remove(id: string, onChange: OnChange): Promise<void> {
    this.#refuseFixed(id);
    this.get(id);
    await this.#options.registry.change("sources", async (transaction) => {
      await removeSource(transaction, id);
      await onChange(transaction);
    });
  }

  /** With the partitions that other gateways read, as these have noted them. */
  async status(): Promise<readonly SourceStatus[]> {
    if (this.#running.size === 0) return [];
    const noted = await this.#options.registry.read(listPositions).catch((error: unknown) => {
      if (error instanceof HadalError) return [];
      throw error;
    });
    return [...this.#running]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, running]) =>
        statusOf(
          id,
          running,
          noted.filter(({ source }) => source === id),
        ),
      );
  }

  /** Of the partitions that this gateway reads. */
  lags(): readonly SourceLag[] {
    return [...this.#running].flatMap(([source, running]) =>
      running.settings.topics.map(({ topic }) => ({
        ...{ source, topic },
        lagRows: sumOfLags(running.partitions.filter((one) => one.topic === topic)),
      })),
    );
  }

  /** Rows refused since the start, by source. */
  rejected(): ReadonlyMap<string, number> {
    return new Map([...this.#running].map(([id, { report }]) => [id, report.counts.rejected]));
  }

  /** Stores what is on its way, and reads no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#changing;
    await Promise.all([...this.#running.values()].map((running) => running.close()));
    this.#running.clear();
  }

  #settings(): ReadonlyMap<string, SourceSettings> {
    const { fixed } = this.#options;
    return new Map([...this.#stored, ...(fixed === null ? [] : [[fixedSourceId, fixed] as const])]);
  }

  #isFixed(id: string): boolean {
    return this.#options.fixed !== null && id === fixedSourceId;
  }

  #refuseFixed(id: string): void {
    if (this.#isFixed(id)) throw new HadalError("source-fixed", { id });
  }

  #use(stored: StoredSources): void {
    this.#stored = stored;
    if (!this.#isStarted) return;
    this.#changing = this.#changing.then(() => this.#follow());
  }

  /** Ends what is not wanted any more before it begins what is: both may be of one topic. */
  async #follow(): Promise<void> {
    if (this.#isClosed) return;
    const wanted = this.#settings();
    const isSame = (id: string, { settings }: RunningKafkaSource): boolean =>
      JSON.stringify(wanted.get(id)) === JSON.stringify(settings);
    for (const [id, running] of [...this.#running]) {
      if (isSame(id, running)) continue;
      this.#running.delete(id);
      await running.close();
    }
    for (const [id, settings] of wanted) {
      if (!this.#running.has(id)) this.#running.set(id, this.#run(id, settings));
    }
  }

  #run(id: string, settings: SourceSettings): RunningKafkaSource {
    const { registry, ingest, gateway, gatewayId, nowMs, secretOf } = this.#options;
    return new RunningKafkaSource({
      ...{ source: id, settings, registry, ingest, gateway, nowMs, secretOf },
      instanceId: `hadal-${gatewayId}-${id}`,
      createToken: randomUUID,
    });
  }
}

function statusOf(
  id: string,
  running: RunningKafkaSource,
  noted: readonly SourcePositionRow[],
): SourceStatus {
  const { settings, report, partitions: own } = running;
  const tables = new Map(settings.topics.map(({ topic, table }) => [topic, table]));
  const others = noted.flatMap((row): readonly SourcePartition[] => {
    const { topic, partition, next_offset: offset, end_offset: endOffset, gateway } = row;
    const table = tables.get(topic);
    const isOwn = own.some((one) => one.topic === topic && one.partition === partition);
    if (isOwn || table === undefined) return [];
    const lagRows = Math.max(0, (endOffset ?? offset) - offset);
    return [{ topic, table, partition, offset, endOffset, lagRows, gateway, atMs: row.noted_ms }];
  });
  const partitions = [...own, ...others].sort(
    (a, b) => a.topic.localeCompare(b.topic, "en") || a.partition - b.partition,
  );
  return {
    ...{ id, kind: "kafka", group: settings.group ?? sourceGroupDefault },
    ...report.state,
    ...{ lagRows: sumOfLags(partitions), partitions },
    ...{ ...report.counts, problems: report.problems },
  };
}

const sumOfLags = (partitions: readonly Pick<SourcePartition, "lagRows">[]): number =>
  partitions.reduce((sum, { lagRows }) => sum + lagRows, 0);
