/**
 * Every problem Hadal reports: HTTP status, whether a retry can help, and its text. `{name}` is
 * filled from the parameters.
 */
export const problemCodes = {
  "bad-request": { status: 400, retry: false, text: "{detail}" },
  "invalid-query": {
    status: 400,
    retry: false,
    text: "{detail}{more}",
  },
  "invalid-sql": { status: 400, retry: false, text: "Line {line}, column {column}: {detail}" },
  unsupported: { status: 400, retry: false, text: "{what} is not supported yet. {advice}" },
  "time-range-missing": {
    status: 400,
    retry: false,
    text: "A query needs a time range: set `from` and `to`.",
  },
  "time-range-invalid": { status: 400, retry: false, text: "{detail}" },
  "unknown-table": { status: 404, retry: false, text: "No table is called {table}.{nearest}" },
  "unknown-column": {
    status: 400,
    retry: false,
    text: "Table {table} has no column {column}.{nearest}",
  },
  "type-mismatch": { status: 400, retry: false, text: "{detail}" },
  "invalid-pattern": {
    status: 400,
    retry: false,
    text: "The pattern {pattern} is not valid: {detail}",
  },
  "too-many-buckets": {
    status: 422,
    retry: false,
    text: "The range holds {count} time buckets; at most {max}. Use a wider bucket or a shorter range.",
  },
  "too-many-groups": {
    status: 422,
    retry: false,
    text: "More than {max} groups (limit groupsMax). Add a filter or group by fewer columns.",
  },
  "query-memory": {
    status: 422,
    retry: false,
    text: "The query needs {neededBytes} bytes; {limitName} leaves {freeBytes}. Add a filter, group by fewer columns or ask for a shorter range.",
  },
  "sum-overflow": {
    status: 422,
    retry: false,
    text: "The sum of {column} does not fit 64 bits. Filter the rows or group more finely.",
  },
  "value-overflow": {
    status: 422,
    retry: false,
    text: "A value of {column} does not fit 64 bits. Filter such rows out, or divide before you multiply.",
  },
  incomplete: {
    status: 503,
    retry: true,
    text: "exact was asked for, but only {percent} % of the rows answered; missing: {missing}.",
  },
  "no-leaves": {
    status: 503,
    retry: true,
    text: "None of the rows answered in time. Leaves that should hold them: {missing}. Nothing can be said about the rows.",
  },
  "leaf-failed": {
    status: 500,
    retry: false,
    text: "Failed at this query: {leaves}. The fault is Hadal's, not the query's; {detail}",
  },
  "schema-changed": {
    status: 503,
    retry: true,
    text: "The columns of {table} are changing while they are asked for. Try again.",
  },
  cancelled: { status: 499, retry: false, text: "The query was cancelled." },
  "unknown-link": { status: 404, retry: false, text: "No short link is called {id}." },
  "unknown-query": { status: 404, retry: false, text: "No query {id} is running." },
  "invalid-name": { status: 400, retry: false, text: "{detail}" },
  "rows-rejected": {
    status: 400,
    retry: false,
    text: "No row was accepted; {rejected} rejected. The first: {detail}",
  },
  "function-invalid": { status: 400, retry: false, text: "The function cannot be read: {detail}" },
  "function-failed": { status: 422, retry: false, text: "The function failed. {detail}" },
  "sandbox-refused": { status: 503, retry: false, text: "{detail}" },
  "function-limit": {
    status: 422,
    retry: false,
    text: "The function {what}; at most {max} ({limitName}).",
  },
  "unknown-function": {
    status: 404,
    retry: false,
    text: "No function is called {function}.{nearest}",
  },
  "version-conflict": {
    status: 412,
    retry: false,
    text: "{name} is at version {version}, not at {wanted}: read it again, then change it.",
  },
  "unknown-document": { status: 404, retry: false, text: "No document has the id {id}." },
  "registry-unavailable": {
    status: 503,
    retry: true,
    text: "The registry cannot be used now: {detail}. A change is not confirmed.",
  },
  unauthenticated: { status: 401, retry: false, text: "{detail}" },
  forbidden: { status: 403, retry: false, text: "{detail}" },
  "token-scope": { status: 403, retry: false, text: "{detail}" },
  "egress-refused": { status: 400, retry: false, text: "{detail}" },
  "quota-exceeded": { status: 429, retry: true, text: "{detail} ({limitName})." },
  "unknown-user": { status: 404, retry: false, text: "No user has the id {id}." },
  "unknown-token": { status: 404, retry: false, text: "No token has the id {id}." },
  "unknown-embed": { status: 404, retry: false, text: "No embed has the id {id}." },
  "unknown-machine": {
    status: 404,
    retry: false,
    text: "No machine is called {machine}. There are: {known}.",
  },
  "last-machine": {
    status: 409,
    retry: false,
    text: "{machine} is the last machine that takes rows: it cannot be drained.",
  },
  "unknown-source": {
    status: 404,
    retry: false,
    text: "No source is called {id}. There are: {known}.",
  },
  "source-fixed": {
    status: 409,
    retry: false,
    text: "The source {id} is set by --kafka-topics of the server: change it there.",
  },
  "unknown-key": { status: 404, retry: false, text: "No key has the id {id}." },
  "not-acceptable": { status: 406, retry: false, text: "{detail}" },
  "unsupported-media-type": { status: 415, retry: false, text: "{detail}" },
  "body-too-large": {
    status: 413,
    retry: false,
    text: "The body is larger than {max} bytes ({limitName}). Send smaller batches.",
  },
  "request-timeout": {
    status: 408,
    retry: true,
    text: "No byte of the body came for {seconds} s. Nothing after the rows that were accepted is stored.",
  },
  "body-undecodable": { status: 400, retry: false, text: "{detail}" },
  "idempotency-conflict": {
    status: 409,
    retry: false,
    text: "The Idempotency-Key {key} was used for other bytes before.",
  },
  "key-in-doubt": {
    status: 503,
    retry: true,
    text: "Whether rows of the Idempotency-Key {key} are stored already is not known: {detail}. Send them again a little later, with the same key.",
  },
  "leaf-unreachable": {
    status: 503,
    retry: true,
    text: "Leaf {leaf} cannot be reached, and it may hold this batch already. Try again.",
  },
  "gateway-fenced": {
    status: 503,
    retry: true,
    text: "This gateway may not place rows now: {detail}. Send them again a little later, or through another gateway.",
  },
  "snapshot-too-old": {
    status: 503,
    retry: true,
    text: "Leaf {leaf} cannot show {table} as it was before its newest units any more. Try again.",
  },
  "storage-full": {
    status: 507,
    retry: true,
    text: "Leaf {leaf} has no room for the batch: {detail}",
  },
  "not-saved": {
    status: 507,
    retry: true,
    text: "{name} could not be saved, and nothing was changed: {detail}.",
  },
  unavailable: { status: 503, retry: true, text: "{detail}" },
  overloaded: { status: 429, retry: true, text: "{detail}" },
  "origin-refused": {
    status: 403,
    retry: false,
    text: "Requests from {origin} are not allowed here.",
  },
  "method-not-allowed": {
    status: 405,
    retry: false,
    text: "{path} takes {allowed}, not {method}.",
  },
  "not-found": { status: 404, retry: false, text: "There is nothing at {path}." },
  "connection-lost": { status: 503, retry: true, text: "The connection to {url} was lost." },
  internal: {
    status: 500,
    retry: false,
    text: "Hadal failed; the log of the server has the reason under {id}.",
  },
} as const satisfies Readonly<Record<string, { status: number; retry: boolean; text: string }>>;

