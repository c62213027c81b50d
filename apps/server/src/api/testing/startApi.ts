import type { AddressInfo } from "node:net";
import { HadalError, type Query, type Result } from "@hadal/sdk";
import type { FastifyInstance } from "fastify";
import { Access } from "../../access/access.js";
import { Egress } from "../../access/egress/egress.js";
import { AlertService } from "../../alert/alertService.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { LeafTarget } from "../../ingest/place/leafTarget.js";
import { Sources } from "../../ingest/source/sources.js";
import { startGateway, type TestGateway, withFolder } from "../../ingest/testing/gateway.js";
import { MemoryLeaf } from "../../ingest/testing/memoryLeaf.js";
import { PictureHost } from "../../picture/pictureHost.js";
import { AnswerPool } from "../../query/admit/answerPool.js";
import { AnswerCache } from "../../query/cache/answerCache.js";
import { MemoryTier } from "../../query/cache/memoryTier.js";
import { Documents } from "../../registry/document/documents.js";
import { openRegistry } from "../../registry/openRegistry.js";
import type { ApiDeps, ApiSettings, AskOptions } from "../context/deps.js";
import { createApi } from "../createApi.js";

export interface TestApi {
  readonly app: FastifyInstance;
  readonly access: Access;
  readonly gateway: TestGateway;
  readonly leaf: MemoryLeaf;
  /** Texts of what only the operator should read. */
  readonly logged: string[];
  /** Base address, once it listens. */
  listen(): Promise<string>;
}

export type Ask = (query: unknown, options: AskOptions) => Promise<Result>;

/** The real interface over the real ingest; queries are answered by the given function. */
export async function withApi(
  parts: {
    readonly ask?: Ask;
    readonly deps?: Partial<ApiDeps>;
    readonly settings?: Partial<ApiSettings>;
  },
  test: (api: TestApi) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const leaf = new MemoryLeaf("leaf-1");
    const leaves: LeafTarget[] = [leaf];
    const gateway = await startGateway(folder, leaves);
    const logged: string[] = [];
    const registry = await openRegistry({
      dataDir: folder,
      databaseUrl: null,
      warn: () => undefined,
    });
    const auth = parts.settings?.auth ?? "none";
    const access = await Access.open(registry, {
      ...{ auth, roleGroups: [], warn: (text) => logged.push(text) },
      signIn: { password: auth === "users", oidc: null },
    });
    const sources = await Sources.open({
      ...{ registry, ingest: gateway.ingest, fixed: null, nowMs: Date.now },
      ...{ gateway: "gateway", gatewayId: "test", secretOf: () => undefined },
    });
    const app = await createApi(
      {
        access,
        oidc: null,
        identify: (credentials) => access.identify(credentials),
        checkAsked: async () => undefined,
        ask: parts.ask ?? (async () => resultOf([[1]])),
        facets: async () => {
          throw new HadalError("unknown-table", { table: "", nearest: "" });
        },
        whatChanged: async () => {
          throw new HadalError("unknown-table", { table: "", nearest: "" });
        },
        tables: async () => [],
        table: async (table) => {
          throw new HadalError("unknown-table", { table, nearest: "" });
        },
        setTable: async () => undefined,
        deleteTable: async () => undefined,
        removeSettings: async () => false,
        members: async () => [],
        cluster: async () => ({ machines: [], tree: null, registryProblem: null }),
        offerRegistry: () => {
          throw new HadalError("bad-request", { detail: "There is no cluster." });
        },
        drain: async ({ machine }) => {
          throw new HadalError("unknown-machine", { machine, known: "none" });
        },
        plan: async ({ table = "" }) => {
          throw new HadalError("unknown-table", { table, nearest: "" });
        },
        unready: () => null,
        answers: new AnswerPool(2 ** 28, () => performance.now()),
        functions: {
          list: () => [],
          find: (name) => {
            throw new HadalError("unknown-function", { function: name, nearest: "" });
          },
          save: async (name) => {
            throw new HadalError("unknown-function", { function: name, nearest: "" });
          },
          delete: async () => undefined,
          try: async () => ({ kind: "scalar", results: [], rows: [], log: [], elapsedMs: 0 }),
        },
        documents: new Documents(registry, Date.now),
        alerts: new AlertService({
          ...{ registry, nowMs: Date.now, rules: () => [], linkTo: (path) => path },
          lateMs: () => 0,
          means: { egress: new Egress({ allowed: [] }), mailer: null, nowMs: Date.now },
        }),
        links: {
          save: async (path) => ({ id: "k3vj2", path, savedMs: 1 }),
          find: async (id) => {
            throw new HadalError("unknown-link", { id });
          },
        },
        pictures: new PictureHost({
          ...{ script: new URL("pictureThread.js", import.meta.url), bundle: null },
          warn: (text) => logged.push(text),
        }),
        ingest: gateway.ingest,
        sources: {
          list: () => sources.list(),
          get: (id) => sources.get(id),
          set: (id, body) => sources.set(id, body, async () => undefined),
          remove: (id) => sources.remove(id, async () => undefined),
          status: () => sources.status(),
          lags: () => sources.lags(),
          rejected: () => sources.rejected(),
        },
        cache: () => new AnswerCache(new MemoryTier(2 ** 20, () => 0), () => 0).info,
        clearCache: async () => undefined,
        demo: () => null,
        sandbox: () => ({ state: "unused", keeps: [] }),
        stages: () => [{ stage: "open", rows: 2, lagMs: 1_500 }],
        admission: () => ({ running: 0, waiting: 0, refused: 0, answerBytes: 0 }),
        ledger: () => ({
          ...{
            state: "whole",
            reason: null,
            comparedMs: null,
            lostRows: [],
            lostColumns: [],
            doubts: [],
          },
        }),
        logError: (text) => logged.push(text),
        nowMs: () => performance.now(),
        ...parts.deps,
      },
      { host: "127.0.0.1", webFolder: null, ...parts.settings },
    );
    try {
      await test({
        ...{ app, access, gateway },
        leaf,
        logged,
        async listen() {
          await app.listen({ host: "127.0.0.1", port: 0 });
          return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
        },
      });
    } finally {
      await app.close();
      await gateway.stop();
      await access.close();
      await registry.close();
    }
  });
}

export const query: Query = { table: "t", from: 0, to: 1 };

/** A result of one integer column. */
export function resultOf(rows: Result["rows"], parts: Partial<Result> = {}): Result {
  return {
    columns: [{ name: "n", type: "int", role: "aggregate" }],
    rows,
    completeness: {
      fraction: 0.75,
      rowsExpected: 4,
      rowsAnswered: 3,
      leaves: { answered: 1, total: 2, missing: ["leaf-2"] },
    },
    intervals: {},
    asOf: 1,
    final: true,
    truncated: null,
    stats: {
      rowsScanned: 0,
      rowsMatched: 0,
      bytesScanned: 0,
      segments: 0,
      segmentsSkipped: 0,
      cache: "miss",
      elapsedMs: 0,
      scanMs: 0,
      mergeMs: 0,
    },
    ...parts,
  };
}

/** Resolves with false never: a query that ends only when it is cancelled. */
export function untilCancelled(signal: StopSignal): Promise<never> {
  return new Promise((_, reject) => {
    const cancel = () => reject(new HadalError("cancelled"));
    if (signal.aborted) cancel();
    else signal.addEventListener("abort", cancel);
  });
}
