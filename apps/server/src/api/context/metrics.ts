import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ClientCaps } from "./clientCaps.js";
import type { ApiDeps } from "./deps.js";
import type { RunningQueries } from "./runningQueries.js";

export interface ApiMetrics {
  readonly contentType: string;
  print(): Promise<string>;
  readonly liveSockets: Gauge;
}

/** Prometheus metrics of the gateway's interface to people. */
export function createMetrics(
  app: FastifyInstance,
  deps: ApiDeps,
  running: RunningQueries,
  caps: ClientCaps,
): ApiMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requestSeconds = new Histogram({
    name: "hadal_http_request_seconds",
    help: "Time from request to answer, by route and status.",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  // Routes, not paths: names of tables would make a label without bound.
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    requestSeconds.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1_000,
    );
  });
  gauge(registry, "hadal_queries_running", "Queries running now.", () => running.list().length);
  gauge(
    registry,
    "hadal_queries_waiting",
    "Queries that wait for their turn.",
    () => deps.admission().waiting,
  );
  gauge(
    registry,
    "hadal_answer_bytes",
    "What answers take that have not left yet.",
    () => deps.admission().answerBytes,
  );
  gauge(registry, "hadal_connections", "Connections open now.", () => caps.allConnections.count);
  new Counter({
    name: "hadal_client_limit_refusals_total",
    help: "What was refused since a client had as much as it may, by the limit's name.",
    labelNames: ["limit"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { limitName, refused } of Object.values(caps))
        this.inc({ limit: limitName }, refused);
    },
  });
  counter(
    registry,
    "hadal_queries_refused_total",
    "Queries refused since too many ran and waited.",
    () => deps.admission().refused,
  );
  counter(
    registry,
    "hadal_rows_accepted_total",
    "Rows that leaves hold.",
    () => deps.ingest.counts().rowsAccepted,
  );
  counter(
    registry,
    "hadal_rows_rejected_total",
    "Rows refused.",
    () => deps.ingest.counts().rowsRejected,
  );
  counter(
    registry,
    "hadal_batches_total",
    "Batches placed on leaves.",
    () => deps.ingest.counts().batches,
  );
  gauge(
    registry,
    "hadal_batches_pending",
    "Batches whose leaf has not said whether it holds them.",
    () => deps.ingest.counts().batchesPending,
  );
  gauge(
    registry,
    "hadal_batches_aside",
    "Batches that a leaf keeps aside for another, which does not answer.",
    () => deps.ingest.counts().batchesAside,
  );
  gauge(
    registry,
    "hadal_ingest_bytes",
    "Bytes that sends under way take, of those that ingestMemory allows.",
    () => deps.ingest.counts().load.bytesHeld,
  );
  gauge(
    registry,
    "hadal_sends_waiting",
    "Large sends that wait for room.",
    () => deps.ingest.counts().load.waiting,
  );
  counter(
    registry,
    "hadal_sends_refused_total",
    "Sends refused since there was no room for them.",
    () => deps.ingest.counts().load.refused,
  );
  const liveSockets = new Gauge({
    name: "hadal_live_sockets",
    help: "Live sockets open.",
    registers: [registry],
  });
  return { contentType: registry.contentType, print: () => registry.metrics(), liveSockets };
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** The count is kept elsewhere: here it is only told. */
function counter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
