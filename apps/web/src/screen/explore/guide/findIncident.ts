import type { Filter, HadalClient, Result } from "@hadal/sdk";

/** A time span in which a service failed more often than usual, and what the failures share. */
export interface Incident {
  readonly service: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly version: string;
  readonly country: string;
  /** Share of the failed requests that have this version and this country. */
  readonly share: number;
  /** The message that most of them have. */
  readonly message: string;
}

/** The demo starts an incident every 48 minutes; its last four hours have many rows. */
const lookBack = "-4h";
const minuteMs = 60_000;
/** A minute is high from this multiple of the service's median minute. */
const timesUsual = 4;
const failedMin = 8;

export const failed: Filter = { column: "status", op: ">=", value: 500 };
export const causeFilters = (
  incident: Pick<Incident, "service" | "version" | "country">,
): readonly Filter[] => [
  { column: "service", op: "=", value: incident.service },
  { column: "app_version", op: "=", value: incident.version },
  { column: "country", op: "=", value: incident.country },
];

/** The newest incident; null when the last hours have none. */
export async function findIncident(client: HadalClient, table: string): Promise<Incident | null> {
  const minutes = await client.query({
    ...{ table, from: lookBack, to: "now", filter: [failed], limit: 10_000 },
    groupBy: [{ time: "1m" }, "service"],
    aggregates: [{ fn: "count.raw", as: "failed" }],
  });
  const found = newestOf(minutes);
  if (found === null) return null;
  const filter: Filter[] = [failed, { column: "service", op: "=", value: found.service }];
  const range = { table, from: found.fromMs, to: found.toMs };
  const groups = await client.query({
    ...{ ...range, filter, groupBy: ["app_version", "country"] },
    aggregates: [{ fn: "count.raw", as: "failed" }],
    orderBy: [{ by: "failed", desc: true }],
  });
  const [version, country, count] = groups.rows[0] ?? [];
  const all = groups.rows.reduce((sum, row) => sum + Number(row[2]), 0);
  const cause = { ...found, version: String(version), country: String(country) };
  const { rows } = await client.query({
    ...{ ...range, filter: [failed, ...causeFilters(cause)], limit: messagesRead },
    sampleView: { columns: ["message"] },
  });
  const message = commonMessage(rows.map((row) => String(row[1] ?? "")));
  return { ...cause, share: Number(count) / all, message };
}

/** Messages read to find the most common one. */
const messagesRead = 200;

/** The most common message, compared without numbers, the leading address and the request id. */
export function commonMessage(messages: readonly string[]): string {
  const known = new Map<string, { readonly text: string; count: number }>();
  for (const message of messages) {
    const text = message.replace(/^[^:]*: /, "").replace(/,? req=\w+$/, "");
    const pattern = text.replace(/\d+/g, "#");
    const said = known.get(pattern) ?? { text, count: 0 };
    said.count++;
    known.set(pattern, said);
  }
  return [...known.values()].sort((one, other) => other.count - one.count)[0]?.text ?? "";
}

type Span = Pick<Incident, "service" | "fromMs" | "toMs">;

/** The newest run of minutes in which a service failed far more often than usual. */
export function newestOf({ rows, asOf }: Pick<Result, "rows" | "asOf">): Span | null {
  const services = new Map<string, { readonly ms: number; readonly failed: number }[]>();
  for (const [time, service, count] of rows) {
    const name = String(service);
    const minute = { ms: Number(time), failed: Number(count) };
    services.set(name, [...(services.get(name) ?? []), minute]);
  }
  let newest: Span | null = null;
  for (const [service, minutes] of services) {
    const span = newestSpan(minutes);
    if (span !== null && (newest === null || span.toMs > newest.toMs))
      newest = { service, ...span };
  }
  // A current incident ends now.
  return newest === null ? null : { ...newest, toMs: Math.min(newest.toMs, asOf) };
}

function newestSpan(
  minutes: readonly { readonly ms: number; readonly failed: number }[],
): Omit<Span, "service"> | null {
  const counts = minutes.map(({ failed: count }) => count).sort((a, b) => a - b);
  const usual = counts[Math.floor(counts.length / 2)] ?? 0;
  const least = Math.max(failedMin, timesUsual * usual);
  const high = minutes.filter(({ failed: count }) => count >= least).sort((a, b) => b.ms - a.ms);
  const [last] = high;
  if (last === undefined) return null;
  let fromMs = last.ms;
  // One lower minute within the run is chance.
  for (const { ms } of high) if (fromMs - ms <= 2 * minuteMs) fromMs = ms;
  return { fromMs, toMs: last.ms + minuteMs };
}
