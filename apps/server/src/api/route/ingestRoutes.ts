import { type AckLevel, apiBase, type BinaryForm, type TimeUnit } from "@hadal/sdk";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { clientOf } from "../../base/process/client.js";
import type { RowIngest } from "../../ingest/ingestRows.js";
import { bodyOf } from "../body/requestBody.js";
import { sessionHeader } from "../context/answerSessions.js";
import { readParameters } from "../docs/operation.js";
import { postRows } from "./ingestOperations.js";

interface RowsParams {
  readonly table: string;
}

export function addIngestRoutes(app: FastifyInstance, ingest: RowIngest): void {
  app.post<{ Params: RowsParams }>(
    `${apiBase}/tables/:table/rows`,
    { config: { operation: postRows } },
    async (request, reply) => {
      const parameters = readParameters(request.query, postRows);
      const text = (name: string) => parameters.get(name) as string | undefined;
      const rows = {
        table: request.params.table,
        client: clientOf(request.ip, headerText(request, sessionHeader) ?? ""),
        body: bodyOf(request),
        contentLength: lengthOf(request),
        contentType: request.headers["content-type"],
        contentEncoding: request.headers["content-encoding"],
        timeName: text("time"),
        timeUnit: text("timeUnit") as TimeUnit | undefined,
        timeZone: text("timeZone"),
        binary: text("binary") as BinaryForm | undefined,
        csv: {
          delimiter: text("delimiter"),
          decimal: text("decimal"),
          null: text("null"),
          types: text("types"),
        },
      };
      if (text("preview") === "true") return ingest.preview(rows);
      const ack = (parameters.get("ack") ?? "durable") as AckLevel;
      const idempotencyKey = headerText(request, "idempotency-key");
      const answer = await ingest.rows({ ...rows, ack, idempotencyKey });
      return reply.code(ack === "received" ? 202 : 200).send(answer);
    },
  );
}

/** Node has checked the header. */
function lengthOf(request: FastifyRequest): number | undefined {
  const text = request.headers["content-length"];
  return text === undefined ? undefined : Number(text);
}

function headerText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
