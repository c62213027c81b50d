import { HadalError, type ProblemPart } from "@hadal/sdk";
import type { FastifyRequest } from "fastify";
import { joinBytes } from "../../base/bytes/byteView.js";
import { readBody } from "../../ingest/body/bodyStream.js";
import { parseExactJson } from "../../ingest/value/exactJson.js";
import { RowRejected } from "../../ingest/value/rowRejected.js";

import { bodyOf } from "./requestBody.js";

export interface BodyBound {
  readonly bytesMax: number;
  readonly limitName: string;
}

/** 1 MiB is enough for a filter of 10,000 long values. */
const queryBound: BodyBound = { bytesMax: 1_048_576, limitName: "queryBytesMax" };

/** The JSON object in a request's body. Throws with line and column where the text goes wrong. */
export async function readJsonBody(
  request: FastifyRequest,
  { bytesMax, limitName }: BodyBound = queryBound,
): Promise<Readonly<Record<string, unknown>>> {
  const parts: Uint8Array[] = [];
  const tooLarge = () => new HadalError("body-too-large", { max: bytesMax, limitName });
  if (Number(request.headers["content-length"]) > bytesMax) throw tooLarge();
  let bytes = 0;
  for await (const part of readBody(bodyOf(request), request.headers["content-encoding"])) {
    bytes += part.length;
    if (bytes > bytesMax) throw tooLarge();
    parts.push(part);
  }
  const value = parseJson(decodeText(joinBytes(parts)));
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new HadalError("bad-request", { detail: "The body should be a JSON object." });
  }
  return value as Record<string, unknown>;
}

/** JSON.parse, with the place in a refusal. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = findSyntaxError(text, error);
    throw new HadalError("bad-request", { detail: place.detail }, [place]);
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new HadalError("body-undecodable", { detail: "The body is not UTF-8." });
  }
}

/** The place of the error by our parser; JSON.parse reports it only sometimes. */
function findSyntaxError(text: string, error: unknown): Required<Omit<ProblemPart, "path">> {
  let detail = (error as Error).message;
  let at = 0;
  try {
    parseExactJson(text);
  } catch (fault) {
    if (!(fault instanceof RowRejected)) throw fault;
    at = (fault.column ?? 1) - 1;
    detail = fault.message;
  }
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  const column = at - before.lastIndexOf("\n");
  return {
    line,
    column,
    code: "invalid-json",
    detail: `Line ${line}, column ${column}: ${detail}`,
  };
}
