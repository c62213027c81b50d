import { HadalError, type KafkaSource, type SourceStatus } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askAll } from "../support/allTime.js";
import {
  brokerHookMs,
  isKafkaThere,
  type KafkaBroker,
  kafkaUser,
  type SecureListener,
  startKafka,
} from "../support/kafkaBroker.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";

describe.skipIf(!isKafkaThere)("a broker that is encrypted and asks who reads", () => {
  let broker: KafkaBroker;
  let secure: SecureListener;
  let cluster: Cluster;
  beforeAll(async () => {
    broker = await startKafka({ isSecure: true });
    secure = broker.secure!;
    for (const topic of ["scram", "plain"]) {
      await broker.createTopic(topic);
      const value = JSON.stringify({ time: Date.now(), topic });
      await broker.send(topic, [{ value }, { value }]);
    }
    cluster = await startCluster({
      leaves: 1,
      environment: {
        NODE_EXTRA_CA_CERTS: secure.authorityFile,
        KAFKA_PASSWORD: kafkaUser.password,
        KAFKA_PASSWORD_WRONG: "another",
        ...{ HADAL_KAFKA_BROKERS: secure.address, HADAL_KAFKA_TOPICS: "scram=scram" },
        ...{ HADAL_KAFKA_TLS: "true", HADAL_KAFKA_SASL: "SCRAM-SHA-512" },
        ...{ HADAL_KAFKA_USER: kafkaUser.name },
      },
    });
  }, brokerHookMs);
  afterAll(async () => {
    await cluster?.stop();
    await broker?.remove();
  });

  const setSource = (id: string, security: Pick<KafkaSource, "tls" | "sasl">) =>
    cluster.client.sources.set(id, {
      ...{ kind: "kafka", brokers: [secure.address], group: id, ...security },
      topics: [{ topic: "plain", table: id }],
    });
  async function statusOf(id: string): Promise<SourceStatus | undefined> {
    const { sources } = await cluster.client.status();
    return sources.find((source) => source.id === id);
  }
  const whenRead = (table: string): Promise<true> =>
    waitUntil(
      `rows of ${table}`,
      async () => {
        const answer = await askAll(cluster, table, { aggregates: [{ fn: "count" }] }).catch(
          () => null,
        );
        return Number(answer?.rows[0]?.[0] ?? 0) === 2 ? true : null;
      },
      40_000,
    );
  function whenFailed(id: string, reason: RegExp): Promise<true> {
    let status: SourceStatus | undefined;
    return waitUntil(
      () => `why ${id} is not read: ${JSON.stringify(status)}`,
      async () => {
        status = await statusOf(id);
        return status?.state === "failed" && reason.test(status.reason ?? "") ? true : null;
      },
      40_000,
    );
  }

  test("is read with a password that is never sent, as the flags say, and with one that is", async () => {
    await whenRead("scram");
    await setSource("plain", { tls: true, sasl: { mechanism: "PLAIN", username: kafkaUser.name } });
    await whenRead("plain");
    const sources = await cluster.client.sources.list();
    expect(JSON.stringify(sources)).not.toContain(kafkaUser.password);
  });

  test("is not read with a wrong password or without one, and the status says why", async () => {
    const sasl = { mechanism: "SCRAM-SHA-512", username: kafkaUser.name } as const;
    await setSource("wrong", {
      tls: true,
      sasl: { ...sasl, passwordFrom: "KAFKA_PASSWORD_WRONG" },
    });
    await whenFailed("wrong", /authentication|credentials/i);
    await setSource("without", { tls: true, sasl: { ...sasl, passwordFrom: "KAFKA_PASSWORD_B" } });
    await whenFailed("without", /has no KAFKA_PASSWORD_B/);
    await setSource("wrong", { tls: true, sasl });
    await whenRead("wrong");
  });

  test("is not read where its certificate is not trusted", async () => {
    const untrusting = await startCluster({
      leaves: 1,
      environment: {
        ...{ HADAL_KAFKA_BROKERS: secure.address, HADAL_KAFKA_TOPICS: "scram=scram" },
        HADAL_KAFKA_TLS: "true",
      },
    });
    try {
      await waitUntil("why it is not read", async () => {
        const { sources } = await untrusting.client.status();
        const { state, reason } = sources[0] ?? {};
        return state === "failed" && /certificate/.test(reason ?? "") ? true : null;
      });
    } finally {
      await untrusting.stop();
    }
  });

  test("settings name no other secret of the server, and send no password in the clear", async () => {
    const sasl = { mechanism: "PLAIN", username: "u", passwordFrom: "HOME" } as const;
    const refused = await setSource("no", { sasl }).catch((error: unknown) => error as HadalError);
    expect(refused).toBeInstanceOf(HadalError);
    const problems = (refused as HadalError).errors.map(({ code, path }) => [path, code]);
    expect(problems).toEqual([
      ["sasl.mechanism", "unsupported"],
      ["sasl.passwordFrom", "type-mismatch"],
    ]);
  });
});
