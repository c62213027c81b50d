import { HadalError } from "@hadal/sdk";
import type { JsonSchema } from "@hadal/sdk/schema";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { otlpMediaType } from "../../../ingest/format/otlp/otlpFormat.js";
import type { OtlpSignalName } from "../../../ingest/format/otlp/otlpSignals.js";
import { bodyOf } from "../../body/requestBody.js";
import { retrySeconds, toHadalError } from "../../connection/problemReply.js";
import type { Operation } from "../../docs/operation.js";
import { checkMayIngest, headerText, senderOf } from "../ingest/ingestRequests.js";
import type { RouteContext } from "../routeContext.js";
import {
  type OtlpBody,
  otlpBodyOf,
  otlpMediaTypes,
  otlpStatusOf,
  printOtlpReply,
  printOtlpStatus,
} from "./otlpReply.js";

interface Signal {
  readonly name: OtlpSignalName;
  readonly table: string;
  readonly operation: Operation;
}

const tableHeader = "x-hadal-table";
const resource = {
  attributes: [{ key: "service.name", value: { stringValue: "checkout" } }],
};
const protobuf: JsonSchema = { type: "string", contentEncoding: "binary" };
const reply: JsonSchema = {
  type: "object",
  description: "Empty where every record was stored.",
  properties: {
    partialSuccess: {
      type: "object",
      description: "How many records were refused, and why the first one was.",
      properties: {
        rejectedLogRecords: { type: "string" },
        rejectedSpans: { type: "string" },
        rejectedDataPoints: { type: "string" },
        errorMessage: { type: "string" },
      },
    },
  },
};

const common =
  " Service, resource and scope are columns (`service`, `resource.<attribute>`, `scope.name`), attributes have their own names. A body is answered in its own encoding: `Export…ServiceResponse` with a partial success that counts refused records, or `google.rpc.Status` with a status that OTLP clients know when to repeat (a full disk is 503). Requests without sign-in or permission are answered with a problem, as everywhere.";

function operation(
  operationId: string,
  table: string,
  summary: string,
  description: string,
  example: object,
): Operation {
  return {
    ...{ operationId, summary, description: description + common },
    tag: "Rows",
    access: "ingest",
    parameters: [
      {
        name: "X-Hadal-Table",
        in: "header",
        description: `Table to store the rows in; \`${table}\` when left out.`,
        schema: { type: "string", minLength: 1, maxLength: 255 },
      },
      {
        name: "Content-Encoding",
        in: "header",
        description: "How the body is compressed.",
        schema: { enum: ["identity", "gzip", "deflate", "zstd"] },
      },
    ],
    body: {
      content: {
        "application/json": { schema: { type: "object" }, example },
        "application/x-protobuf": { schema: protobuf },
      },
    },
    answer: {
      status: 200,
      description: "Stored on a leaf's disk.",
      content: {
        "application/json": { schema: reply, example: {} },
        "application/x-protobuf": { schema: protobuf },
      },
    },
    problems: ["body-too-large", "overloaded", "quota-exceeded"],
  };
}

const signals: readonly Signal[] = [
  {
    name: "logs",
    table: "otel_logs",
    operation: operation(
      "sendOtlpLogs",
      "otel_logs",
      "Take OpenTelemetry logs in",
      "OTLP/HTTP: one row for each log record.",
      {
        resourceLogs: [
          {
            resource,
            scopeLogs: [
              {
                logRecords: [
                  {
                    timeUnixNano: "1795252800000000000",
                    severityNumber: 17,
                    body: { stringValue: "payment refused" },
                    attributes: [{ key: "order.id", value: { intValue: "4711" } }],
                  },
                ],
              },
            ],
          },
        ],
      },
    ),
  },
  {
    name: "traces",
    table: "otel_spans",
    operation: operation(
      "sendOtlpSpans",
      "otel_spans",
      "Take OpenTelemetry spans in",
      "OTLP/HTTP: one row for each span, its time is its start; `duration_us`, `parent_span_id`.",
      {
        resourceSpans: [
          {
            resource,
            scopeSpans: [
              {
                spans: [
                  {
                    traceId: "5b8efff798038103d269b633813fc60c",
                    spanId: "eee19b7ec3c1b174",
                    name: "POST /pay",
                    kind: 2,
                    startTimeUnixNano: "1795252800000000000",
                    endTimeUnixNano: "1795252800081234000",
                    status: { code: 2 },
                  },
                ],
              },
            ],
          },
        ],
      },
    ),
  },
  {
    name: "metrics",
    table: "otel_metrics",
    operation: operation(
      "sendOtlpMetrics",
      "otel_metrics",
      "Take OpenTelemetry metrics in",
      "OTLP/HTTP: one row for each number point (`value`) and each point of a histogram with explicit bounds (`count`, `sum`, `min`, `max`, `bounds`, `buckets`). Points of exponential histograms and summaries are refused and counted.",
      {
        resourceMetrics: [
          {
            resource,
            scopeMetrics: [
              {
                metrics: [
                  {
                    name: "queue.length",
                    unit: "1",
                    gauge: { dataPoints: [{ timeUnixNano: "1795252800000000000", asInt: "12" }] },
                  },
                ],
              },
            ],
          },
        ],
      },
    ),
  },
];

export function addOtlpRoutes(app: FastifyInstance, { deps }: RouteContext): void {
  for (const signal of signals) {
    app.post(
      `/v1/${signal.name}`,
      { config: { operation: signal.operation } },
      async (request, answer) => {
        const body = otlpBodyOf(request.headers["content-type"]);
        if (body === undefined) {
          const detail = `OTLP is sent as ${otlpMediaTypes.join(" or ")}.`;
          throw new HadalError("unsupported-media-type", { detail });
        }
        const table = headerText(request, tableHeader) ?? signal.table;
        checkMayIngest(table, request.person);
        try {
          const stored = await store(request, { signal, table, body }, deps.ingest);
          return send(answer, body, 200, printOtlpReply(signal.name, body, stored));
        } catch (error) {
          const refusal = toHadalError(error, deps.logError, request.url);
          if (refusal.retry) answer.header("retry-after", String(retrySeconds(refusal)));
          return send(answer, body, otlpStatusOf(refusal), printOtlpStatus(body, refusal));
        }
      },
    );
  }
}

interface Sent {
  readonly signal: Signal;
  readonly table: string;
  readonly body: OtlpBody;
}

const nothing = { accepted: 0, rejected: 0, problems: [] };

async function store(
  request: FastifyRequest,
  { signal, table, body }: Sent,
  ingest: RouteContext["deps"]["ingest"],
) {
  try {
    return await ingest.rows({
      ...{ table, body: bodyOf(request), ...senderOf(request) },
      contentType: otlpMediaType(signal.name, body.encoding),
      ...{ timeName: undefined, ack: "durable" },
      idempotencyKey: headerText(request, "idempotency-key"),
    });
  } catch (error) {
    // A request without a record is a right one.
    const isEmpty = error instanceof HadalError && error.errors[0]?.code === "body-empty";
    if (isEmpty) return nothing;
    throw error;
  }
}

function send(reply: FastifyReply, { mediaType }: OtlpBody, status: number, body: Buffer) {
  return reply.code(status).type(mediaType).send(body);
}
