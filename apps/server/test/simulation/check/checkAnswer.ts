import type { Result, ResultValue } from "@hadal/sdk";
import {
  batchName,
  bitBatchesMax,
  isIn,
  type Oracle,
  type OracleRow,
  type SentBatch,
  type TimeRange,
} from "./oracle.js";

/** How a query groups, and so how its answer is compared with the oracle. */
export type QuestionKind = "batches" | "minutes" | "total" | "rows";

export interface Asked {
  readonly kind: QuestionKind;
  readonly range: TimeRange;
  /** On the clock of the world. */
  readonly askedMs: number;
}

/** Invariants that an answer may break, with the reason. */
export type OnBreach = (invariant: string, text: string) => void;

export const minuteMs = 60_000;

/** I4, I6, I7: every number is that of rows which were sent, and completeness is not too high. */
export function checkAnswer(
  result: Result,
  asked: Asked,
  oracle: Oracle,
  onBreach: OnBreach,
): readonly string[] {
  const seen = seenBatches(result, asked, oracle, onBreach);
  if (seen === null) return [];
  checkCompleteness(result, asked, { oracle, seen, onBreach });
  return [...seen.keys()];
}

/** The batches behind an answer, with their rows in the range; null: it cannot be said which. */
function seenBatches(
  result: Result,
  asked: Asked,
  oracle: Oracle,
  onBreach: OnBreach,
): ReadonlyMap<string, number> | null {
  if (asked.kind === "total") return batchesOfTotal(result, asked, oracle, onBreach);
  if (asked.kind === "rows") return batchesOfRows(result, asked, oracle, onBreach);
  const seen = new Map<string, number>();
  const at = columnsOf(result);
  for (const row of result.rows) {
    const name = String(row[at("batch")]);
    const minute = asked.kind === "minutes" ? Number(row[at("time")]) : null;
    const expected = rowsOf(oracle, name, asked.range).filter(
      ({ timeMs }) => minute === null || Math.floor(timeMs / minuteMs) * minuteMs === minute,
    );
    const count = Number(row[at("count")]);
    checkName(name, oracle, onBreach);
    const where = minute === null ? name : `${name} in minute ${minute}`;
    if (count > expected.length) {
      onBreach("I7", `${where} has ${count} rows in an answer, ${expected.length} were sent`);
      return null;
    }
    checkNumbers(row, at, { where, expected, onBreach });
    seen.set(name, (seen.get(name) ?? 0) + count);
  }
  for (const [name, count] of seen) {
    const whole = rowsOf(oracle, name, asked.range).length;
    if (count !== whole) onBreach("I3", `${name} has ${count} of its ${whole} rows in an answer`);
  }
  return seen;
}

interface ExpectedNumbers {
  readonly where: string;
  readonly expected: readonly OracleRow[];
  readonly onBreach: OnBreach;
}

function checkNumbers(
  row: readonly ResultValue[],
  at: (name: string) => number,
  { where, expected, onBreach }: ExpectedNumbers,
): void {
  if (Number(row[at("count")]) !== expected.length) return;
  const values = expected.map(({ v }) => v);
  const wanted = {
    sum_v: values.reduce((sum, v) => sum + v, 0),
    min_v: Math.min(...values),
    max_v: Math.max(...values),
  };
  for (const [name, value] of Object.entries(wanted)) {
    const found = Number(row[at(name)]);
    if (found !== value) onBreach("I4", `${name} of ${where} is ${found}, not ${value}`);
  }
}

/** The sum of bits says which batches an ungrouped answer is based on. */
function batchesOfTotal(
  result: Result,
  { range }: Asked,
  oracle: Oracle,
  onBreach: OnBreach,
): ReadonlyMap<string, number> | null {
  const at = columnsOf(result);
  const [row] = result.rows;
  if (oracle.batches.length > bitBatchesMax || row === undefined) return null;
  const bits = BigInt(String(row[at("sum_bit")] ?? 0));
  const behind = oracle.batches.filter(({ number }) => (bits >> BigInt(number)) & 1n);
  const rows = behind.flatMap((batch) => batch.rows.filter((one) => isIn(one, range)));
  const count = Number(row[at("count")]);
  const sum = Number(row[at("sum_v")] ?? 0);
  const wanted = rows.reduce((total, { v }) => total + v, 0);
  if (count !== rows.length || sum !== wanted) {
    const text = `a total of ${count} rows and ${sum}, whose batches have ${rows.length} and ${wanted}`;
    onBreach(count > rows.length ? "I7" : "I4", text);
    return null;
  }
  return new Map(
    behind.map((batch) => [
      `b${batch.number}`,
      batch.rows.filter((one) => isIn(one, range)).length,
    ]),
  );
}

