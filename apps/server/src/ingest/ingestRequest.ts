import {
  type AckLevel,
  type BinaryForm,
  type CsvParameters,
  HadalError,
  type RawParameters,
  type TimeUnit,
} from "@hadal/sdk";
import { findFormat } from "./format/formats.js";

export interface IngestRequest {
  readonly table: string;
  /** Who sends: clients have their turns one after the other, however much each of them sends. */
  readonly client?: string;
  readonly body: AsyncIterable<Uint8Array>;
  /** How many bytes it has as it travels; absent where that is not known. */
  readonly contentLength?: number | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly timeName: string | undefined;
  /** What numbers in the time column count; without it, plausible milliseconds. */
  readonly timeUnit?: TimeUnit | undefined;
  /** The zone of times in it that name none. */
  readonly timeZone?: string | undefined;
  readonly binary?: BinaryForm | undefined;
  readonly csv?: CsvParameters;
  readonly raw?: RawParameters | undefined;
  readonly ack: AckLevel;
  readonly idempotencyKey: string | undefined;
  /** When the rows came; left out: now. */
  readonly receivedMs?: number;
  /**
   * An earlier run, or another gateway, may have stored the rows however long ago: leaves are asked.
   * Else a key that is not known is taken for a new one.
   */
  readonly mayBeStored?: true;
}

/** A body that is read as rows would be, and not stored. */
export type PreviewRequest = Omit<IngestRequest, "ack" | "idempotencyKey" | "mayBeStored">;

const idempotencyKeyUnitsMax = 255;

/** Throws `bad-request` where the value is invalid. */
export function checkKey(key: string | undefined): void {
  if (key === undefined) return;
  if (key.length <= idempotencyKeyUnitsMax && /^[\x21-\x7e]+$/.test(key)) return;
  throw new HadalError("bad-request", {
    detail: `An Idempotency-Key has 1 to ${idempotencyKeyUnitsMax} visible ASCII characters.`,
  });
}

/** How many bytes of rows a body has; null where that is not known before it comes. */
export function plainLength({
  contentLength,
  contentEncoding = "identity",
  contentType,
}: Pick<PreviewRequest, "contentLength" | "contentEncoding" | "contentType">): number | null {
  if (findFormat(contentType)?.translate !== undefined) return null;
  const isPlain = contentEncoding.trim().toLowerCase() === "identity";
  return isPlain ? (contentLength ?? null) : null;
}

/** What makes two requests of the same bytes different ones. */
export function hashStartOf({
  contentType,
  timeName,
  ack,
  timeUnit,
  timeZone,
  binary,
  csv = {},
  raw = {},
}: IngestRequest): string {
  const lines = [contentType ?? "", timeName ?? ""];
  // A send must not be answered by one that waited for less.
  if (ack !== "durable") lines.push(`ack=${ack}`);
  if (timeUnit !== undefined) lines.push(`timeUnit=${timeUnit}`);
  if (timeZone !== undefined) lines.push(`timeZone=${timeZone}`);
  if (binary !== undefined) lines.push(`binary=${binary}`);
  if (Object.values(csv).some((text) => text !== undefined))
    lines.push(`csv=${JSON.stringify(csv)}`);
  if (Object.values(raw).some((text) => text !== undefined))
    lines.push(`raw=${JSON.stringify(raw)}`);
  return lines.map((line) => `${line}\n`).join("");
}
