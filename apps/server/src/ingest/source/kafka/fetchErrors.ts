import { protocolErrors, protocolErrorsCodesById } from "@platformatic/kafka";

const outOfRangeName = "OFFSET_OUT_OF_RANGE";

/** Another broker leads the partition now, or will in a moment. */
const movedNames = [
  "LEADER_NOT_AVAILABLE",
  "NOT_LEADER_OR_FOLLOWER",
  "REPLICA_NOT_AVAILABLE",
  "KAFKA_STORAGE_ERROR",
  "FENCED_LEADER_EPOCH",
  "UNKNOWN_LEADER_EPOCH",
  "OFFSET_NOT_AVAILABLE",
];
const goneNames = ["UNKNOWN_TOPIC_OR_PARTITION", "UNKNOWN_TOPIC_ID", "INCONSISTENT_TOPIC_ID"];

const nameOf = (code: number): string => protocolErrorsCodesById[code] ?? `error ${code}`;

/** A partition's messages from there on are no more, or not there yet. */
export const isOutOfRange = (code: number): boolean => nameOf(code) === outOfRangeName;
export const isMoved = (code: number): boolean => movedNames.includes(nameOf(code));
/** The topic was deleted, and perhaps made again. */
export const isGone = (code: number): boolean => goneNames.includes(nameOf(code));

export function textOfCode(code: number): string {
  const name = nameOf(code);
  const known = protocolErrors[name];
  return known === undefined ? name : `${name}: ${known.message}`;
}

const linkCodes = new Set(["PLT_KFK_NETWORK", "PLT_KFK_TIMEOUT"]);

/** A wrong password, and a certificate that is not trusted, or of another host. */
const isRefusal = (code: string): boolean =>
  code === "PLT_KFK_AUTHENTICATION" || /CERT|^UNABLE_TO_|^ERR_TLS_|^ERR_SSL_/.test(code);

/** Whether a broker could not be reached, did not answer, or is only starting. */
export function isAway(error: unknown): boolean {
  const all = chainOf(error);
  const codes = all.flatMap(({ code }) => (typeof code === "string" ? [code] : []));
  if (codes.some(isRefusal)) return false;
  return codes.some((code) => linkCodes.has(code)) || all.some(({ canRetry }) => canRetry === true);
}

interface ClientError extends Error {
  readonly code?: unknown;
  readonly canRetry?: unknown;
}

/** The error with what it was caused by. */
function chainOf(error: unknown): readonly ClientError[] {
  if (!(error instanceof Error)) return [];
  const inner = [error.cause, ...((error as AggregateError).errors ?? [])];
  return [error, ...inner.flatMap(chainOf)];
}

/** The innermost reason, for people. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first] = (error as AggregateError).errors ?? [];
  const inner = first ?? error.cause;
  if (inner === undefined) return error.message;
  const reason = reasonOf(inner);
  return reason === "" ? error.message : reason;
}
