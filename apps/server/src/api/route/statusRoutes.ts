import {
  apiBase,
  HadalError,
  type MemberInfo,
  type MemberTable,
  type StatusInfo,
} from "@hadal/sdk";
import type { FastifyInstance } from "fastify";
import type { ApiDeps } from "../context/deps.js";
import type { ApiMetrics } from "../context/metrics.js";
import type { RunningQueries } from "../context/runningQueries.js";
import { getHealth, getMetrics, getReadiness, getStatus } from "./serverOperations.js";

export function addStatusRoutes(
  app: FastifyInstance,
  deps: ApiDeps,
  running: RunningQueries,
  metrics: ApiMetrics,
): void {
  app.get(
    `${apiBase}/status`,
    { config: { operation: getStatus } },
    async (): Promise<StatusInfo> => {
      const { rowsAccepted, rowsRejected, batches, tables, load } = deps.ingest.counts();
      const members = await deps.members();
      return {
        ledger: deps.ledger(),
        members,
        tables: sumTables(members),
        queries: running.list(),
        admission: deps.admission(),
        sandbox: deps.sandbox(),
        demo: deps.demo(),
        ingest: { rowsAccepted, rowsRejected, batches, tables, ...load },
      };
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