export type ProblemCode = keyof typeof problemCodes;

/**
 * One thing wrong with an input: where (a JSON path, or line and column of a text), what, and how
 * to mend it.
 */
export interface ProblemPart {
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  readonly code: string;
  readonly detail: string;
}

/** RFC 9457 problem details as they travel. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors?: readonly ProblemPart[];
}

/** An operating error for people, with a stable code. */
export class HadalError extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly ProblemPart[];
  /** Further members of the problem, such as both bodies of a conflict (RFC 9457, 3.2). */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    code: ProblemCode,
    parameters: Readonly<Record<string, string | number>> = {},
    errors: readonly ProblemPart[] = [],
    members: Readonly<Record<string, unknown>> = {},
  ) {
    super(fillText(problemCodes[code].text, parameters).trimEnd());
    this.name = "HadalError";
    this.code = code;
    this.errors = errors;
    this.members = members;
  }

  get status(): number {
    return problemCodes[this.code].status;
  }

  /** Whether the same request may succeed later. */
  get retry(): boolean {
    return problemCodes[this.code].retry;
  }

  toProblem(): Problem {
    return {
      ...this.members,
      type: `urn:hadal:problem:${this.code}`,
      title: this.code.replaceAll("-", " "),
      status: this.status,
      code: this.code,
      detail: this.message,
      ...(this.errors.length > 0 ? { errors: this.errors } : {}),
    };
  }

  /** The error of a problem from the wire; its text is kept as it came. */
  static fromProblem(problem: Problem): HadalError {
    const code = Object.hasOwn(problemCodes, problem.code) ? problem.code : "internal";
    const { type: _t, title: _n, status: _s, code: _c, detail, errors = [], ...members } = problem;
    const error = new HadalError(code, {}, errors, members);
    error.message = detail;
    return error;
  }
}

function fillText(text: string, parameters: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) =>
    Object.hasOwn(parameters, name) ? String(parameters[name]) : "",
  );
}
