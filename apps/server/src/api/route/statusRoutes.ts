import {
  apiBase,
  HadalError,
  type MemberInfo,
  type MemberTable,
  type StatusInfo,
} from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import type { Operation } from "../docs/operation.js";
import type { RouteContext } from "./routeContext.js";
import { visibleStatus } from "./visibleStatus.js";

const status: StatusInfo = {
  ledger: {
    state: "whole",
    reason: null,
    comparedMs: 1795254000000,
    lostRows: [
      { leaf: "leaf-1", table: "visits", rows: 65_000, reason: "segment-3.hds could not be read" },
    ],
    lostColumns: [
      {
        ...{ leaf: "leaf-1", table: "visits", column: "url", rows: 65_000 },
        reason: "segment-4.hds is damaged",
      },
    ],
    doubts: [],
  },
  members: [
    {
      id: "leaf-1",
      role: "leaf",
      address: "127.0.0.1:40123",
      pid: 4711,
      state: "alive",
      rows: 500_000,
      bytes: 7_050_000,
      freeBytes: 2_000_000_000,
      rowsUnwritten: 0,
      unitsUndecided: 1,
      filesDamaged: 2,
      memory: null,
      tables: [{ name: "visits", rows: 500_000, bytes: 7_050_000 }],
      lastHeardMs: 1795254000000,
      ...{ machine: "m1", parent: "gateway", version: "0.1.0", lagMs: 120, copies: [] },
    },
  ],
  tables: [{ name: "visits", rows: 500_000, bytes: 7_050_000 }],
  queries: [
    {
      id: "my-query",
      table: "visits",
      text: "SELECT count(*) FROM visits WHERE time >= now() - INTERVAL '3 hours' AND time < now()",
      elapsedMs: 12,
    },
  ],
  admission: { running: 1, waiting: 0, refused: 0, answerBytes: 0 },
  demo: { table: "requests", rows: 1_210_000, fraction: 0.41, problem: null },
  sandbox: { state: "strict", keeps: [] },
  ingest: {
    rowsAccepted: 500_000,
    rowsRejected: 3,
    batches: 100,
    tables: [{ name: "visits", accepted: 500_000, rejected: 3, late: 120, future: 0 }],
    bytesHeld: 4_500_000,
    waiting: 0,
    refused: 0,
    stages: [
      { stage: "accepted", rows: 1_024, lagMs: 3 },
      { stage: "durable", rows: 0, lagMs: 0 },
      { stage: "open", rows: 12_000, lagMs: 4_200 },
      { stage: "sealed", rows: 50_000, lagMs: 61_000 },
      { stage: "merged", rows: 438_000, lagMs: 0 },
    ],
  },
  sources: [
    {
      ...{ id: "shop", kind: "kafka", group: "hadal", state: "reading", reason: null },
      lagRows: 40,
      partitions: [
        {
          ...{ topic: "visits", table: "visits", partition: 0, offset: 1_960, endOffset: 2_000 },
          ...{ lagRows: 40, gateway: "gateway", atMs: 1795254000000 },
        },
      ],
      ...{ accepted: 1_958, rejected: 2 },
      problems: [
        {
          ...{ topic: "visits", partition: 0, offset: 17, code: "time-missing" },
          ...{ detail: "The row has no `time`.", atMs: 1795253990000 },
        },
      ],
    },
  ],
};

const text = (example: string) => ({ "text/plain": { schema: { type: "string" }, example } });

const getStatus: Operation = {
  operationId: "status",
  summary: "Members, memory, running queries, rows taken in",
  tag: "Server",
  access: "query",
  answer: {
    status: 200,
    description: "The cluster as the gateway sees it.",
    content: { "application/json": { schema: ref("Status"), example: status } },
  },
};

const getHealth: Operation = {
  operationId: "health",
  summary: "Whether the process answers",
  tag: "Server",
  access: "open",
  answer: { status: 200, description: "It does.", content: text("ok\n") },
};

const getReadiness: Operation = {
  operationId: "readiness",
  summary: "Whether rows and queries can be taken",
  tag: "Server",
  access: "open",
  answer: { status: 200, description: "They can.", content: text("ready\n") },
  problems: ["unavailable"],
};

const getMetrics: Operation = {
  operationId: "metrics",
  summary: "Metrics in Prometheus text",
  tag: "Server",
  access: "operate",
  answer: {
    status: 200,
    description: "Counters and gauges of the gateway and its leaves.",
    content: { "text/plain": { schema: { type: "string" } } },
  },
};

export function addStatusRoutes(
  app: FastifyInstance,
  { deps, running, metrics }: RouteContext,
): void {
  app.get(
    `${apiBase}/status`,
    { config: { operation: getStatus } },
    async ({ person }): Promise<StatusInfo> => {
      const { rowsAccepted, rowsRejected, batches, tables, load } = deps.ingest.counts();
      const members = await deps.members();
      const status: StatusInfo = {
        ledger: deps.ledger(),
        members,
        tables: sumTables(members),
        queries: running.list(person),
        admission: deps.admission(),
        sandbox: deps.sandbox(),
        demo: deps.demo(),
        ingest: { rowsAccepted, rowsRejected, batches, tables, ...load, stages: deps.stages() },
        sources: await deps.sources.status(),
      };
      return visibleStatus(status, person);
    },
  );

  /** Alive: the process answers. Ready: it can take rows and queries. */
  app.get("/healthz", { config: { operation: getHealth } }, async (_request, reply) =>
    reply.type("text/plain").send("ok\n"),
  );
  app.get("/readyz", { config: { operation: getReadiness } }, async (_request, reply) => {
    const reason = deps.unready();
    if (reason !== null) throw new HadalError("unavailable", { detail: reason });
    return reply.type("text/plain").send("ready\n");
  });

  app.get("/metrics", { config: { operation: getMetrics } }, async (_request, reply) => {
    const others = (await deps.metrics?.()) ?? "";
    return reply.type(metrics.contentType).send((await metrics.print()) + others);
  });
}

/** What each table takes on all members together, largest first. */
function sumTables(members: readonly MemberInfo[]): readonly MemberTable[] {
  const sums = new Map<string, MemberTable>();
  for (const { name, rows, bytes } of members.flatMap(({ tables }) => tables)) {
    const sum = sums.get(name);
    sums.set(name, { name, rows: (sum?.rows ?? 0) + rows, bytes: (sum?.bytes ?? 0) + bytes });
  }
  return [...sums.values()].sort((a, b) => b.bytes - a.bytes);
}
