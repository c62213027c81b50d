import { readFile } from "node:fs/promises";
import { nearestHint } from "@hadal/sdk";
import { type AccessSettings, accessSettingsDefault } from "../../base/access/accessSettings.js";
import { admissionLimitRanges } from "../../base/limit/admissionLimits.js";
import { clientLimitRanges } from "../../base/limit/clientLimits.js";
import { functionLimitRanges, type SandboxIsolation } from "../../base/limit/functionLimits.js";
import { ingestLimitRanges } from "../../base/limit/ingestLimits.js";
import {
  leafMemoryMax,
  leafMemoryMin,
  leavesMax,
  memoryBudgetMin,
  rawTextsMax,
  retentionDaysMax,
  type ServerRole,
  type ServerSettings,
  scanThreadsMax,
  sealAfterMax,
  settingsDefault,
} from "../../base/limit/settings.js";
import { type UserLimits, userLimitRanges } from "../../base/limit/userLimits.js";
import { accessFlags, accessOfLeaf, checkAccess } from "./accessFlags.js";
import { alertFlags, checkAlerts } from "./alertFlags.js";
import { checkCluster, clusterFlags } from "./clusterFlags.js";
import {
  checkDatabase,
  checkInteger,
  checkNames,
  checkSwitch,
  checkText,
  type Find,
  type Found,
  flag,
  refused,
  type ServeFlag,
} from "./serveFlag.js";
import { checkKafka, sourceFlags } from "./sourceFlags.js";

/** A number with a least and a most that it may be set to. */
type Limit = keyof typeof limitRanges;
const limitRanges = { ...admissionLimitRanges, ...ingestLimitRanges, ...clientLimitRanges };

export const serveFlags: readonly ServeFlag[] = [
  flag(
    "role",
    "--role <role>",
    "single (a whole cluster on this machine); of a cluster of several machines: aggregator (one each, with leaves) or gateway",
    settingsDefault.role,
  ),
  flag(
    "host",
    "--host <address>",
    "address to listen on; others than those of loopback need sign-in (--auth)",
    settingsDefault.host,
  ),
  flag("port", "--port <port>", "port to listen on; 0 chooses a free one", settingsDefault.port),
  flag(
    "allowedHosts",
    "--allowed-hosts <names>",
    "names, with commas between, by which a proxy before it may call this server",
    "none",
  ),
  flag("dataDir", "--data-dir <folder>", "folder of all data", settingsDefault.dataDir),
  {
    ...flag(
      "database",
      "--database <url>",
      "postgres://… (?passwordFile=PATH) for documents, functions, links, settings; default: a file in the data folder",
      "none",
    ),
    environment: "HADAL_DATABASE_URL",
  },
  flag(
    "documents",
    "--documents <folder>",
    "saved queries, dashboards, alerts as JSON files, which are read at the start and when they change",
    "none",
  ),
  flag("leaves", "--leaves <count>", `leaf processes, 1 to ${leavesMax}`, settingsDefault.leaves),
  flag(
    "scanThreads",
    "--scan-threads <count>",
    `threads of each leaf that scan for one query, 1 to ${scanThreadsMax}`,
    settingsDefault.scanThreads,
  ),
  flag(
    "leafMemory",
    "--leaf-memory <MiB>",
    `memory of each leaf, ${leafMemoryMin} to ${leafMemoryMax}; 0 divides the machine's among them`,
    settingsDefault.leafMemory,
  ),
  flag(
    "memoryBudget",
    "--memory-budget <percent>",
    `of the memory for rows, what they fill before the oldest go, ${memoryBudgetMin} to 100; 100: new ones are refused`,
    settingsDefault.memoryBudget,
  ),
  flag(
    "retentionDays",
    "--retention-days <days>",
    `rows this old go, unless their table has an age of its own, 0 to ${retentionDaysMax}; 0: none go`,
    settingsDefault.retentionDays,
  ),
  flag(
    "sealAfter",
    "--seal-after <seconds>",
    `rows of a quiet table are sealed after so long, 1 to ${sealAfterMax}`,
    settingsDefault.sealAfter,
  ),
  flag(
    "rawTexts",
    "--raw-texts <seconds>",
    `texts stay uncompressed for so long, which searches them faster, 0 to ${rawTextsMax}`,
    settingsDefault.rawTexts,
  ),
  flag(
    "warmRestart",
    "--warm-restart",
    "leaves that end keep their rows in /dev/shm, where the next start reads them; they take memory until then",
    "false",
  ),
  functionFlag("functionCpuMs", "--function-cpu-ms <ms>", "computes for a slice of 256 rows"),
  functionFlag("functionMemoryBytes", "--function-memory-bytes <bytes>", "takes of memory"),
  functionFlag("functionOutputBytes", "--function-output-bytes <bytes>", "returns for a slice"),
  functionFlag("functionStackBytes", "--function-stack-bytes <bytes>", "takes of the stack"),
  flag(
    "sandbox",
    "--sandbox <isolation>",
    "strict, or weak: functions also run where they cannot be cut off from network and rights",
    settingsDefault.sandbox,
  ),
  limitFlag("queriesRunning", "--queries-running <count>", "queries that run at once"),
  limitFlag("queriesWaiting", "--queries-waiting <count>", "queries that wait for their turn"),
  limitFlag("queueWaitMs", "--queue-wait-ms <ms>", "the most that a query waits"),
  limitFlag("answerMemory", "--answer-memory <MiB>", "memory for responses that are not sent yet"),
  limitFlag("cacheBytes", "--cache-bytes <bytes>", "memory for answers that are kept"),
  limitFlag("ingestMemory", "--ingest-memory <MiB>", "memory for rows that are being taken in"),
  limitFlag("sendsWaiting", "--sends-waiting <count>", "large sends that wait for room"),
  limitFlag("sendWaitMs", "--send-wait-ms <ms>", "the most that a send waits for room"),
  limitFlag(
    "futureMax",
    "--future-max <seconds>",
    "rows this far ahead of the clock are refused; 0: none",
  ),
  limitFlag("connections", "--connections <count>", "connections that may be open"),
  limitFlag(
    "connectionsPerClient",
    "--connections-per-client <count>",
    "connections of one address",
  ),
  limitFlag("queriesPerClient", "--queries-per-client <count>", "queries of one address at once"),
  limitFlag(
    "subscriptionsPerClient",
    "--subscriptions-per-client <count>",
    "subscriptions of one address",
  ),
  limitFlag("tables", "--tables <count>", "tables that rows may make"),
  userFlag("userQueries", "--user-queries <count>", "queries of one user or token at once"),
  userFlag(
    "userRowsPerMinute",
    "--user-rows-per-minute <count>",
    "rows that queries of one user or token scan per minute",
  ),
  userFlag(
    "userIngestRows",
    "--user-ingest-rows <count>",
    "rows that one user or token sends per second",
  ),
  userFlag(
    "userIngestBytes",
    "--user-ingest-bytes <bytes>",
    "bytes that one user or token sends per second",
  ),
  userFlag(
    "userLiveQueries",
    "--user-live-queries <count>",
    "live queries of one user or token at once",
  ),
  ...accessFlags,
  ...clusterFlags,
  ...sourceFlags,
  ...alertFlags,
  { ...flag("noDemo", "--no-demo", "do without the demo table", "false"), flagKey: "demo" },
];

