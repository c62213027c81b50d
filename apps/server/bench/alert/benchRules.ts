import { randomUUID } from "node:crypto";
import type { AlertCondition, AlertRule, Filter } from "@hadal/sdk";
import { lockAlerts } from "../../src/registry/alert/alertLease.js";
import { putRule } from "../../src/registry/alert/alertRows.js";
import { insertDocument } from "../../src/registry/document/documentRows.js";
import { openRegistry } from "../../src/registry/openRegistry.js";

const services = ["web", "catalog", "images", "search", "accounts", "recommendations"] as const;
const countries = ["US", "IN", "DE", "GB", "BR", "FR", "JP", "MX"] as const;
const devices = ["Windows", "iPhone", "Galaxy"] as const;
const everyMs = 60_000;

/**
 * The `i`th of many teams' rules: most watch a number of their own part of the table, some each group of it, some
 * compare with a week before, some with its usual values.
 */
function benchRule(i: number): AlertRule {
  const [value, kind] = [Math.floor(i / 20), i % 20];
  const groupBy = kind < 3 ? ["endpoint"] : [];
  return {
    query: {
      ...{ table: "requests", from: kind === 19 ? "-1h" : "-5m", to: "now" },
      ...{ filter: partOf(value), groupBy, aggregates: [aggregateOf(i)] },
    },
    condition: conditionOf(kind, i),
    ...{ everyMs, perGroup: groupBy.length > 0, channels: [] },
  };
}

const partOf = (n: number): readonly Filter[] => [
  { column: "service", op: "=", value: services[n % services.length]! },
  { column: "country", op: "=", value: countries[Math.floor(n / 6) % countries.length]! },
  { column: "device", op: "=", value: devices[Math.floor(n / 48) % devices.length]! },
  { column: "status", op: ">=", value: n % 2 === 0 ? 500 : 0 },
];

const aggregateOf = (i: number) =>
  [
    { fn: "count", as: "number" } as const,
    { fn: "avg", column: "latency_us", as: "number" } as const,
    { fn: "percentile", column: "latency_us", p: 95, as: "number" } as const,
    { fn: "sum", column: "bytes", as: "number" } as const,
  ][i % 4]!;

function conditionOf(kind: number, i: number): AlertCondition {
  const aggregate = "number";
  if (kind === 17) return { aggregate, op: "changed-by", value: 500, against: "7d" };
  if (kind === 18) return { aggregate, op: "outside-band", value: 10 };
  return {
    aggregate,
    op: kind % 2 === 0 ? "above" : "below",
    value: kind % 2 === 0 ? 1e12 + i : -1,
  };
}

/** Saves rules at once, as if people had done it over the years. The server sees them within a second. */
export async function saveRules(dataDir: string, count: number): Promise<void> {
  const registry = await openRegistry({
    ...{ dataDir, databaseUrl: null },
    warn: (text) => void process.stderr.write(`${text}\n`),
  });
  const nowMs = Date.now();
  await registry.change("documents", async (transaction) => {
    await lockAlerts(transaction, null);
    for (let i = 0; i < count; i++) {
      const [id, body] = [randomUUID(), JSON.stringify(benchRule(i))];
      const document = { id, kind: "alert", title: `Rule ${i}`, body, by: null, nowMs };
      await insertDocument(transaction, document);
      await putRule(transaction, {
        ...{ ruleId: id, owner: { kind: "anyone", id: null }, secrets: {} },
        ...{ mutedUntilMs: 0, state: null },
      });
    }
  });
  await registry.close();
}
