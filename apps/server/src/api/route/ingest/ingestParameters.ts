import { timeUnits } from "@hadal/sdk";
import type { Parameter } from "../../docs/operation.js";

export const timeParameter: Parameter = {
  name: "time",
  in: "query",
  description: "Column of the event time; `time` when left out.",
  schema: { type: "string", minLength: 1 },
};

export const timeUnitParameter: Parameter = {
  name: "timeUnit",
  in: "query",
  description:
    "What numbers in the time column count since 1970, read digit by digit (a fraction too; what is below a millisecond is cut off). `auto` takes for each value the one unit that puts it between 1990 and ten years ahead, and refuses it where there is none. Left out: integer milliseconds. Without a unit, and with `auto`, a number before 1990 is refused with the unit that would make it recent, and so is any time more than ten years ahead of the server's clock. ISO-8601 texts are read whatever the unit.",
  schema: { enum: [...timeUnits] },
};

export const timeZoneParameter: Parameter = {
  name: "timeZone",
  in: "query",
  description:
    "IANA zone (`Europe/Berlin`) of texts in the time column that name none (`2026-11-21 09:00:00`, also with `/` between year, month and day) and of dates, which are its midnights. Of a time that comes twice when clocks go back it is the earlier one; one that clocks went past is refused. Left out: a time without a zone is refused. A text with a zone keeps it.",
  schema: { type: "string", minLength: 1, maxLength: 100 },
};

export const ackParameter: Parameter = {
  name: "ack",
  in: "query",
  description:
    "`durable`: answered with 200 when the rows are on a leaf's disk. `replicated`: answered with 200 when they are on the disks of two machines, which needs a cluster with copies; where no copy has them in time the answer is 503 (`unavailable`, with `not-copied` in its `errors`, and `Retry-After`), and the rows are stored on one machine: the same `Idempotency-Key` again waits for the copy. `received`: answered with 202 when they are in its memory, where queries find them; the disk follows within a second, as long as it keeps up. A leaf that is killed before loses them, and completeness shows that they are missing; one that is stopped loses nothing. The same key with another `ack` is another request.",
  schema: { enum: ["received", "durable", "replicated"], default: "durable" },
};

export const keyParameter: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "The same key and bytes again get the same answer and no second copy; other bytes are a conflict (409).",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
};

export const encodingParameter: Parameter = {
  name: "Content-Encoding",
  in: "header",
  description: "How the body is compressed.",
  schema: { enum: ["identity", "gzip", "deflate", "zstd"] },
};

/** What every way to send rows can say about them. */
export const sendParameters: readonly Parameter[] = [
  timeParameter,
  timeUnitParameter,
  timeZoneParameter,
  ackParameter,
  keyParameter,
  encodingParameter,
];

/** What every way to send rows can be refused with. */
export const sendProblems = [
  "rows-rejected",
  "invalid-name",
  "body-undecodable",
  "body-too-large",
  "request-timeout",
  "unsupported-media-type",
  "idempotency-conflict",
  "storage-full",
  "overloaded",
  "quota-exceeded",
  "key-in-doubt",
  "leaf-unreachable",
  "gateway-fenced",
] as const;
