import type { IncomingMessage } from "node:http";

/** Enough for any reason that a receiver gives; the rest is not read (RELIABILITY, C9). */
const answerBytesMax = 65_536;

export interface EgressAnswer {
  readonly status: number;
  /** Its beginning, at most 64 KB. */
  readonly text: string;
  /** Of `Retry-After` in seconds or as a date; null: there is none. */
  readonly retryAfter: string | null;
}

/**
 * Reads no further than the bound; whoever calls it closes the connection. A text that breaks off is kept: the
 * status has said whether the receiver has the message.
 */
export async function readAnswer(response: IncomingMessage): Promise<EgressAnswer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part.subarray(0, answerBytesMax - bytes));
      bytes += part.length;
      if (bytes >= answerBytesMax) break;
    }
  } catch (error) {
    parts.push(Buffer.from(`… ${error instanceof Error ? error.message : String(error)}`));
  }
  return {
    status: response.statusCode ?? 0,
    text: Buffer.concat(parts).toString("utf8"),
    retryAfter: response.headers["retry-after"] ?? null,
  };
}
