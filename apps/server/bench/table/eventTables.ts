import { type BenchTable, chance, coded, hash32, ints, timesOf } from "./benchTable.js";

const serviceCount = 200;
const endpointsPerService = 25;
const userCount = 1_000_000;
const statuses = [
  200, 200, 200, 200, 200, 201, 204, 301, 304, 400, 401, 403, 404, 500, 503,
] as const;

/** Requests that each stand for themselves, with a sparse 32-bit id. */
export const events: BenchTable = {
  name: "events",
  lists: [],
  rowCount: (total) => total,
  rows: (first, count, rowCount) => {
    const numbers = generateEvents(first, count);
    const { session } = numbers;
    const columns = [...columnsOf(numbers), ints("session", session)];
    return { rowCount: count, times: timesOf(first, count, rowCount), columns };
  },
};

/** The columns of KERNEL's table, to the letter: the same requests, some of which stand for ten. */
export const sampledEvents: BenchTable = {
  name: "sampled_events",
  lists: [],
  rowCount: (total) => total,
  rows: (first, count, rowCount) => {
    const numbers = generateEvents(first, count);
    const columns = [...columnsOf(numbers), ints("sample_rate", numbers.sampleRate)];
    return { rowCount: count, times: timesOf(first, count, rowCount), columns };
  },
};

export function serviceName(service: number): string {
  return `service-${String(service).padStart(3, "0")}`;
}

export function endpointName(endpoint: number): string {
  return `/api/v${(endpoint % 3) + 1}/resource-${endpoint}`;
}

/** Columns of requests as plain numbers. */
export interface EventNumbers {
  readonly service: Int32Array;
  readonly endpoint: Int32Array;
  readonly status: Int32Array;
  readonly latencyUs: Int32Array;
  readonly bytes: Int32Array;
  readonly userId: Int32Array;
  /** The user's id, scattered. */
  readonly session: Int32Array;
  readonly sampleRate: Int32Array;
}

export function generateEvents(first: number, count: number): EventNumbers {
  const column = () => new Int32Array(count);
  const numbers: EventNumbers = {
    ...{ service: column(), endpoint: column(), status: column(), latencyUs: column() },
    ...{ bytes: column(), userId: column(), session: column(), sampleRate: column() },
  };
  for (let i = 0; i < count; i++) fillEvent(numbers, i, first + i);
  return numbers;
}

/** Squares and cubes make some values common and most rare, as they are. */
function fillEvent(numbers: EventNumbers, i: number, row: number): void {
  const service = Math.floor(serviceCount * chance(row, 1) ** 2);
  numbers.service[i] = service;
  numbers.endpoint[i] =
    service * endpointsPerService + Math.floor(endpointsPerService * chance(row, 2) ** 2);
  numbers.status[i] = statuses[Math.floor(statuses.length * chance(row, 3))] ?? 200;
  const spread = 8 * chance(row, 4) * chance(row, 5) + 0.5 * chance(row, 6);
  numbers.latencyUs[i] = Math.floor(200 * Math.exp(spread));
  numbers.bytes[i] = Math.floor(60_000 * chance(row, 7) ** 3);
  const user = Math.floor(userCount * chance(row, 8) ** 3);
  numbers.userId[i] = user;
  numbers.session[i] = hash32(user + 77) >>> 1;
  numbers.sampleRate[i] = chance(row, 9) < 0.8 ? 1 : 10;
}

function columnsOf(numbers: EventNumbers) {
  return [
    coded("service", numbers.service, serviceName),
    coded("endpoint", numbers.endpoint, endpointName),
    ints("status", numbers.status),
    ints("latency_us", numbers.latencyUs),
    ints("bytes", numbers.bytes),
    ints("user_id", numbers.userId),
  ];
}