/** Settings from flags, environment and file, checked. Every refusal names where the value came from. */
export async function resolveSettings(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ServerSettings> {
  const configFile = flags.config ?? environment.HADAL_CONFIG;
  const file =
    typeof configFile === "string" && configFile !== ""
      ? await readConfig(configFile)
      : new Map<string, unknown>();
  const find: Find = (key) => findSetting(key, flags, environment, file);
  const host = checkText(find("host"), settingsDefault.host);
  const role = checkRole(find("role"));
  // Variables of the environment reach leaves too, and are not for them.
  const access = checkAccessOf(role, find, host);
  const settings: ServerSettings = {
    ...{ role, host },
    port: checkInteger(find("port"), 0, 65_535, settingsDefault.port),
    allowedHosts: checkNames(find("allowedHosts")),
    dataDir: checkText(find("dataDir"), settingsDefault.dataDir),
    database: checkDatabase(find("database")),
    ...checkCluster(find, role),
    documents: checkText(find("documents"), "") || null,
    leaves: checkInteger(find("leaves"), 1, leavesMax, settingsDefault.leaves),
    scanThreads: checkInteger(find("scanThreads"), 1, scanThreadsMax, settingsDefault.scanThreads),
    leafMemory: checkLeafMemory(find("leafMemory")),
    memoryBudget: checkInteger(
      find("memoryBudget"),
      memoryBudgetMin,
      100,
      settingsDefault.memoryBudget,
    ),
    retentionDays: checkInteger(
      find("retentionDays"),
      0,
      retentionDaysMax,
      settingsDefault.retentionDays,
    ),
    sealAfter: checkInteger(find("sealAfter"), 1, sealAfterMax, settingsDefault.sealAfter),
    rawTexts: checkInteger(find("rawTexts"), 0, rawTextsMax, settingsDefault.rawTexts),
    warmRestart: checkSwitch(find("warmRestart")) ?? settingsDefault.warmRestart,
    functionCpuMs: checkFunctionLimit("functionCpuMs", find),
    functionMemoryBytes: checkFunctionLimit("functionMemoryBytes", find),
    functionOutputBytes: checkFunctionLimit("functionOutputBytes", find),
    functionStackBytes: checkFunctionLimit("functionStackBytes", find),
    sandbox: checkIsolation(find("sandbox")),
    queriesRunning: checkLimit("queriesRunning", find),
    queriesWaiting: checkLimit("queriesWaiting", find),
    queueWaitMs: checkLimit("queueWaitMs", find),
    answerMemory: checkLimit("answerMemory", find),
    cacheBytes: checkLimit("cacheBytes", find),
    ingestMemory: checkLimit("ingestMemory", find),
    sendsWaiting: checkLimit("sendsWaiting", find),
    sendWaitMs: checkLimit("sendWaitMs", find),
    futureMax: checkLimit("futureMax", find),
    connections: checkLimit("connections", find),
    connectionsPerClient: checkLimit("connectionsPerClient", find),
    queriesPerClient: checkLimit("queriesPerClient", find),
    subscriptionsPerClient: checkLimit("subscriptionsPerClient", find),
    tables: checkLimit("tables", find),
    userQueries: checkUserLimit("userQueries", find),
    userRowsPerMinute: checkUserLimit("userRowsPerMinute", find),
    userIngestRows: checkUserLimit("userIngestRows", find),
    userIngestBytes: checkUserLimit("userIngestBytes", find),
    userLiveQueries: checkUserLimit("userLiveQueries", find),
    ...access,
    kafka: checkKafka(find),
    ...checkAlerts(find),
    demo: !(checkSwitch(find("noDemo")) ?? !settingsDefault.demo),
  };
  return settings;
}

type FunctionLimit = keyof typeof functionLimitRanges;

function functionFlag(key: FunctionLimit, usage: string, what: string): ServeFlag {
  const [least, most] = functionLimitRanges[key];
  const text = `the most that a JavaScript function ${what}, ${least} to ${most}`;
  return flag(key, usage, text, settingsDefault[key]);
}

function checkFunctionLimit(key: FunctionLimit, find: Find): number {
  const [least, most] = functionLimitRanges[key];
  return checkInteger(find(key), least, most, settingsDefault[key]);
}

function limitFlag(key: Limit, usage: string, what: string): ServeFlag {
  const [least, most] = limitRanges[key];
  return flag(key, usage, `${what}, ${least} to ${most}`, settingsDefault[key]);
}

/** `none` is 0. */
function userFlag(key: keyof UserLimits, usage: string, what: string): ServeFlag {
  const [, most] = userLimitRanges[key];
  const shown = settingsDefault[key] === 0 ? "none" : settingsDefault[key];
  return flag(key, usage, `${what}, 1 to ${most}, or none`, shown);
}

function checkUserLimit(key: keyof UserLimits, find: Find): number {
  const [least, most] = userLimitRanges[key];
  const found = find(key);
  return found?.value === "none" ? 0 : checkInteger(found, least, most, settingsDefault[key]);
}

function checkLimit(key: Limit, find: Find): number {
  const [least, most] = limitRanges[key];
  return checkInteger(find(key), least, most, settingsDefault[key]);
}

function findSetting(
  key: string,
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
  file: ReadonlyMap<string, unknown>,
): Found | null {
  const known = serveFlags.find((candidate) => candidate.key === key);
  if (known === undefined) return null;
  const name = known.usage.split(" ")[0] ?? known.usage;
  const flagValue = flags[known.flagKey];
  // Commander says `demo: true` when --no-demo is absent, and false when it is there.
  if (key === "noDemo") {
    if (flagValue === false) return { value: true, source: name };
  } else if (flagValue !== undefined) {
    return { value: flagValue, source: name };
  }
  const variable = environment[known.environment];
  if (variable !== undefined && variable !== "")
    return { value: variable, source: known.environment };
  return file.has(key)
    ? { value: file.get(key), source: `"${key}" of the configuration file` }
    : null;
}

async function readConfig(path: string): Promise<ReadonlyMap<string, unknown>> {
  const text = await readFile(path, "utf8");
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch (error) {
    throw refused(`${path} is not JSON: ${(error as Error).message}`);
  }
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    throw refused(`${path} must contain a JSON object.`);
  }
  const keys = serveFlags.map((known) => known.key);
  for (const key of Object.keys(config)) {
    if (!keys.includes(key))
      throw refused(`${path}: no setting is called "${key}".${nearestHint(key, keys)}`);
  }
  return new Map(Object.entries(config));
}

