import { type AckLevel, apiBase, HadalError } from "@hadal/sdk";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { RowIngest } from "../ingest/ingestRows.js";
import { bodyOf } from "./requestBody.js";

interface RowsParams {
  readonly table: string;
}

const parametersKnown = ["time", "ack"];

export function addIngestRoutes(app: FastifyInstance, ingest: RowIngest): void {
  app.post<{ Params: RowsParams; Querystring: Record<string, string | string[]> }>(
    `${apiBase}/tables/:table/rows`,
    async (request) => {
      const parameters = request.query;
      for (const name of Object.keys(parameters)) {
        if (parametersKnown.includes(name) && typeof parameters[name] === "string") continue;
        throw new HadalError("bad-request", {
          detail: `Parameter ${JSON.stringify(name)} is not known or given twice; rows are sent with ${parametersKnown.join(" and ")}.`,
        });
      }
      return ingest.rows({
        table: request.params.table,
        body: bodyOf(request),
        contentType: request.headers["content-type"],
        contentEncoding: request.headers["content-encoding"],
        timeName: nonEmpty(parameters.time as string | undefined),
        ack: checkAck(parameters.ack as string | undefined),
        idempotencyKey: headerText(request, "idempotency-key"),
      });
    },
  );
}

function checkAck(ack: string | undefined): AckLevel {
  if (ack === undefined || ack === "durable") return "durable";
  if (ack === "received") return "received";
  throw new HadalError("bad-request", {
    detail: `ack=${ack.slice(0, 50)} is not known; use received or durable.`,
  });
}

function nonEmpty(text: string | undefined): string | undefined {
  if (text !== "") return text;
  throw new HadalError("bad-request", { detail: "Parameter `time` names no column." });
}

function headerText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
