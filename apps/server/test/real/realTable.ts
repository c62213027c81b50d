import type { OracleColumn, OracleRow, OracleTable } from "../oracle/table/oracleTable.js";

/** Rows as someone would send them, and as the oracles must see them. */
export interface RealTable {
  readonly oracle: OracleTable;
  /** One JSON text per row. */
  readonly lines: readonly string[];
  /** Column that holds the time. */
  readonly time: string;
}

/** `2001/01/01 00:47`, local time of an airport: taken as UTC. */
export function flightsTable(flights: readonly unknown[]): RealTable {
  const rows = flights.map((flight) => {
    const { date, ...values } = flight as { date: string; delay: number; distance: number };
    return { time: Date.parse(`${date.replaceAll("/", "-").replace(" ", "T")}:00Z`), ...values };
  });
  return plainTable("flights", rows, ["delay", "distance"], ["origin", "destination"]);
}

const accessLine =
  /^(\S+) \S+ (\S+) \[(\d+)\/(\w+)\/(\d+):([\d:]+) \+0000\] "(\S+) (.*?) (HTTP\/[\d.]+)" (\d+) (\d+|-) "(.*?)" "(.*?)"?$/;
const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** The combined log format. A dash is a missing value. */
export function accessLogTable(lines: readonly string[]): RealTable {
  const rows = lines.map((line) => {
    const match = accessLine.exec(line);
    if (match === null) throw new Error(`not a line of an access log: ${line}`);
    const [, client, user, day, month, year, clock, method, path, protocol, ...rest] = match;
    const [status, bytes, referrer, agent] = rest;
    const time = Date.parse(
      `${year}-${String(months.indexOf(month ?? "") + 1).padStart(2, "0")}-${day}T${clock}Z`,
    );
    return {
      time,
      client,
      user: orMissing(user),
      method,
      path,
      protocol,
      status: Number(status),
      bytes: bytes === "-" ? null : Number(bytes),
      referrer: orMissing(referrer),
      agent,
    };
  });
  const strings = ["client", "user", "method", "path", "protocol", "referrer", "agent"];
  return plainTable("access_log", rows, ["status", "bytes"], strings);
}

/** Sent nested and with its own name of the time, as GitHub has it; lists of objects are left out. */
export function githubTable(lines: readonly string[]): RealTable {
  const events = lines.map((line) => JSON.parse(line) as GitHubEvent);
  const sent = events.map(({ id, type, actor, repo, org, created_at, payload, public: open }) => ({
    ...{ id, type, public: open, created_at },
    actor: { id: actor.id, login: actor.login },
    repo: { id: repo.id, name: repo.name },
    payload: { action: payload.action, ref_type: payload.ref_type, size: payload.size },
    org: org === undefined ? null : { login: org.login },
  }));
  const flat = sent.map((event) => ({
    time: Date.parse(event.created_at),
    ...{ id: event.id, type: event.type, public: String(event.public) },
    "actor.id": event.actor.id,
    "actor.login": event.actor.login,
    "repo.id": event.repo.id,
    "repo.name": event.repo.name,
    "payload.action": event.payload.action,
    "payload.ref_type": event.payload.ref_type,
    "payload.size": event.payload.size,
    "org.login": event.org?.login,
  }));
  const strings = ["id", "type", "public", "actor.login", "repo.name", "org.login"];
  const ints = ["actor.id", "repo.id", "payload.size"];
  const table = plainTable("github", flat, ints, [
    ...strings,
    "payload.action",
    "payload.ref_type",
  ]);
  return { ...table, lines: sent.map((event) => JSON.stringify(event)), time: "created_at" };
}

interface GitHubEvent {
  readonly id: string;
  readonly type: string;
  readonly public: boolean;
  readonly created_at: string;
  readonly actor: { readonly id: number; readonly login: string };
  readonly repo: { readonly id: number; readonly name: string };
  readonly org?: { readonly login: string };
  readonly payload: {
    readonly action?: string;
    readonly ref_type?: string;
    readonly size?: number;
  };
}

/** `a;b;c 5`: a stack seen five times is one row that stands for five. */
export function stacksTable(lines: readonly string[]): RealTable {
  const startMs = Date.UTC(2024, 0, 1);
  const rows = lines.map((line, index) => {
    const space = line.lastIndexOf(" ");
    const stack = line.slice(0, space).split(";");
    const rate = Number(line.slice(space + 1));
    const top = stack.at(-1);
    return { time: startMs + index * 250, stack, top, depth: stack.length, sample_rate: rate };
  });
  return plainTable("stacks", rows, ["depth", "sample_rate"], ["top"], ["stack"]);
}

type PlainValue = string | number | readonly string[] | null | undefined;

function plainTable(
  name: string,
  sent: readonly object[],
  ints: readonly string[],
  strings: readonly string[],
  vectors: readonly string[] = [],
): RealTable {
  const columns: OracleColumn[] = [
    ...ints.map((column) => ({ name: column, type: "int" as const, decimals: 0 })),
    ...strings.map((column) => ({ name: column, type: "string" as const, decimals: 0 })),
    ...vectors.map((column) => ({ name: column, type: "vector" as const, decimals: 0 })),
  ];
  const rows = sent.map((each): OracleRow => {
    const values = new Map(Object.entries(each) as [string, PlainValue][]);
    const present = new Map<string, string | bigint | readonly string[]>();
    for (const column of columns) {
      const value = values.get(column.name);
      if (value === null || value === undefined) continue;
      present.set(column.name, typeof value === "number" ? BigInt(value) : value);
    }
    return { timeMs: Number(values.get("time")), values: present };
  });
  const lines = sent.map((each) => JSON.stringify(each));
  return { oracle: { name, columns, rows }, lines, time: "time" };
}

function orMissing(text: string | undefined): string | null {
  return text === undefined || text === "-" ? null : text;
}