function checkIsolation(found: Found | null): SandboxIsolation {
  if (found === null) return settingsDefault.sandbox;
  if (found.value === "strict" || found.value === "weak") return found.value;
  throw refused(
    `${found.source}: the sandbox is strict or weak; found ${JSON.stringify(found.value)}.`,
  );
}

function checkAccessOf(role: ServerRole, find: Find, host: string): AccessSettings {
  if (role === "leaf") return accessOfLeaf(host);
  // Other members reach an aggregator, with the key of the cluster; people do not.
  return role === "aggregator" ? accessSettingsDefault : checkAccess(find, host);
}

const roles: readonly ServerRole[] = ["single", "aggregator", "gateway", "leaf"];

function checkRole(found: Found | null): ServerRole {
  if (found === null) return settingsDefault.role;
  const role = roles.find((name) => name === found.value);
  if (role !== undefined) return role;
  throw refused(
    `${found.source}: the role is single, aggregator, gateway or leaf; found ${JSON.stringify(found.value)}.`,
  );
}

/** 0, or enough to work with. */
function checkLeafMemory(found: Found | null): number {
  const mib = checkInteger(found, 0, leafMemoryMax, settingsDefault.leafMemory);
  if (mib === 0 || mib >= leafMemoryMin) return mib;
  throw refused(`${found?.source} is 0 or at least ${leafMemoryMin} MiB; found ${mib}.`);
}
