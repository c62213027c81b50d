import type { Result, ResultValue } from "@hadal/sdk";
import {
  batchName,
  bitRowsMax,
  bitsOf,
  isIn,
  type Oracle,
  type OracleRow,
  partRowsMax,
  type RowRange,
  type SentBatch,
} from "./oracle.js";

/** How a query groups, and so how its answer is compared with the oracle. */
export type QuestionKind = "batches" | "minutes" | "total" | "rows";

export interface Asked {
  readonly kind: QuestionKind;
  readonly range: RowRange;
  /** On the clock of the world. */
  readonly askedMs: number;
  /** The process of the gateway. */
  readonly gateway: object;
}

/** Invariants that an answer may break, with the reason. */
export type OnBreach = (invariant: string, text: string) => void;

/** The rows behind an answer, by the names of their batches. */
export type SeenRows = ReadonlyMap<string, ReadonlySet<OracleRow>>;

export const minuteMs = 60_000;

interface Checked {
  readonly asked: Asked;
  readonly oracle: Oracle;
  readonly onBreach: OnBreach;
}

/**
 * I3, I4, I6, I7: every number is that of rows which were sent, no batch is there in part, and
 * completeness is not too high. Null: it cannot be said which rows are behind the answer.
 */
export function checkAnswer(result: Result, checked: Checked): SeenRows | null {
  const seen = seenRows(result, checked);
  if (seen === null) return null;
  for (const name of seen.keys()) checkName(name, checked);
  checkParts(result, seen, checked);
  checkCompleteness(result, seen, checked);
  return seen;
}

function seenRows(result: Result, checked: Checked): SeenRows | null {
  if (checked.asked.kind === "total") return rowsOfTotal(result, checked);
  if (checked.asked.kind === "rows") return rowsOfRows(result, checked);
  return rowsOfGroups(result, checked);
}

/** Each group has the sum of its rows' places, which says what these rows are. */
function rowsOfGroups(result: Result, { asked, oracle, onBreach }: Checked): SeenRows | null {
  const seen = new Map<string, Set<OracleRow>>();
  const at = columnsOf(result);
  for (const row of result.rows) {
    const name = String(row[at("batch")]);
    const minute = asked.kind === "minutes" ? Number(row[at("time")]) : null;
    const sent = oracle
      .rowsOf(name, asked.range)
      .filter(({ timeMs }) => minute === null || minuteOf(timeMs) === minute);
    const count = Number(row[at("count")]);
    const places = Number(row[at("sum_place")]);
    const where = minute === null ? name : `${name} in minute ${minute}`;
    const found = sent.filter(({ n }) => places & (1 << n));
    if (count !== found.length || places !== sumOf(found.map(({ n }) => 1 << n))) {
      const text = `${where} has ${count} rows (${places.toString(2)}) in an answer`;
      onBreach("I7", `${text}, ${sent.length} were sent`);
      return null;
    }
    checkNumbers(row, at, { where, found, onBreach });
    seen.set(name, new Set([...(seen.get(name) ?? []), ...found]));
  }
  return seen;
}

interface FoundNumbers {
  readonly where: string;
  readonly found: readonly OracleRow[];
  readonly onBreach: OnBreach;
}

function checkNumbers(
  row: readonly ResultValue[],
  at: (name: string) => number,
  { where, found, onBreach }: FoundNumbers,
): void {
  const values = found.map(({ v }) => v);
  const wanted = { sum_v: sumOf(values), min_v: Math.min(...values), max_v: Math.max(...values) };
  for (const [name, value] of Object.entries(wanted)) {
    const number = Number(row[at(name)]);
    if (number !== value) onBreach("I4", `${name} of ${where} is ${number}, not ${value}`);
  }
}

/** The sums of bits say which rows an ungrouped answer is based on. */
function rowsOfTotal(result: Result, { asked, oracle, onBreach }: Checked): SeenRows | null {
  const at = columnsOf(result);
  const [row] = result.rows;
  if (oracle.rowCount > bitRowsMax || row === undefined) return null;
  const [low, high] = ["sum_bit", "sum_high"].map((name) => BigInt(String(row[at(name)] ?? 0)));
  const seen = new Map<string, Set<OracleRow>>();
  for (const batch of oracle.batches) {
    const found = batch.rows.filter((one) => {
      const [bit, highBit] = bitsOf(one);
      return isIn(one, asked.range) && ((low! & bit) !== 0n || (high! & highBit) !== 0n);
    });
    if (found.length > 0) seen.set(batchName(batch), new Set(found));
  }
  const rows = [...seen.values()].flatMap((some) => [...some]);
  const count = Number(row[at("count")]);
  const sum = Number(row[at("sum_v")] ?? 0);
  const wanted = sumOf(rows.map(({ v }) => v));
  if (count !== rows.length || sum !== wanted) {
    const text = `a total of ${count} rows and ${sum}, whose bits are of ${rows.length} and ${wanted}`;
    onBreach(count > rows.length ? "I7" : "I4", text);
    return null;
  }
  return seen;
}

function rowsOfRows(result: Result, { asked, oracle, onBreach }: Checked): SeenRows {
  const at = columnsOf(result);
  const seen = new Map<string, Set<OracleRow>>();
  for (const row of result.rows) {
    const name = String(row[at("batch")]);
    const n = Math.log2(Number(row[at("place")]));
    const id = `${name} ${n}`;
    const ofBatch = seen.get(name) ?? new Set();
    seen.set(name, ofBatch);
    const sent = oracle.rowsOf(name, asked.range).find((one) => one.n === n);
    if (sent === undefined) {
      if (!oracle.forbidden.has(name)) onBreach("I4", `row ${id} was not sent`);
      continue;
    }
    if (ofBatch.has(sent)) onBreach("I2", `row ${id} is there twice`);
    ofBatch.add(sent);
    if (Number(row[at("v")]) !== sent.v || Number(row[at("time")]) !== sent.timeMs)
      onBreach("I4", `row ${id} is ${row.join()}, not ${sent.v} at ${sent.timeMs}`);
  }
  return seen;
}

