import type { IngestReply, RowsPreview } from "../model/ingest.js";
import { HadalError } from "../model/problem/problem.js";
import { routes } from "../wire/routes.js";
import type { HadalClient } from "./hadalClient.js";
import type { Http } from "./http.js";
import { createIngest } from "./ingest.js";
import { printParameters } from "./requests.js";

/** A batch that is not answered by then is sent again; its key keeps it from being stored twice. */
const ingestAttemptMsMax = 60_000;

type RowSender = Pick<HadalClient, "ingest" | "ingestBody" | "previewBody">;
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
