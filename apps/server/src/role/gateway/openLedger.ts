import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { LedgerInfo } from "@hadal/sdk";
import type { LeafConnection } from "../../cluster/leafConnection.js";
import type { LedgerAudit } from "../../ingest/ledger/ledgerAudit.js";
import { RowCountLedger } from "../../ingest/ledger/rowCountLedger.js";
import { SharedLedger } from "../../ingest/ledger/shared/sharedLedger.js";
import type { PlacerDeps } from "../../ingest/place/outgoingBatch.js";
import type { SharingGateway } from "../../registry/ledger/ledgerGateways.js";
import type { Registry } from "../../registry/registry.js";

/** The row counts of a gateway: its own, or with those of others. */
export interface GatewayLedger {
  /** Of all gateways. */
  readonly all: RowCountLedger | SharedLedger;
  /** What this one places. */
  readonly placing: Pick<PlacerDeps, "ledger" | "others">;
  /** `forget` is called when another gateway has deleted a table. */
  onDeleted(forget: (table: string) => Promise<void>): void;
  /** What the comparison with the leaves has found, whichever gateway made it. */
  report(audit: LedgerAudit): LedgerInfo;
  /** The others show what this one has found. */
  shareReport(audit: LedgerAudit): Promise<void>;
  close(): Promise<void>;
  /** After an unexpected error: writes what was noted, and no more. */
  flush(): Promise<void>;
}

export interface OpenLedgerOptions {
  readonly dataDir: string;
  /** What names this gateway among others; left out: it is the only one. */
  readonly sharing?: SharingGateway;
  readonly leaves: () => readonly LeafConnection[];
  readonly warn: (text: string) => void;
}

export async function openLedger(
  options: OpenLedgerOptions,
  registry: Registry,
): Promise<GatewayLedger> {
  const { dataDir, sharing, warn } = options;
  const folder = join(dataDir, "ledger");
  if (sharing !== undefined) return openShared(folder, sharing, options, registry);
  const ledger = await RowCountLedger.open(folder, warn);
  return {
    all: ledger,
    placing: { ledger },
    onDeleted: () => undefined,
    report: (audit) => audit.report(),
    shareReport: async () => undefined,
    close: () => ledger.close(),
    flush: () => ledger.close(),
  };
}

async function openShared(
  folder: string,
  gateway: SharingGateway,
  { leaves, warn }: OpenLedgerOptions,
  registry: Registry,
): Promise<GatewayLedger> {
  let forget = async (_table: string): Promise<void> => undefined;
  const ledger = await SharedLedger.open({
    ...{ folder, registry, gateway, leaves, warn, sleep },
    now: () => performance.now(),
    wallMs: Date.now,
    onDeleted: (table) => forget(table),
  });
  return {
    all: ledger,
    placing: { ledger: ledger.own, others: ledger },
    onDeleted: (given) => {
      forget = given;
    },
    report: (audit) => {
      const own = audit.report();
      if (ledger.isLeader) return own;
      const { comparedMs, lostRows, lostColumns = [] } = ledger.reportOfLeader ?? own;
      return { ...own, comparedMs, lostRows, lostColumns };
    },
    shareReport: async (audit) => {
      if (ledger.isLeader) await ledger.shareReport(audit.report());
    },
    close: () => ledger.close(),
    flush: () => ledger.own.close(),
  };
}
