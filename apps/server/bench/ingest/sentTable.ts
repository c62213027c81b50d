import { chance, startMs } from "../table/benchTable.js";
import { endpointName, generateEvents, serviceName } from "../table/eventTables.js";

/** One column of rows that are sent, as JavaScript values. */
export type SentColumn =
  | { readonly name: string; readonly type: "int"; readonly values: ArrayLike<number> }
  | { readonly name: string; readonly type: "string"; readonly values: readonly string[] };

/** A table that is sent to Hadal, and read by its peers from a file of lines of JSON. */
export interface SentTable {
  readonly name: string;
  readonly rowCount: number;
  /** Rows in one request. */
  readonly bodyRows: number;
  /** Rows [first, first + count); the first column is the time. */
  columns(first: number, count: number): readonly SentColumn[];
}

const regions = ["eu-central-1", "eu-west-1", "us-east-1", "us-west-2", "ap-south-1"];
const hostsPerService = 10;
const methods = ["GET", "GET", "GET", "POST", "PUT", "DELETE"];

/** Requests of a web service: ten columns, some 230 bytes of JSON a row. */
const requests: SentTable = {
  name: "requests",
  rowCount: 2_000_000,
  bodyRows: 40_000,
  columns(first, count) {
    const { service, endpoint, status, latencyUs, bytes, userId } = generateEvents(first, count);
    const hosts = service.map(
      (each, i) => each * hostsPerService + Math.floor(hostsPerService * chance(first + i, 12)),
    );
    const texts = (print: (i: number) => string): string[] =>
      Array.from({ length: count }, (_, i) => print(i));
    return [
      timeColumn(first, count),
      { name: "service", type: "string", values: Array.from(service, serviceName) },
      { name: "endpoint", type: "string", values: Array.from(endpoint, endpointName) },
      {
        ...{ name: "method", type: "string" },
        values: texts((i) => pick(methods, chance(first + i, 10))),
      },
      { name: "status", type: "int", values: status },
      { name: "latency_us", type: "int", values: latencyUs },
      { name: "bytes", type: "int", values: bytes },
      { name: "user_id", type: "int", values: userId },
      { name: "region", type: "string", values: Array.from(hosts, regionOf) },
      {
        ...{ name: "host", type: "string" },
        values: Array.from(hosts, (host) => `web-${host}.${regionOf(host)}.example.com`),
      },
    ];
  },
};

/** Rows of 40 bytes: a time and two values of a sensor. */
const readings: SentTable = {
  name: "readings",
  rowCount: 4_000_000,
  bodyRows: 100_000,
  columns: (first, count) => [
    timeColumn(first, count),
    { name: "s", type: "int", values: drawn(first, count, 1, 100) },
    { name: "v", type: "int", values: drawn(first, count, 2, 10_000) },
  ],
};

const wideColumns = 99;

/** Rows of 100 columns: two thirds are numbers. */
const wide: SentTable = {
  name: "wide",
  rowCount: 200_000,
  bodyRows: 8_000,
  columns: (first, count) => [
    timeColumn(first, count),
    ...Array.from({ length: wideColumns }, (_, column): SentColumn => {
      const numbers = drawn(first * wideColumns + column, count, column % 16, 1_000);
      return column % 3 === 0
        ? {
            name: `text_${column}`,
            type: "string",
            values: Array.from(numbers, (n) => `value-${n}`),
          }
        : { name: `number_${column}`, type: "int", values: numbers };
    }),
  ],
};

export const sentTables: readonly SentTable[] = [requests, readings, wide];

export function printLines(table: SentTable, first: number, count: number): string {
  const columns = table.columns(first, count).map(({ name, type, values }) => ({
    start: `${JSON.stringify(name)}:`,
    print: (i: number) => (type === "int" ? String(values[i]) : JSON.stringify(values[i])),
  }));
  let lines = "";
  for (let i = 0; i < count; i++)
    lines += `{${columns.map(({ start, print }) => start + print(i)).join(",")}}\n`;
  return lines;
}

function timeColumn(first: number, count: number): SentColumn {
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) values[i] = startMs + (first + i) * 20;
  return { name: "time", type: "int", values };
}

function drawn(first: number, count: number, salt: number, end: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => Math.floor(end * chance(first + i, salt)));
}

const regionOf = (host: number): string => regions[host % regions.length] ?? "";

function pick(values: readonly string[], share: number): string {
  return values[Math.floor(values.length * share)] ?? "";
}
