import type { BatchColumn, RowBatch } from "../src/base/rowBatch.js";

/** 29 hours, as the Scuba paper's second query scans. */
export const rangeMs = 29 * 3_600_000;
export const startMs = Date.UTC(2025, 5, 21);
export const endMs = startMs + rangeMs;

const serviceCount = 200;
const endpointsPerService = 25;
const userCount = 1_000_000;
const statuses = [
  200, 200, 200, 200, 200, 201, 204, 301, 304, 400, 401, 403, 404, 500, 503,
] as const;
/** Times are nearly in order: at most so far apart from it. */
const jitterMs = 3_000;

export const tableNames = { plain: "events", weighted: "sampled_events" } as const;

/** Rows [first, first + count) as plain arrays; each row depends on its number alone. */
export interface BenchRows {
  readonly count: number;
  readonly time: Float64Array;
  readonly service: Uint32Array;
  readonly endpoint: Uint32Array;
  readonly status: Int32Array;
  readonly latencyUs: Int32Array;
  readonly bytes: Int32Array;
  readonly userId: Int32Array;
  /** A sparse 32-bit id: the user's, scattered. */
  readonly session: Uint32Array;
  readonly sampleRate: Int32Array;
}

function serviceName(service: number): string {
  return `service-${String(service).padStart(3, "0")}`;
}

function endpointName(endpoint: number): string {
  return `/api/v${(endpoint % 3) + 1}/resource-${endpoint}`;
}

export function serviceOf(rows: BenchRows, i: number): string {
  return serviceName(rows.service[i] ?? 0);
}

export function endpointOf(rows: BenchRows, i: number): string {
  return endpointName(rows.endpoint[i] ?? 0);
}

export function generateRows(first: number, count: number, total: number): BenchRows {
  const rows: BenchRows = {
    count,
    time: new Float64Array(count),
    service: new Uint32Array(count),
    endpoint: new Uint32Array(count),
    status: new Int32Array(count),
    latencyUs: new Int32Array(count),
    bytes: new Int32Array(count),
    userId: new Int32Array(count),
    session: new Uint32Array(count),
    sampleRate: new Int32Array(count),
  };
  for (let i = 0; i < count; i++) fillRow(rows, i, first + i, total);
  return rows;
}

function fillRow(rows: BenchRows, i: number, row: number, total: number): void {
  const chance = (salt: number) => hash32(row * 16 + salt) / 2 ** 32;
  const order = startMs + (row / total) * (rangeMs - 2 * jitterMs) + jitterMs;
  rows.time[i] = Math.floor(order + (chance(0) - 0.5) * 2 * jitterMs);
  // Squares and cubes make some values common and most rare, as they are.
  const service = Math.floor(serviceCount * chance(1) ** 2);
  rows.service[i] = service;
  rows.endpoint[i] =
    service * endpointsPerService + Math.floor(endpointsPerService * chance(2) ** 2);
  rows.status[i] = statuses[Math.floor(statuses.length * chance(3))] ?? 200;
  rows.latencyUs[i] = Math.floor(200 * Math.exp(8 * chance(4) * chance(5) + 0.5 * chance(6)));
  rows.bytes[i] = Math.floor(60_000 * chance(7) ** 3);
  const user = Math.floor(userCount * chance(8) ** 3);
  rows.userId[i] = user;
  rows.session[i] = hash32(user + 77) >>> 1;
  rows.sampleRate[i] = chance(9) < 0.8 ? 1 : 10;
}

/** A full-avalanche mix of 32 bits (lowbias32 by Chris Wellons). */
function hash32(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

/** As the leaves take them. The weighted table has few columns, the plain one has no sample rate. */
export function rowsAsBatch(rows: BenchRows, table: keyof typeof tableNames): RowBatch {
  const plain = [
    coded("service", rows.service, serviceName),
    coded("endpoint", rows.endpoint, endpointName),
    int("status", rows.status),
    int("latency_us", rows.latencyUs),
    int("bytes", rows.bytes),
    int("user_id", rows.userId),
  ];
  const weighted = [
    coded("service", rows.service, serviceName),
    int("latency_us", rows.latencyUs),
    int("bytes", rows.bytes),
    int("session", rows.session),
    int("sample_rate", rows.sampleRate),
  ];
  return {
    rowCount: rows.count,
    times: rows.time,
    columns: table === "plain" ? plain : weighted,
  };
}

function int(name: string, numbers: ArrayLike<number>): BatchColumn {
  const values = new BigInt64Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) values[i] = BigInt(numbers[i]!);
  return { name, type: "int", decimals: 0, values, present: null };
}

/** A dictionary of the values that occur, as a parsed batch has it. */
function coded(name: string, numbers: Uint32Array, print: (number: number) => string): BatchColumn {
  const codeOf = new Map<number, number>();
  const dictionary: string[] = [];
  const codes = numbers.map((number) => {
    const known = codeOf.get(number);
    if (known !== undefined) return known;
    dictionary.push(print(number));
    codeOf.set(number, dictionary.length);
    return dictionary.length;
  });
  return { name, type: "string", dictionary, codes };
}
