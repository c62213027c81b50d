import { availableParallelism } from "node:os";
import type { KafkaSource } from "@hadal/sdk";
import { type AccessSettings, accessSettingsDefault } from "../access/accessSettings.js";
import { type AdmissionLimits, admissionLimitsDefault } from "./admissionLimits.js";
import { type AlertSettings, alertSettingsDefault } from "./alertSettings.js";
import { type ClientLimits, clientLimitsDefault } from "./clientLimits.js";
import { type ClusterSettings, clusterSettingsDefault } from "./clusterSettings.js";
import {
  type FunctionLimits,
  functionLimitsDefault,
  type SandboxIsolation,
} from "./functionLimits.js";
import { type IngestLimits, ingestLimitsDefault } from "./ingestLimits.js";
import { type UserLimits, userLimitsDefault } from "./userLimits.js";

/**
 * `single`: a whole cluster on one machine. Of a cluster of several machines: `aggregator`, one each,
 * which starts its leaves, and `gateway`.
 */
export type ServerRole = "single" | "aggregator" | "gateway" | "leaf";

/** Settings of `hadal serve`, from flags, environment or file. */
export interface ServerSettings
  extends FunctionLimits,
    AdmissionLimits,
    IngestLimits,
    ClientLimits,
    UserLimits,
    AccessSettings,
    ClusterSettings,
    AlertSettings {
  readonly role: ServerRole;
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Host names that requests may use beside the server's addresses: those of a proxy. */
  readonly allowedHosts: readonly string[];
  readonly dataDir: string;
  /** `postgres://…` for the registry; null: SQLite in the data folder. */
  readonly database: string | null;
  /** Folder of documents that cannot be changed over the API; null: none. */
  readonly documents: string | null;
  /** Leaf processes of this machine. */
  readonly leaves: number;
  /** Threads of each leaf that scan for one query at once. */
  readonly scanThreads: number;
  /** Memory of each leaf in MiB; 0 divides the machine's among them. */
  readonly leafMemory: number;
  /** Percent of the memory for rows that a leaf fills: then its oldest rows go. 100: new ones are refused. */
  readonly memoryBudget: number;
  /** Days after which rows of tables without an age of their own go; 0: they stay. */
  readonly retentionDays: number;
  /** Seconds after which an open segment is sealed, full or not. */
  readonly sealAfter: number;
  /** Seconds after which sealed texts are compressed; earlier if memory runs out. */
  readonly rawTexts: number;
  /** Whether a leaf that ends leaves its rows in shared memory, for the next start to read. */
  readonly warmRestart: boolean;
  /** Whether functions run where they cannot be isolated completely. */
  readonly sandbox: SandboxIsolation;
  /** Whether the demo table is made and fed. */
  readonly demo: boolean;
  /** Topics of Kafka that are read; null: none beside those that admins set. */
  readonly kafka: KafkaSource | null;
}

/** Eight leaves of at most 4 GiB each: a larger machine needs --leaves. */
const leavesDefaultMax = 8;
export const leavesMax = 64;
export const scanThreadsMax = 16;
/** A quarter is for queries and half is kept free for sealing; the rest must still store rows. Addresses are 32 bits. */
export const leafMemoryMin = 128;
export const leafMemoryMax = 4_096;
/** Less would remove rows while most of the memory is free. */
export const memoryBudgetMin = 10;
/** A hundred years. */
export const retentionDaysMax = 36_500;
/** A day: open rows take eight times the memory and are scanned whole for every range. */
export const sealAfterMax = 86_400;

/** A day: texts that old are rarely searched, and take four times the memory. */
export const rawTextsMax = 86_400;

export const settingsDefault: ServerSettings = {
  role: "single",
  host: "127.0.0.1",
  port: 7400,
  allowedHosts: [],
  dataDir: ".hadal",
  database: null,
  documents: null,
  leaves: Math.min(availableParallelism(), leavesDefaultMax),
  scanThreads: 1,
  leafMemory: 0,
  memoryBudget: 90,
  retentionDays: 0,
  sealAfter: 300,
  rawTexts: 60,
  ...functionLimitsDefault,
  warmRestart: false,
  sandbox: "strict",
  ...admissionLimitsDefault,
  ...ingestLimitsDefault,
  ...clientLimitsDefault,
  ...userLimitsDefault,
  ...accessSettingsDefault,
  ...clusterSettingsDefault,
  ...alertSettingsDefault,
  demo: true,
  kafka: null,
};
