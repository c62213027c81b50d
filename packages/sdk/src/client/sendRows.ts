import type { BatchesReply, IngestReply, RowsPreview } from "../model/ingest/ingest.js";
import { HadalError } from "../model/problem/problem.js";
import { routes } from "../wire/routes.js";
import type { HadalClient, IngestRow } from "./hadalClient.js";
import type { Http } from "./http.js";
import { createIngest } from "./ingest.js";
import { printParameters } from "./requests.js";
import { InvalidRow, printRow } from "./rows/printRow.js";

/** A batch that is not answered by then is sent again; its key keeps it from being stored twice. */
const ingestAttemptMsMax = 60_000;

type RowSender = Pick<HadalClient, "ingest" | "ingestBody" | "sendBatches" | "previewBody">;
type IngestBody = Parameters<HadalClient["ingestBody"]>;

/** Rows to the server: a batching writer, whole bodies, and how a body would be read. */
export function createRowSender(http: Http): RowSender {
  const ingestBody = async (...[table, body, bodyOptions]: IngestBody): Promise<IngestReply> => {
    const { contentType, idempotencyKey, signal, csv, raw, ...asked } = bodyOptions;
    const parameters = printParameters({ ...asked, ...csv, ...raw });
    const reply = await http.requestJson(routes.rows(table) + parameters, {
      method: "POST",
      headers: {
        "content-type": contentType,
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      },
      body: body as BodyInit,
      signal: signal ?? null,
    });
    return reply as IngestReply;
  };
  return {
    ingest(table, ingestOptions = {}) {
      const { time, timeUnit, timeZone, ack } = ingestOptions;
      return createIngest(async (body, idempotencyKey) => {
        const attempt = new AbortController();
        const timer = setTimeout(() => attempt.abort(), ingestAttemptMsMax);
        try {
          return await ingestBody(table, body, {
            contentType: "application/x-ndjson",
            idempotencyKey,
            signal: attempt.signal,
            ...{ time, timeUnit, timeZone, ack },
          });
        } catch (error) {
          if (!attempt.signal.aborted) throw error;
          throw new HadalError("connection-lost", { url: http.url });
        } finally {
          clearTimeout(timer);
        }
      }, ingestOptions);
    },
    ingestBody,
    async sendBatches(tables, { idempotencyKey, signal, ...asked } = {}) {
      const reply = await http.requestJson(routes.batches() + printParameters({ ...asked }), {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
        },
        body: printTables(tables),
        signal: signal ?? null,
      });
      return reply as BatchesReply;
    },
    async previewBody(table, body, { contentType, signal, csv, raw, ...asked }) {
      const parameters = printParameters({ preview: "true", ...asked, ...csv, ...raw });
      return (await http.requestJson(routes.rows(table) + parameters, {
        method: "POST",
        headers: { "content-type": contentType },
        body: body as BodyInit,
        signal: signal ?? null,
      })) as RowsPreview;
    },
  };
}

/** Throws what the server would answer where a value is none that a row can have. */
function printTables(tables: Readonly<Record<string, readonly IngestRow[]>>): string {
  const lists = Object.entries(tables).map(([table, rows]) => {
    const printed = rows.map((row, i) => {
      try {
        return printRow(row);
      } catch (error) {
        if (!(error instanceof InvalidRow)) throw error;
        const detail = `${table}, row ${i + 1}: ${error.message}`;
        const part = { path: `tables.${table}[${i}]`, code: "invalid-row", detail };
        throw new HadalError("rows-rejected", { rejected: 1, detail }, [part]);
      }
    });
    return `${JSON.stringify(table)}:[${printed.join(",")}]`;
  });
  return `{"tables":{${lists.join(",")}}}`;
}
