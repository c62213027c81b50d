import type { KafkaTopic, RawParameters } from "@hadal/sdk";
import { timeColumn } from "@hadal/sdk";
import { formatToRead } from "../../format/formats.js";

/** A record of a partition. */
export interface KafkaMessage {
  readonly offset: number;
  /** Null: it has none. */
  readonly timestampMs: number | null;
  /** Null: a tombstone. */
  readonly value: Buffer | null;
  /** Of its header `content-type`. */
  readonly contentType: string | undefined;
  /** Of the leader that wrote it: an offset that is used again has another one. */
  readonly leaderEpoch: number;
}

/**
 * A message as it goes into a body. `lines`: it may stand beside others of the same type. `whole`: it
 * is a body by itself. `none`: it has no rows.
 */
export type MessagePart =
  | {
      readonly kind: "lines";
      readonly contentType: string;
      readonly bytes: Buffer;
      readonly lineCount: number;
    }
  | { readonly kind: "whole"; readonly contentType: string; readonly bytes: Buffer }
  | { readonly kind: "none" };

const ndjson = "application/x-ndjson";
const json = "application/json";
const newline = 0x0a;
const openBracket = 0x5b;

/** Throws `unsupported-media-type` where its type is not read. */
export function partOf(message: KafkaMessage, topic: KafkaTopic): MessagePart {
  const { value } = message;
  if (value === null) return { kind: "none" };
  const contentType = message.contentType ?? topic.contentType ?? ndjson;
  const [mediaType] = formatToRead(contentType).mediaTypes;
  if (mediaType === "text/plain") {
    const bytes = trimEnd(value);
    return { kind: "lines", contentType, bytes, lineCount: countLines(bytes) };
  }
  if (mediaType !== ndjson && mediaType !== json)
    return { kind: "whole", contentType, bytes: value };
  const bytes = trimEnd(value);
  const start = firstByte(bytes);
  if (start === undefined) return { kind: "none" };
  const isOneValue = bytes.includes(newline) && isJson(bytes);
  // A list of rows is read as one body; what is no JSON at all is judged line by line.
  if (start === openBracket && (isOneValue || isJson(bytes)))
    return { kind: "whole", contentType: json, bytes };
  const lines = isOneValue ? inOneLine(bytes) : bytes;
  const timed = topic.timeFrom === "message" ? withTimes(lines, message, topic) : lines;
  return { kind: "lines", contentType: ndjson, bytes: timed, lineCount: countLines(timed) };
}

/** How the lines or the profile in a body are read. */
export function rawOf(
  { pattern, multiline, timeFrom }: KafkaTopic,
  contentType: string,
  { timestampMs }: Pick<KafkaMessage, "timestampMs">,
): RawParameters | undefined {
  const [mediaType] = formatToRead(contentType).mediaTypes;
  if (mediaType === "text/plain") return { pattern, multiline };
  const isProfile = mediaType === "text/x-folded" || mediaType === "application/x-cpuprofile";
  if (!isProfile || timeFrom !== "message" || timestampMs === null) return undefined;
  return { at: String(timestampMs) };
}

/** JSON has no line breaks inside of its strings: between values they mean the same as spaces. */
function inOneLine(bytes: Buffer): Buffer {
  const line = Buffer.from(bytes);
  for (let at = 0; at < line.length; at++)
    if (line[at] === newline || line[at] === 0x0d) line[at] = 0x20;
  return line;
}

/** Rows without a column of the time get the time of their message. */
function withTimes(bytes: Buffer, { timestampMs }: KafkaMessage, topic: KafkaTopic): Buffer {
  if (timestampMs === null) return bytes;
  const name = topic.time ?? timeColumn;
  const key = JSON.stringify(name);
  // A text, since `timeUnit` is what the numbers of the column count.
  const entry = `${key}:"${new Date(timestampMs).toISOString()}"`;
  const lines = bytes.toString("utf8").split("\n");
  return Buffer.from(lines.map((line) => (hasTime(line, key, name) ? line : add(line))).join("\n"));

  function add(line: string): string {
    const rest = line.trimStart();
    if (!rest.startsWith("{")) return line;
    const isEmpty = rest.slice(1).trimStart().startsWith("}");
    return `{${entry}${isEmpty ? "" : ","}${rest.slice(1)}`;
  }
}

function hasTime(line: string, key: string, name: string): boolean {
  if (!line.includes(key)) return false;
  const row = tryParse(line);
  return typeof row === "object" && row !== null && Object.hasOwn(row, name);
}

function trimEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && isSpace(bytes[end - 1]!)) end--;
  return bytes.subarray(0, end);
}

const firstByte = (bytes: Buffer): number | undefined => bytes.find((byte) => !isSpace(byte));

const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

function countLines(bytes: Buffer): number {
  let count = 1;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++;
  return count;
}

const isJson = (bytes: Buffer): boolean => tryParse(bytes.toString("utf8")) !== undefined;

/** Undefined: it is no JSON. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
