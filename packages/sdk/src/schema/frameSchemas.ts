import { everyMsMin } from "../wire/frames.js";
import { type JsonSchema, type NamedSchemas, openObject, ref } from "./jsonSchema.js";
import { count, number, text } from "./valueSchemas.js";

const sql: JsonSchema = { type: "string", description: "The query as SQL." };
const frameId: JsonSchema = { type: "string", minLength: 1, maxLength: 200 };

/** Frames of the live socket. */
export const frameSchemas: NamedSchemas = {
  ClientFrame: {
    description: "A frame from a client on the live socket.",
    anyOf: [
      openObject({ kind: { const: "query" }, id: frameId, query: ref("Query") }),
      openObject({ kind: { const: "query" }, id: frameId, sql }),
      openObject({
        kind: { const: "subscribe" },
        id: frameId,
        query: ref("Query"),
        everyMs: { ...number, minimum: everyMsMin },
      }),
      openObject({
        kind: { const: "subscribe" },
        id: frameId,
        sql,
        everyMs: { ...number, minimum: everyMsMin },
      }),
      openObject({ kind: { const: "facets" }, id: frameId, facets: ref("FacetsRequest") }),
      openObject({
        kind: { const: "what-changed" },
        id: frameId,
        whatChanged: ref("WhatChangedRequest"),
      }),
      openObject({
        kind: { const: "batch" },
        id: frameId,
        everyMs: { anyOf: [{ ...number, minimum: everyMsMin }, { type: "null" }] },
        queries: {
          type: "array",
          items: {
            anyOf: [
              openObject({ tile: frameId, query: ref("Query") }),
              openObject({ tile: frameId, sql }),
            ],
          },
        },
      }),
      openObject({
        kind: { const: "priority" },
        id: frameId,
        tiles: { type: "array", items: frameId },
      }),
      openObject({ kind: { const: "cancel" }, id: frameId }),
    ],
  },
  ServerFrame: {
    description:
      "A frame from the server. A partial replaces the previous one; nothing follows `final`. Frames that answer a batch name their `tile`.",
    anyOf: [
      {
        allOf: [
          openObject({ kind: { enum: ["partial", "final"] }, id: frameId, seq: count }),
          ref("Result"),
        ],
      },
      openObject({ kind: { const: "facets" }, id: frameId, seq: count, facets: ref("Facets") }),
      openObject({
        kind: { const: "what-changed" },
        id: frameId,
        seq: count,
        whatChanged: ref("WhatChanged"),
      }),
      openObject({ kind: { const: "problem" }, id: text, problem: ref("Problem") }),
    ],
  },
};