function batchesOfRows(
  result: Result,
  { range }: Asked,
  oracle: Oracle,
  onBreach: OnBreach,
): ReadonlyMap<string, number> | null {
  const at = columnsOf(result);
  const ids = new Set<string>();
  const seen = new Map<string, number>();
  for (const row of result.rows) {
    const name = String(row[at("batch")]);
    const id = `${name} ${row[at("n")]}`;
    checkName(name, oracle, onBreach);
    if (ids.has(id)) onBreach("I2", `row ${id} is there twice`);
    ids.add(id);
    const sent = oracle.find(name)?.rows[Number(row[at("n")])];
    if (
      sent !== undefined &&
      (Number(row[at("v")]) !== sent.v || Number(row[at("time")]) !== sent.timeMs)
    )
      onBreach("I4", `row ${id} is ${row.join()}, not ${sent.v} at ${sent.timeMs}`);
    seen.set(name, (seen.get(name) ?? 0) + 1);
  }
  for (const [name, count] of seen) {
    const whole = rowsOf(oracle, name, range).length;
    if (count !== whole) onBreach("I3", `${name} has ${count} of its ${whole} rows`);
  }
  return seen;
}

function checkName(name: string, oracle: Oracle, onBreach: OnBreach): void {
  if (oracle.forbidden.has(name)) onBreach("I3", `rows of ${name} were refused, and are there`);
  else if (oracle.find(name) === undefined) onBreach("I4", `no batch ${name} was sent`);
}

interface SeenRows {
  readonly oracle: Oracle;
  readonly seen: ReadonlyMap<string, number>;
  readonly onBreach: OnBreach;
}

function checkCompleteness(
  { completeness }: Result,
  { range, askedMs }: Asked,
  { oracle, seen, onBreach }: SeenRows,
): void {
  const { fraction, known, rowsExpected = 0, rowsAnswered = 0, leaves } = completeness;
  if (known === false) {
    if (fraction !== 0) onBreach("I4", `an unknown completeness is ${fraction}`);
    return;
  }
  const rowsIn = (batches: readonly SentBatch[]): number =>
    batches.reduce((sum, { rows }) => sum + rows.filter((one) => isIn(one, range)).length, 0);
  const before = oracle.acknowledged(askedMs, range).filter(({ mayBeLost }) => !mayBeLost);
  const publishedMs = askedMs - oracle.unpublishedMsMax;
  const due = rowsIn(before.filter(({ acknowledgedMs }) => acknowledgedMs < publishedMs));
  const lacking = before.filter((batch) => !seen.has(batchName(batch)));
  const seenRows = [...seen.values()].reduce((sum, rows) => sum + rows, 0);
  const missedRows = rowsExpected - rowsAnswered;
  const names = `${lacking.map(batchName).join()}; missing: ${leaves.missing.join()}`;
  if (rowsAnswered > seenRows)
    onBreach("I4", `completeness counts ${rowsAnswered} rows, the answer has ${seenRows}`);
  if (rowsExpected < due)
    onBreach("I4", `completeness expects ${rowsExpected} rows, ${due} were acknowledged`);
  const missed = lacking.filter(({ acknowledgedMs }) => acknowledgedMs < publishedMs);
  if (missedRows < rowsIn(missed)) {
    const text = `completeness misses ${missedRows} rows, the answer ${rowsIn(missed)}: ${names}`;
    onBreach("I4", text);
  }
  if (fraction > 1 || (rowsExpected > 0 && fraction !== rowsAnswered / rowsExpected))
    onBreach("I4", `completeness is ${fraction}: ${rowsAnswered} of ${rowsExpected} rows`);
  if (fraction === 1 && leaves.missing.length === 0 && lacking.length > 0)
    onBreach("I6", `an answer said to be whole lacks acknowledged rows: ${names}`);
}

function rowsOf(oracle: Oracle, name: string, range: TimeRange): readonly OracleRow[] {
  return (oracle.find(name)?.rows ?? []).filter((row) => isIn(row, range));
}

function columnsOf({ columns }: Result): (name: string) => number {
  const places = new Map(columns.map(({ name }, i) => [name, i]));
  return (name) => {
    const place = places.get(name);
    if (place === undefined) throw new Error(`an answer has no column ${name}`);
    return place;
  };
}
