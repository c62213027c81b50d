import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settingsDefault } from "../../base/limit/settings.js";
import { resolveSettings, serveFlags } from "./serveSettings.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-settings-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(text: string): Promise<string> {
  const path = join(folder, "config.json");
  await writeFile(path, text);
  return path;
}

const database = "postgres://name:password@db:5432/hadal";
const member = { role: "aggregator", join: database, machine: "m1" };

describe("resolveSettings", () => {
  test("defaults", async () => {
    expect(await resolveSettings({ demo: true }, {})).toEqual(settingsDefault);
  });

  test("flag over environment over file over default", async () => {
    const config = await fileOf('{"port":1,"leaves":2,"dataDir":"file","noDemo":true}');
    const environment = { HADAL_PORT: "3", HADAL_DATA_DIR: "environment", HADAL_CONFIG: config };
    expect(await resolveSettings({ port: "5", demo: true }, environment)).toEqual({
      ...settingsDefault,
      port: 5,
      dataDir: "environment",
      leaves: 2,
      demo: false,
    });
  });

  test("a machine of a cluster listens to other machines, with the key of the cluster", async () => {
    const flags = {
      ...member,
      host: "10.0.0.5",
      advertise: "10.0.0.5:7401",
      fanOut: "3",
      copies: "1",
    };
    expect(await resolveSettings(flags, {})).toMatchObject({
      ...{ role: "aggregator", host: "10.0.0.5", join: database, machine: "m1" },
      ...{ advertise: "10.0.0.5:7401", fanOut: 3, copies: 1, auth: "none" },
    });
  });

  test.each([
    [{ demo: false }, {}, false],
    [{ demo: true }, { HADAL_NO_DEMO: "1" }, false],
    [{ demo: true }, { HADAL_NO_DEMO: "false" }, true],
    [{ demo: true }, { HADAL_NO_DEMO: "" }, true],
  ])("%j and %j make demo %s", async (flags, environment, expected) => {
    expect((await resolveSettings(flags, environment)).demo).toBe(expected);
  });

  test.each([
    [{ role: "gateway" }, {}, "The role gateway needs --join"],
    [{ role: "aggregator" }, {}, "The role aggregator needs --join"],
    [{ join: database }, {}, "--join needs --role aggregator or gateway"],
    [{ ...member, join: "ftp://10.0.0.1" }, {}, "--join is an address such as postgres://"],
    [{ ...member, join: "http://a:b@10.0.0.1" }, {}, "--join is the URL of a gateway"],
    [{ ...member, machine: "a.b" }, {}, "--machine is a name of letters, digits and hyphens"],
    [{ ...member, advertise: "10.0.0.5" }, {}, "--advertise is a host and a port"],
    [{ ...member, advertise: "10.0.0.5:7401/x" }, {}, "--advertise is a host and a port"],
    [{ ...member, fanOut: "1" }, {}, "--fan-out is a whole number from 2 to 8"],
    [{ ...member, fanOut: "1000" }, {}, "--fan-out is a whole number from 2 to 8"],
    [{ ...member, copies: "3" }, {}, "--copies is a whole number from 1 to 2"],
    [{ ...member, hedgePercent: "101" }, {}, "--hedge-percent is a whole number from 0 to 100"],
    [{ ...member, copies: "0" }, {}, "--copies is a whole number from 1 to 2"],
    [{ ...member, copies: "-1" }, {}, "--copies is a whole number from 1 to 2"],
    [{ ...member, copies: "x" }, {}, "--copies is a whole number from 1 to 2"],
    [{ role: "x" }, {}, "single, aggregator, gateway or leaf"],
    [{ port: "65536" }, {}, "--port is a whole number from 0 to 65535"],
    [{ port: "-1" }, {}, "--port"],
    [{ port: "1e3" }, {}, "--port"],
    [{ leaves: "0" }, {}, "--leaves is a whole number from 1"],
    [{ dataDir: "" }, {}, "--data-dir"],
    [{ database: "mysql://h/d" }, {}, "--database is an address such as postgres://"],
    [{}, { HADAL_NO_DEMO: "maybe" }, "HADAL_NO_DEMO is true or false"],
  ])("%j with %j is refused", async (flags, environment, expected) => {
    await expect(resolveSettings(flags, environment)).rejects.toThrow(expected);
  });

  test("a limit of each user may be none, 0 or large", async () => {
    const flags = { userQueries: "none", userRowsPerMinute: "1000000000000", userIngestRows: "0" };
    expect(await resolveSettings(flags, { HADAL_USER_LIVE_QUERIES: "7" })).toMatchObject({
      ...{ userQueries: 0, userRowsPerMinute: 1e12, userIngestRows: 0, userLiveQueries: 7 },
    });
    await expect(resolveSettings({ userQueries: "few" }, {})).rejects.toThrow("--user-queries");
  });

  test.each([
    ["{", "is not JSON"],
    ["[]", "JSON object"],
    ['{"prot":1}', 'Did you mean "port"?'],
    ['{"port":"x"}', '"port" of the configuration file'],
  ])("a file of %s is refused", async (text, expected) => {
    await expect(resolveSettings({ config: await fileOf(text) }, {})).rejects.toThrow(expected);
  });

  test.each(["127.0.0.1", "127.1.2.3", "localhost", "::1"])("%s is loopback", async (host) => {
    expect((await resolveSettings({ host }, {})).host).toBe(host);
  });

  test("every setting has a flag, a variable and a key", () => {
    expect(
      serveFlags.map((flag) => [flag.usage.split(" ")[0], flag.environment, flag.key]),
    ).toEqual([
      ["--role", "HADAL_ROLE", "role"],
      ["--host", "HADAL_HOST", "host"],
      ["--port", "HADAL_PORT", "port"],
      ["--allowed-hosts", "HADAL_ALLOWED_HOSTS", "allowedHosts"],
      ["--data-dir", "HADAL_DATA_DIR", "dataDir"],
      ["--database", "HADAL_DATABASE_URL", "database"],
      ["--documents", "HADAL_DOCUMENTS", "documents"],
      ["--leaves", "HADAL_LEAVES", "leaves"],
      ["--scan-threads", "HADAL_SCAN_THREADS", "scanThreads"],
      ["--leaf-memory", "HADAL_LEAF_MEMORY", "leafMemory"],
      ["--memory-budget", "HADAL_MEMORY_BUDGET", "memoryBudget"],
      ["--retention-days", "HADAL_RETENTION_DAYS", "retentionDays"],
      ["--seal-after", "HADAL_SEAL_AFTER", "sealAfter"],
      ["--raw-texts", "HADAL_RAW_TEXTS", "rawTexts"],
      ["--warm-restart", "HADAL_WARM_RESTART", "warmRestart"],
      ["--function-cpu-ms", "HADAL_FUNCTION_CPU_MS", "functionCpuMs"],
      ["--function-memory-bytes", "HADAL_FUNCTION_MEMORY_BYTES", "functionMemoryBytes"],
      ["--function-output-bytes", "HADAL_FUNCTION_OUTPUT_BYTES", "functionOutputBytes"],
      ["--function-stack-bytes", "HADAL_FUNCTION_STACK_BYTES", "functionStackBytes"],
      ["--sandbox", "HADAL_SANDBOX", "sandbox"],
      ["--queries-running", "HADAL_QUERIES_RUNNING", "queriesRunning"],
      ["--queries-waiting", "HADAL_QUERIES_WAITING", "queriesWaiting"],
      ["--queue-wait-ms", "HADAL_QUEUE_WAIT_MS", "queueWaitMs"],
      ["--answer-memory", "HADAL_ANSWER_MEMORY", "answerMemory"],
      ["--cache-bytes", "HADAL_CACHE_BYTES", "cacheBytes"],
      ["--ingest-memory", "HADAL_INGEST_MEMORY", "ingestMemory"],
      ["--sends-waiting", "HADAL_SENDS_WAITING", "sendsWaiting"],
      ["--send-wait-ms", "HADAL_SEND_WAIT_MS", "sendWaitMs"],
      ["--future-max", "HADAL_FUTURE_MAX", "futureMax"],
      ["--connections", "HADAL_CONNECTIONS", "connections"],
      ["--connections-per-client", "HADAL_CONNECTIONS_PER_CLIENT", "connectionsPerClient"],
      ["--queries-per-client", "HADAL_QUERIES_PER_CLIENT", "queriesPerClient"],
      ["--subscriptions-per-client", "HADAL_SUBSCRIPTIONS_PER_CLIENT", "subscriptionsPerClient"],
      ["--tables", "HADAL_TABLES", "tables"],
      ["--user-queries", "HADAL_USER_QUERIES", "userQueries"],
      ["--user-rows-per-minute", "HADAL_USER_ROWS_PER_MINUTE", "userRowsPerMinute"],
      ["--user-ingest-rows", "HADAL_USER_INGEST_ROWS", "userIngestRows"],
      ["--user-ingest-bytes", "HADAL_USER_INGEST_BYTES", "userIngestBytes"],
      ["--user-live-queries", "HADAL_USER_LIVE_QUERIES", "userLiveQueries"],
      ["--auth", "HADAL_AUTH", "auth"],
      ["--setup-link", "HADAL_SETUP_LINK", "setupLink"],
      ["--trusted-proxies", "HADAL_TRUSTED_PROXIES", "trustedProxies"],
      ["--trusted-header", "HADAL_TRUSTED_HEADER", "trustedHeader"],
      ["--trusted-groups-header", "HADAL_TRUSTED_GROUPS_HEADER", "trustedGroupsHeader"],
      ["--tls-cert", "HADAL_TLS_CERT", "tlsCert"],
      ["--tls-key", "HADAL_TLS_KEY", "tlsKey"],
      ["--oidc-issuer", "HADAL_OIDC_ISSUER", "oidcIssuer"],
      ["--oidc-client-id", "HADAL_OIDC_CLIENT_ID", "oidcClientId"],
      ["--oidc-client-secret-file", "HADAL_OIDC_CLIENT_SECRET_FILE", "oidcClientSecretFile"],
      ["--oidc-groups-claim", "HADAL_OIDC_GROUPS_CLAIM", "oidcGroupsClaim"],
      ["--role-groups", "HADAL_ROLE_GROUPS", "roleGroups"],
      ["--join", "HADAL_JOIN", "join"],
      ["--machine", "HADAL_MACHINE", "machine"],
      ["--advertise", "HADAL_ADVERTISE", "advertise"],
      ["--cluster-key-file", "HADAL_CLUSTER_KEY_FILE", "clusterKeyFile"],
      ["--cluster-tls", "HADAL_CLUSTER_TLS", "clusterTls"],
      ["--fan-out", "HADAL_FAN_OUT", "fanOut"],
      ["--copies", "HADAL_COPIES", "copies"],
      ["--hedge-percent", "HADAL_HEDGE_PERCENT", "hedgePercent"],
      ["--accept-old-copies", "HADAL_ACCEPT_OLD_COPIES", "acceptOldCopies"],
      ["--kafka-brokers", "HADAL_KAFKA_BROKERS", "kafkaBrokers"],
      ["--kafka-topics", "HADAL_KAFKA_TOPICS", "kafkaTopics"],
      ["--kafka-group", "HADAL_KAFKA_GROUP", "kafkaGroup"],
      ["--kafka-tls", "HADAL_KAFKA_TLS", "kafkaTls"],
      ["--kafka-sasl", "HADAL_KAFKA_SASL", "kafkaSasl"],
      ["--kafka-user", "HADAL_KAFKA_USER", "kafkaUser"],
      ["--webhooks-allow", "HADAL_WEBHOOKS_ALLOW", "webhooksAllow"],
      ["--smtp-url", "HADAL_SMTP_URL", "smtpUrl"],
      ["--public-url", "HADAL_PUBLIC_URL", "publicUrl"],
      ["--no-demo", "HADAL_NO_DEMO", "noDemo"],
    ]);
  });
});
