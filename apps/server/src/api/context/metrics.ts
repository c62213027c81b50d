import type { IngestStage } from "@hadal/sdk";
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

interface MetricSources {
  readonly deps: ApiDeps;
  readonly running: RunningQueries;
  readonly caps: ClientCaps;
}

/** A number that is kept elsewhere and read when metrics are printed. */
interface ReadMetric {
  readonly name: string;
  readonly kind: "gauge" | "counter";
  readonly help: string;
  read(sources: MetricSources): number;
}

const queryMetrics: readonly ReadMetric[] = [
  {
    name: "hadal_queries_running",
    kind: "gauge",
    help: "Queries running now.",
    read: ({ running }) => running.count,
  },
  {
    name: "hadal_queries_waiting",
    kind: "gauge",
    help: "Queries that wait for their turn.",
    read: ({ deps }) => deps.admission().waiting,
  },
  {
    name: "hadal_queries_refused_total",
    kind: "counter",
    help: "Queries refused since too many ran and waited.",
    read: ({ deps }) => deps.admission().refused,
  },
  {
    name: "hadal_answer_bytes",
    kind: "gauge",
    help: "What answers take that have not left yet.",
    read: ({ deps }) => deps.admission().answerBytes,
  },
  {
    name: "hadal_connections",
    kind: "gauge",
    help: "Connections open now.",
    read: ({ caps }) => caps.allConnections.count,
  },
];

const ingestMetrics: readonly ReadMetric[] = [
  {
    name: "hadal_rows_accepted_total",
    kind: "counter",
    help: "Rows on leaves.",
    read: ({ deps }) => deps.ingest.counts().rowsAccepted,
  },
  {
    name: "hadal_rows_rejected_total",
    kind: "counter",
    help: "Rows refused.",
    read: ({ deps }) => deps.ingest.counts().rowsRejected,
  },
  {
    name: "hadal_rows_late_total",
    kind: "counter",
    help: "Rows accepted over a minute after their time.",
    read: ({ deps }) => sumOf(deps.ingest.counts().tables.map(({ late }) => late)),
  },
  {
    name: "hadal_rows_future_total",
    kind: "counter",
    help: "Rows accepted over a minute before their time.",
    read: ({ deps }) => sumOf(deps.ingest.counts().tables.map(({ future }) => future)),
  },
  {
    name: "hadal_batches_total",
    kind: "counter",
    help: "Batches placed on leaves.",
    read: ({ deps }) => deps.ingest.counts().batches,
  },
  {
    name: "hadal_batches_pending",
    kind: "gauge",
    help: "Batches whose leaf has not confirmed yet whether it has them.",
    read: ({ deps }) => deps.ingest.counts().batchesPending,
  },
  {
    name: "hadal_batches_aside",
    kind: "gauge",
    help: "Batches that a leaf keeps for another one, which does not answer (hinted handoff).",
    read: ({ deps }) => deps.ingest.counts().hintedBatches,
  },
  {
    name: "hadal_ingest_bytes",
    kind: "gauge",
    help: "Bytes that sends under way take, of those that ingestMemory allows.",
    read: ({ deps }) => deps.ingest.counts().load.bytesHeld,
  },
  {
    name: "hadal_sends_waiting",
    kind: "gauge",
    help: "Large sends that wait for room.",
    read: ({ deps }) => deps.ingest.counts().load.waiting,
  },
  {
    name: "hadal_sends_refused_total",
    kind: "counter",
    help: "Sends refused since there was no room for them.",
    read: ({ deps }) => deps.ingest.counts().load.refused,
  },
];

/** Prometheus metrics of the gateway's API. */
export function createMetrics(app: FastifyInstance, sources: MetricSources): ApiMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  timeRequests(app, registry);
  for (const metric of queryMetrics) addRead(registry, metric, sources);
  countRefusals(registry, sources.caps);
  for (const metric of ingestMetrics) addRead(registry, metric, sources);
  addStages(registry, sources.deps);
  addSourceMetrics(registry, sources.deps);
  const liveSockets = new Gauge({
    name: "hadal_live_sockets",
    help: "Live sockets open.",
    registers: [registry],
  });
  return { contentType: registry.contentType, print: () => registry.metrics(), liveSockets };
}

function timeRequests(app: FastifyInstance, registry: Registry): void {
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
}

function countRefusals(registry: Registry, caps: ClientCaps): void {
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
}

function addStages(registry: Registry, deps: ApiDeps): void {
  const gauge = (name: string, help: string, read: (stage: IngestStage) => number) =>
    new Gauge({
      ...{ name, help, labelNames: ["stage"], registers: [registry] },
      collect() {
        for (const stage of deps.stages()) this.set({ stage: stage.stage }, read(stage));
      },
    });
  gauge("hadal_stage_rows", "Rows whose furthest stage this is.", ({ rows }) => rows);
  const lagHelp = "How long the oldest row of the stage waits for the next one.";
  gauge("hadal_stage_lag_seconds", lagHelp, ({ lagMs }) => lagMs / 1_000);
}

function addSourceMetrics(registry: Registry, { sources }: Pick<ApiDeps, "sources">): void {
  new Gauge({
    name: "hadal_source_lag_rows",
    help: "Messages of a topic that are not stored yet, of the partitions that this gateway reads.",
    labelNames: ["source", "topic"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { source, topic, lagRows } of sources.lags()) this.set({ source, topic }, lagRows);
    },
  });
  new Counter({
    name: "hadal_source_rows_rejected_total",
    help: "Rows of a source's messages that were refused.",
    labelNames: ["source"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [source, rejected] of sources.rejected()) this.inc({ source }, rejected);
    },
  });
}

function addRead(registry: Registry, metric: ReadMetric, sources: MetricSources): void {
  const { name, kind, help, read } = metric;
  const registers = [registry];
  if (kind === "gauge") {
    new Gauge({
      ...{ name, help, registers },
      collect() {
        this.set(read(sources));
      },
    });
    return;
  }
  new Counter({
    ...{ name, help, registers },
    collect() {
      this.reset();
      this.inc(read(sources));
    },
  });
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