function checkName(name: string, { oracle, onBreach }: Checked): void {
  const batch = oracle.find(name);
  if (oracle.forbidden.has(name)) onBreach("I3", `rows of ${name} were refused, and are there`);
  else if (batch === undefined) onBreach("I4", `no batch ${name} was sent`);
  else if (batch.possible === 0)
    onBreach("I3", `nothing of ${name} was stored, as its sender was answered, and it is there`);
}

/**
 * What is not there of a batch is on leaves that are missing, or for which a copy has answered that
 * has not got it yet: then its rows count as missing. Rows that may be lost are where a leaf has lost
 * them. One part is on one leaf.
 */
function checkParts({ completeness }: Result, seen: SeenRows, checked: Checked): void {
  const { asked, oracle, onBreach } = checked;
  const { known, rowsExpected = 0, rowsAnswered = 0, leaves } = completeness;
  const missedRows = rowsExpected - rowsAnswered;
  for (const [name, found] of seen) {
    const batch = oracle.find(name);
    const whole = oracle.rowsOf(name, asked.range).length;
    if (batch === undefined || found.size === whole) continue;
    const ofTable = batch.rows.filter(({ table }) => table === asked.range.table);
    const isOfCopy = oracle.areCopied && missedRows >= whole - found.size;
    // Of an answer that does not know what it lacks nothing more is promised.
    const isMissing = known === false || leaves.missing.length > 0 || isOfCopy;
    const mayBeInPart = ofTable.length > partRowsMax && (isMissing || batch.mayBeLost);
    if (!mayBeInPart) onBreach("I3", `${name} has ${found.size} of its ${whole} rows in an answer`);
  }
}

function checkCompleteness(
  { completeness }: Result,
  seen: SeenRows,
  { asked, oracle, onBreach }: Checked,
): void {
  const { range, askedMs, gateway } = asked;
  const { fraction, known, rowsExpected = 0, rowsAnswered = 0, leaves } = completeness;
  if (known === false) {
    if (fraction !== 0) onBreach("I4", `an unknown completeness is ${fraction}`);
    return;
  }
  const certain = oracle.batches.filter(({ mayBeLost }) => !mayBeLost);
  const before = certain.filter(
    (batch) => visibleSince(batch, gateway) < askedMs && batch.rows.some((row) => isIn(row, range)),
  );
  const publishedMs = askedMs - oracle.unpublishedMsMax;
  const published = before.filter((batch) => visibleSince(batch, gateway) < publishedMs);
  // Their other rows are expected in the same moment.
  const inPart =
    oracle.unpublishedMsMax > 0 ? [] : certain.filter((batch) => seen.has(batchName(batch)));
  const rowsIn = (batches: Iterable<SentBatch>): OracleRow[] =>
    [...batches].flatMap(({ rows }) => rows.filter((row) => isIn(row, range)));
  const unseenIn = (batches: Iterable<SentBatch>): OracleRow[] =>
    [...batches].flatMap((batch) => {
      const found = seen.get(batchName(batch));
      return rowsIn([batch]).filter((row) => found?.has(row) !== true);
    });
  const due = rowsIn(published).length;
  const missed = unseenIn(new Set([...published, ...inPart])).length;
  const seenCount = sumOf([...seen.values()].map(({ size }) => size));
  const missedRows = rowsExpected - rowsAnswered;
  const lacking = before.filter((batch) => unseenIn([batch]).length > 0);
  const names = `${lacking.map(batchName).join()}; missing: ${leaves.missing.join()}`;
  if (rowsAnswered > seenCount)
    onBreach("I4", `completeness counts ${rowsAnswered} rows, the answer has ${seenCount}`);
  if (rowsExpected < due)
    onBreach("I4", `completeness expects ${rowsExpected} rows, ${due} were acknowledged`);
  if (missedRows < missed)
    onBreach("I4", `completeness misses ${missedRows} rows, the answer ${missed}: ${names}`);
  if (fraction > 1 || (rowsExpected > 0 && fraction !== rowsAnswered / rowsExpected))
    onBreach("I4", `completeness is ${fraction}: ${rowsAnswered} of ${rowsExpected} rows`);
  if (fraction === 1 && leaves.missing.length === 0 && lacking.length > 0)
    onBreach("I6", `an answer said to be whole lacks visible rows: ${names}`);
}

/**
 * Since when a gateway shows a batch: since its sender was answered, or since it has shown rows of it
 * in any of its tables.
 */
function visibleSince(batch: SentBatch, gateway: object): number {
  const isShared = batch.isOfTables && batch.ack !== "received";
  const shownMs = isShared ? batch.shown.get(gateway) : undefined;
  return Math.min(batch.acknowledgedMs, shownMs ?? Number.POSITIVE_INFINITY);
}

const minuteOf = (ms: number): number => Math.floor(ms / minuteMs) * minuteMs;

const sumOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0);

function columnsOf({ columns }: Result): (name: string) => number {
  const places = new Map(columns.map(({ name }, i) => [name, i]));
  return (name) => {
    const place = places.get(name);
    if (place === undefined) throw new Error(`an answer has no column ${name}`);
    return place;
  };
}
