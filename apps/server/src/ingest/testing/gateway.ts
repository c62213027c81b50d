import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { AckLevel, IngestReply } from "@hadal/sdk";
import { ingestLimitsDefault } from "../../base/limit/ingestLimits.js";
import { type UserLimits, userLimitsDefault } from "../../base/limit/userLimits.js";
import { IngestQuota } from "../body/ingestQuota.js";
import { createIngest, type RowIngest } from "../ingestRows.js";
import { RowCountLedger } from "../ledger/rowCountLedger.js";
import type { LeafTarget } from "../place/leafTarget.js";
import type { OtherPlacers } from "../place/outgoingBatch.js";
import { LocalReader } from "../read/localReader.js";
import { kernelRows } from "./kernelRows.js";

/** The ingest part of a gateway, with a clock that moves when `sleep` is called. */
export interface TestGateway {
  readonly ingest: RowIngest;
  readonly ledger: RowCountLedger;
  send(body: string, key?: string, table?: string): Promise<IngestReply>;
  /** Ends it as a crash does: nothing more is written. */
  stop(): Promise<void>;
}

export interface GatewayOptions {
  readonly warnings?: string[];
  /** A new ledger counts as compared with the leaves. */
  readonly isCompared?: boolean;
  readonly rates?: Pick<UserLimits, "userIngestRows" | "userIngestBytes">;
  /** Instead of one of its own. */
  readonly ledger?: RowCountLedger;
  readonly others?: OtherPlacers;
  readonly copies?: () => readonly LeafTarget[];
  readonly startMs?: number;
  readonly ack?: AckLevel;
}

export async function startGateway(
  folder: string,
  leaves: readonly LeafTarget[],
  random: () => number = Math.random,
  options: GatewayOptions = {},
): Promise<TestGateway> {
  const { warnings = [], isCompared = true, rates = userLimitsDefault } = options;
  const ledger =
    options.ledger ?? (await RowCountLedger.open(folder, (text) => warnings.push(text)));
  if (isCompared && ledger.damage !== null) await ledger.noteRebuilt();
  const clock = { nowMs: options.startMs ?? 1_750_500_000_000 };
  const reader = new LocalReader(kernelRows);
  const ingest = createIngest({
    readers: { small: reader, large: reader },
    // Tests send times of their own clocks.
    limits: { ...ingestLimitsDefault, futureMax: 0 },
    quota: new IngestQuota(rates, () => clock.nowMs),
    tablesMax: 3,
    leaves: () => leaves,
    ledger,
    ...(options.others === undefined ? {} : { others: options.others }),
    ...(options.copies === undefined ? {} : { copies: options.copies }),
    random,
    nowMs: () => clock.nowMs,
    sleep: async (ms) => {
      clock.nowMs += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
  return {
    ingest,
    ledger,
    send: (body, key, table = "t") =>
      ingest.rows({
        table,
        body: Readable.from([Buffer.from(body)]),
        contentType: "application/x-ndjson",
        contentEncoding: undefined,
        timeName: undefined,
        timeUnit: "ms",
        ack: options.ack ?? "durable",
        idempotencyKey: key,
      }),
    async stop() {
      ingest.close();
      await ledger.close();
    },
  };
}

/** A folder that is gone after the test. */
export async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "hadal-ledger-"));
  try {
    await test(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** NDJSON of `count` rows, a second apart. */
export function rowsText(count: number, fromMs = 0): string {
  return Array.from({ length: count }, (_, i) => `{"time":${fromMs + i * 1_000},"n":${i}}`).join(
    "\n",
  );
}
