import { type AckLevel, apiBase, type TimeUnit } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import { bodyOf } from "../../body/requestBody.js";
import { type Operation, readParameters } from "../../docs/operation.js";
import type { RouteContext } from "../routeContext.js";
import { sendParameters, sendProblems } from "./ingestParameters.js";
import { checkMayIngest, headerText, senderOf } from "./ingestRequests.js";

const postBatches: Operation = {
  operationId: "sendBatches",
  summary: "Take rows of several tables in, all or none",
  description:
    "All rows of the request become visible in one moment, over all tables: no answer whose `completeness.fraction` is 1 has a part of them. One wrong row refuses all, and nothing is stored; `errors` name the table and the row (`tables.a[0]`) of each. At most 100 tables and 64 MiB, compressed or not. A request that leaves do not take is refused as a whole: send it again, with the same `Idempotency-Key` where its answer may be lost.",
  tag: "Rows",
  access: "ingest",
  parameters: sendParameters,
  body: {
    content: {
      "application/json": {
        schema: ref("BatchesRequest"),
        example: {
          tables: {
            orders: [{ time: "2026-11-21T09:00:00Z", order: 7, amount: 12 }],
            payments: [{ time: "2026-11-21T09:00:00Z", order: 7, amount: -12 }],
          },
        },
      },
    },
  },
  answer: {
    status: 200,
    otherwise: { status: 202, description: "The same, with `ack=received`." },
    description: "All rows were accepted.",
    content: {
      "application/json": {
        schema: ref("BatchesReply"),
        example: {
          ...{ batchId: "0b5f7a2e-6c1d-4e0a-9d3a-1f6f1c2b7a90", accepted: 2 },
          tables: { orders: { accepted: 1 }, payments: { accepted: 1 } },
          ack: "durable",
        },
      },
    },
  },
  problems: [...sendProblems, "unavailable"],
};

export function addBatchesRoute(app: FastifyInstance, { deps: { ingest } }: RouteContext): void {
  app.post(`${apiBase}/batches`, { config: { operation: postBatches } }, async (request, reply) => {
    const parameters = readParameters(request.query, postBatches);
    const text = (name: string) => parameters.get(name) as string | undefined;
    const ack = (parameters.get("ack") ?? "durable") as AckLevel;
    const answer = await ingest.batches({
      ...senderOf(request),
      body: bodyOf(request),
      contentType: undefined,
      timeName: text("time"),
      timeUnit: text("timeUnit") as TimeUnit | undefined,
      timeZone: text("timeZone"),
      ...{ ack, idempotencyKey: headerText(request, "idempotency-key") },
      checkMayIngest: (table) => checkMayIngest(table, request.person),
    });
    return reply.code(ack === "received" ? 202 : 200).send(answer);
  });
}
