import { Readable } from "node:stream";
import { type AuditEntry, apiBase, HadalError, resolveTime } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import type { AuditQuery } from "../../../access/audit/auditLog.js";
import { type Operation, readParameters } from "../../docs/operation.js";
import type { RouteContext } from "../routeContext.js";

const ndjson = "application/x-ndjson";
const limitDefault = 1_000;
const limitMax = 10_000;

const entry: AuditEntry = {
  ...{ time: 1795254000000, who: "anna", action: "token.create" },
  ...{ target: "shop", address: "127.0.0.1" },
};

const getAudit: Operation = {
  operationId: "audit",
  summary: "Who did what",
  description:
    "Sign-ins and failures, changes of people, tokens, grants, documents and functions, deletions, retention, exports; the newest first. As NDJSON all entries of the range, one a line.",
  tag: "People",
  access: "admin",
  parameters: [
    {
      name: "from",
      in: "query",
      description: "Start of the range as in a query; the oldest entry when left out.",
      schema: { type: "string", minLength: 1 },
      example: "-7d",
    },
    {
      name: "to",
      in: "query",
      description: "End of the range as in a query; now when left out.",
      schema: { type: "string", minLength: 1 },
    },
    {
      name: "who",
      in: "query",
      description: "Of this user or token alone, by name.",
      schema: { type: "string", minLength: 1 },
    },
    {
      name: "limit",
      in: "query",
      description: "Most entries, in JSON.",
      schema: { type: "integer", minimum: 1, maximum: limitMax, default: limitDefault },
    },
  ],
  answer: {
    status: 200,
    description: "The entries.",
    content: {
      "application/json": { schema: ref("AuditList"), example: { entries: [entry] } },
      [ndjson]: { schema: { type: "string", description: "One `AuditEntry` a line." } },
    },
  },
  problems: ["time-range-invalid", "registry-unavailable"],
};

/** The audit log. */
export function addAuditRoutes(app: FastifyInstance, { deps: { access } }: RouteContext): void {
  app.get(`${apiBase}/audit`, { config: { operation: getAudit } }, async (request, reply) => {
    const parameters = readParameters(request.query, getAudit);
    const who = parameters.get("who");
    const query: AuditQuery = {
      ...timesOf({ from: parameters.get("from"), to: parameters.get("to") }),
      ...(who !== undefined && { who: String(who) }),
    };
    if (request.headers.accept?.includes(ndjson) === true) {
      const pages = access.audit.read(query);
      // The first page before the answer begins: a registry that is away is a problem then.
      const first = await pages.next();
      return reply.type(ndjson).send(Readable.from(printLines(first, pages)));
    }
    const limit = Number(parameters.get("limit") ?? limitDefault);
    return { entries: await access.audit.list(query, limit) };
  });
}

type Pages = AsyncGenerator<readonly AuditEntry[]>;

async function* printLines(
  first: IteratorResult<readonly AuditEntry[]>,
  pages: Pages,
): AsyncGenerator<string> {
  if (first.done === true) return;
  yield textOf(first.value);
  for await (const page of pages) yield textOf(page);
}

const textOf = (entries: readonly AuditEntry[]): string =>
  entries.map((one) => `${JSON.stringify(one)}\n`).join("");

function timesOf({ from, to }: { readonly from: unknown; readonly to: unknown }): AuditQuery {
  const nowMs = Date.now();
  const fromMs = from === undefined ? undefined : timeOf(String(from), nowMs);
  const toMs = to === undefined ? undefined : timeOf(String(to), nowMs);
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) {
    throw new HadalError("time-range-invalid", { detail: "`from` is after `to`." });
  }
  return { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
}

const timeOf = (text: string, nowMs: number): number =>
  resolveTime(/^\d+$/.test(text) ? Number(text) : text, nowMs);
