import type { KafkaSource, SourcePartition } from "@hadal/sdk";
import { SourceReport } from "../sourceReport.js";
import { Wakeup } from "../wakeup.js";
import { isAway, reasonOf } from "./fetchErrors.js";
import { KafkaSession, type SessionEnd, type SessionOptions } from "./kafkaSession.js";
import { linkSecurity } from "./linkSecurity.js";
import { within } from "./within.js";
import { readZstdMessages } from "./zstdMessages.js";

export interface KafkaSourceOptions extends Omit<SessionOptions, "report" | "security"> {
  /** The value of an environment variable. */
  readonly secretOf: (variable: string) => string | undefined;
}

const retryMsMin = 250;
const retryMsMax = 5_000;
/** A session that lasted so long has worked: the next one is begun at once. */
const workedMs = 10_000;
/** A server that is stopped has ended within 10 s; what was not stored by then is noted. */
const closeMs = 5_000;

/** Reads the topics of one source, and begins again whenever their brokers are away. */
export class RunningKafkaSource {
  readonly settings: KafkaSource;
  readonly report = new SourceReport();
  readonly #options: KafkaSourceOptions;
  readonly #stopped = new Wakeup();
  #session: KafkaSession | null = null;
  #isStopped = false;
  readonly #running: Promise<void>;

  constructor(options: KafkaSourceOptions) {
    this.settings = options.settings;
    this.#options = options;
    readZstdMessages();
    this.#running = this.#run();
  }

  /** Those that this gateway reads. */
  get partitions(): readonly SourcePartition[] {
    const { gateway, nowMs } = this.#options;
    return (this.#session?.readers ?? []).flatMap(
      ({ place, topic, nextOffset, buffer, lagRows }) =>
        nextOffset === null
          ? []
          : [
              {
                ...{ topic: place.topic, table: topic.table, partition: place.partition },
                ...{ offset: nextOffset, endOffset: buffer.endOffset, lagRows },
                ...{ gateway, atMs: nowMs() },
              },
            ],
    );
  }

  /** Stores what is on its way, and leaves the group. */
  async close(): Promise<void> {
    this.#isStopped = true;
    this.#stopped.wake();
    await within(closeMs, Promise.all([this.#session?.close("leave"), this.#running]));
  }

  async #run(): Promise<void> {
    let retryMs = retryMsMin;
    while (!this.#isStopped) {
      const startedMs = performance.now();
      const end = await this.#readOnce();
      if (this.#isStopped) return;
      if (end === null) continue;
      const { error } = end;
      this.report.noteLink(isAway(error) ? "away" : "failed", reasonOf(error));
      retryMs = performance.now() - startedMs > workedMs ? retryMsMin : retryMs;
      await this.#stopped.wait(retryMs);
      retryMs = Math.min(2 * retryMs, retryMsMax);
    }
  }

  async #readOnce(): Promise<SessionEnd> {
    const { settings, secretOf } = this.#options;
    let session: KafkaSession | null = null;
    try {
      const security = linkSecurity(settings, secretOf);
      session = new KafkaSession({ ...this.#options, security, report: this.report });
      this.#session = session;
      const early = await Promise.race([session.ended, session.start().then(() => "started")]);
      if (early !== "started") return early as SessionEnd;
      this.#noteReading(session);
      return await session.ended;
    } catch (error) {
      return { error };
    } finally {
      if (!this.#isStopped) await session?.close("drop");
    }
  }

  #noteReading({ missing }: KafkaSession): void {
    if (missing.length === 0) {
      this.report.noteLink("reading");
      return;
    }
    const reason = `Topics that do not exist: ${missing.join(", ")}.`;
    const isAny = missing.length < this.settings.topics.length;
    this.report.noteLink(isAny ? "reading" : "failed", reason);
  }
}
