import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { KafkaSource } from "@hadal/sdk";
import { readDocument, writeDocument } from "../../base/file/documentFile.js";
import type { RowIngest } from "../../ingest/ingestRows.js";
import { Sources } from "../../ingest/source/sources.js";
import type { SharingGateway } from "../../registry/ledger/ledgerGateways.js";
import type { Registry } from "../../registry/registry.js";
import { gatewayId } from "./members.js";

export interface OpenSourcesOptions {
  readonly dataDir: string;
  /** What names this gateway among others; left out: it is the only one. */
  readonly sharing?: SharingGateway;
  /** Of the server's flags. */
  readonly kafka?: KafkaSource | null;
  readonly warn: (text: string) => void;
}

export async function openSources(
  { dataDir, sharing, kafka = null, warn }: OpenSourcesOptions,
  registry: Registry,
  ingest: RowIngest,
): Promise<Sources> {
  return Sources.open({
    ...{ registry, ingest, fixed: kafka, nowMs: Date.now },
    secretOf: (variable) => process.env[variable],
    gateway: sharing?.name ?? gatewayId,
    gatewayId: sharing?.id ?? (await idOfFolder(dataDir, warn)),
  });
}

/** Groups know the gateway of a folder by it, whenever it starts. */
async function idOfFolder(dataDir: string, warn: (text: string) => void): Promise<string> {
  const path = join(dataDir, "groupMember.json");
  const name = "what consumer groups know this server by";
  const kept = await readDocument(path, {
    ...{ name, warn },
    check: (value) => (value as { readonly id: string }).id,
  });
  if (typeof kept === "string" && kept !== "") return kept;
  const id = randomUUID();
  await writeDocument(path, name, { id });
  return id;
}
