import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type {
  CopySource,
  LogPosition,
  SegmentForm,
  TableShape,
} from "../../base/copy/copySource.js";
import { logPath } from "../file/segmentFiles.js";
import { readRecords } from "../log/rowRecords.js";
import type { Table } from "../table/table.js";

/** What of a log is asked for at once, unless a single record is longer. */
const partBytes = 8 * 2 ** 20;
/** A record is at most as long as a frame between members. */
const partBytesMax = 256 * 2 ** 20;

export interface CopyTableOptions {
  readonly shape: TableShape;
  readonly source: Pick<CopySource, "segment" | "log" | "logHash">;
  /** The begun log is compared with the source's before it grows. */
  readonly isLogChecked: boolean;
}

/**
 * Brings a copy of a table to the shape of its source. Resolves with whether it got there: the source
 * may have gone on meanwhile, or the rest has to come as a file that is not written yet.
 */
export async function copyTable(table: Table, options: CopyTableOptions): Promise<boolean> {
  const { shape } = options;
  const { copy } = table;
  await copy.startFile(shape);
  await dropOthers(table, shape);
  if (!(await takeSegments(table, options))) return false;
  await copy.saveFile(shape);
  const isClosed = new Set(shape.closedLogs.map(({ generation }) => generation));
  const whole = [...shape.closedLogs, ...(shape.waiting ?? [])];
  for (const log of whole.sort((a, b) => a.generation - b.generation)) {
    const { generation } = log;
    if (copy.sealed.some(([one]) => one === generation)) continue;
    if (copy.waiting.some((one) => one.generation === generation)) {
      if (isClosed.has(generation) && !(await copy.sealWaiting(generation))) return false;
      continue;
    }
    if (!(await takeLog(table, log, options))) return false;
    if (isClosed.has(generation)) await copy.sealOpen();
    else if (!(await copy.waitOpen())) return false;
  }
  if (!(await takeLog(table, shape.open, options))) return false;
  return copy.showOpen();
}

/**
 * Drops what the source has no longer, or has in other parts. An unsound source may have lost what
 * its copy has: nothing is dropped then.
 */
async function dropOthers({ copy }: Table, shape: TableShape): Promise<void> {
  const kept = new Set([
    ...shape.segments.map(([generation]) => generation),
    ...shape.unwritten,
    ...shape.closedLogs.map(({ generation }) => generation),
  ]);
  const open = [shape.open, ...(shape.waiting ?? [])].map((log) => log.generation);
  const isGone = ([generation, first]: SegmentForm): boolean => {
    // A source that ended while it sealed goes on with the log of the same rows.
    if (open.some((one) => one >= first && one <= generation)) return true;
    return !kept.has(generation) && !isWithin([generation, first], shape.segments);
  };
  const isSplit = (form: SegmentForm): boolean =>
    shape.segments.some((one) => overlaps(form, one) && !isWithin(form, [one]));
  if (!shape.isSound) return;
  const dropped = copy.sealed.filter((form) => isGone(form) || isSplit(form));
  if (dropped.length > 0) await copy.dropSegments(dropped.map(([generation]) => generation));
  await copy.dropWaiting((log) => !isWanted(log, shape));
}

/** Whether rows that wait here do so in the source, or are sealed there. */
function isWanted({ generation, endBytes }: LogPosition, shape: TableShape): boolean {
  const logs = [...shape.closedLogs, ...(shape.waiting ?? [])];
  const log = logs.find((one) => one.generation === generation);
  if (log !== undefined) return log.endBytes === endBytes;
  const isSealed = isWithin([generation, generation], shape.segments);
  return isSealed || shape.unwritten.includes(generation);
}

type Span = readonly [last: number, first: number, ...rest: readonly number[]];

const overlaps = ([last, first]: Span, [otherLast, otherFirst]: Span): boolean =>
  first <= otherLast && last >= otherFirst;

/** Whether a segment that is still to be taken replaces this one. */
const isWithin = ([last, first]: Span, forms: readonly SegmentForm[]): boolean =>
  forms.some(([otherLast, otherFirst]) => otherFirst <= first && last <= otherLast);

async function takeSegments(
  { copy, name }: Table,
  { shape, source }: CopyTableOptions,
): Promise<boolean> {
  for (const form of shape.segments) {
    const [generation] = form;
    const held = copy.sealed.find(([one]) => one === generation);
    if (held?.join() === form.join()) continue;
    // An unsound source may have lost a part of what the copy has here.
    if (copy.sealed.some((one) => overlaps(one, form) && !isWithin(one, [form]))) return false;
    const file = await source.segment(name, generation);
    if (file === null) return false;
    await copy.takeSegment(file);
  }
  return true;
}

/** False: the log is gone, or an earlier one has to become a segment before. */
async function takeLog(
  table: Table,
  { generation, endBytes }: LogPosition,
  { shape, source, isLogChecked }: CopyTableOptions,
): Promise<boolean> {
  const { copy, name } = table;
  if (copy.position.generation !== generation && copy.position.endBytes > 0) {
    if (shape.unwritten.includes(copy.position.generation) || !shape.isSound) return false;
    await copy.dropOpen();
  }
  await copy.startAt(generation);
  const isOther =
    copy.position.endBytes > endBytes ||
    (isLogChecked && !(await isSameLog(table, source, copy.position)));
  if (isOther) {
    if (!shape.isSound) return false;
    await copy.dropOpen();
    await copy.startAt(generation);
  }
  for (let bytesMax = partBytes; copy.position.endBytes < endBytes; ) {
    const from = copy.position.endBytes;
    const part = await source.log(name, { generation, from, bytesMax });
    const { endBytes: wholeBytes, damagedBytes } = readRecords(Buffer.from(part));
    if (damagedBytes > 0) throw new Error(`log ${generation} of ${name} came damaged`);
    const whole = part.subarray(0, wholeBytes);
    if (whole.length > 0) await copy.takeRecords(generation, whole);
    else if (part.length === bytesMax && bytesMax < partBytesMax) bytesMax *= 2;
    else return false;
  }
  return true;
}

async function isSameLog(
  { folder, name }: Table,
  source: Pick<CopySource, "logHash">,
  { generation, endBytes }: LogPosition,
): Promise<boolean> {
  if (endBytes === 0) return true;
  const bytes = (await readFile(logPath(folder, generation))).subarray(0, endBytes);
  const own = createHash("sha256").update(bytes).digest("hex");
  return (await source.logHash(name, generation, endBytes)) === own;
}
