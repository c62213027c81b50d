import { type BinaryForm, HadalError, sampleRateMax } from "@hadal/sdk";
import type { Data, DataType, Field, RecordBatch } from "apache-arrow";
import { joinBytes } from "../../../base/bytes/byteView.js";
import type { ArrowLibrary } from "../../../base/format/arrowLibrary.js";
import {
  type BatchColumn,
  batchRowsMax,
  columnsMax,
  type RowBatch,
} from "../../../base/row/rowBatch.js";
import { cellsOf } from "../../../base/row/sparseColumn.js";
import type { Steps } from "../../../base/schedule/steps.js";
import { bodyBytesMax } from "../../body/bodyStream.js";
import { checkSampleRate } from "../../column/cellChecks.js";
import { ColumnBuilder } from "../../column/columnBuilder.js";
import type { ColumnRules } from "../../column/columnRule.js";
import { createPath, createRoot, type PathNaming, type PathNode } from "../../column/rowPath.js";
import type { RowCollector } from "../../row/rowCollector.js";
import type { RowReader } from "../../row/rowReader.js";
import { jsonDepthMax } from "../../value/exactJson.js";
import { RowRejected } from "../../value/rowRejected.js";
import { readRowTime } from "../../value/rowTime.js";
import type { TimeRule } from "../../value/timeRule.js";
import { type ArrowContext, openCells } from "./arrowCells.js";
import { checkArrowMessages } from "./arrowMessages.js";
import { brokenArrow, unstoredType } from "./arrowProblems.js";
import type { ArrowCells } from "./arrowRows.js";
import type { RowRun } from "./arrowRun.js";
import { ReadBudget } from "./arrowStrings.js";
import { acceptedTimes } from "./runTimes.js";

/**
 * Views and dictionaries may repeat one long text: the bound on all that is read of one body,
 * repeats counted again.
 */
const readBytesMax = 4 * bodyBytesMax;
/** Rows × columns of one batch, as for rows of JSON. */
const batchCellsMax = 4_194_304;
/** Field metadata that makes a list a set; Hadal's own answers have it. */
const typeKey = "hadal.type";

interface ArrowColumn {
  readonly node: PathNode;
  readonly cells: ArrowCells;
}

export interface ArrowOptions {
  readonly timeName: string;
  readonly binary: BinaryForm;
}

/**
 * Reads an Arrow IPC stream or file column by column. A row is refused for the same reasons as a
 * JSON row, and reported by its number from 1. A wrong type or broken buffers refuse the whole
 * body.
 */
export function createArrowReader(
  collector: RowCollector,
  arrow: ArrowLibrary,
  { timeName, binary }: ArrowOptions,
): RowReader {
  const parts: Uint8Array[] = [];
  return {
    push(bytes) {
      parts.push(bytes);
      return undefined;
    },
    *end() {
      let firstLine = 1;
      const bytes = joinBytes(parts);
      const context: ArrowContext = {
        arrow,
        budget: new ReadBudget(readBytesMax),
        binary,
        dictionaries: new WeakMap(),
        keyedTexts: new WeakMap(),
      };
      for (const batch of readBatches(arrow, bytes)) {
        yield* readable(addBatch(collector, context, batch, { timeName, firstLine }));
        firstLine += batch.numRows;
      }
    },
  };
}

/** The library trusts offsets in buffers, too: its errors there are faults of the body. */
function* readable(steps: Steps<void>): Steps<void> {
  try {
    yield* steps;
  } catch (error) {
    const isStumble = error instanceof TypeError || error instanceof RangeError;
    throw isStumble ? brokenArrow(error.message) : error;
  }
}

function* readBatches(arrow: ArrowLibrary, bytes: Uint8Array): Generator<RecordBatch> {
  checkArrowMessages(bytes);
  try {
    yield* arrow.RecordBatchReader.from(bytes);
  } catch (error) {
    // The library throws any kind of error; our own refusals come through the consumer of the
    // generator.
    throw brokenArrow((error as Error).message);
  }
}

function* addBatch(
  collector: RowCollector,
  context: ArrowContext,
  batch: RecordBatch,
  { timeName, firstLine }: { readonly timeName: string; readonly firstLine: number },
): Steps<void> {
  const columns = openColumns(context, batch, timeName, collector.rules);
  const time = columns.find(({ node }) => node.role === "time");
  if (time === undefined) throw missingTime(timeName);
  if (columns.some(({ node }) => node.role === "ruled")) {
    yield* addRuledRows(collector, columns, batch.numRows, firstLine);
    return;
  }
  const step = Math.max(1, Math.min(batchRowsMax, Math.floor(batchCellsMax / columns.length)));
  for (let from = 0; from < batch.numRows; from += step) {
    const count = Math.min(step, batch.numRows - from);
    let rows = rowsOfRun({ from, count });
    let run: RowRun | null = { from, count };
    const wrong: (readonly [row: number, error: RowRejected])[] = [];
    for (;;) {
      const { built, refused } = yield* buildRows(columns, { rows, run }, collector.timeRule);
      if (refused.size === 0) {
        collector.addBatch(built);
        break;
      }
      for (const entry of refused) wrong.push(entry);
      // A refused row leaves no trace in the columns: they are built again without it.
      rows = rows.filter((row) => !refused.has(row));
      run = null;
    }
    // Behind those that are right: where none is, the body may be refused.
    for (const [row, error] of wrong) collector.refuse(error, firstLine + row);
  }
}

function rowsOfRun({ from, count }: RowRun): Uint32Array {
  const rows = new Uint32Array(count);
  for (let i = 0; i < count; i++) rows[i] = from + i;
  return rows;
}

/** Reads row by row as JSON rows are read: column settings apply to every format. */
function* addRuledRows(
  collector: RowCollector,
  columns: readonly ArrowColumn[],
  rowCount: number,
  firstLine: number,
): Steps<void> {
  for (let row = 0; row < rowCount; row++) {
    yield;
    try {
      const cells = columns.map(({ node, cells: of }) => {
        const value = of.value(row);
        const isSet = node.listType === "set" && Array.isArray(value);
        return [node.name, isSet ? { $set: value } : value] as const;
      });
      collector.add(Object.fromEntries(cells), firstLine + row);
    } catch (error) {
      collector.refuse(error, firstLine + row);
    }
  }
}

function missingTime(timeName: string): HadalError {
  const detail = `The Arrow stream has no column \`${timeName}\` for the event time; name another with ?time=.`;
  return new HadalError("rows-rejected", { rejected: "all", detail }, [
    { line: 1, code: "time-missing", detail },
  ]);
}

/** Columns by name; those of structs are flattened with dots. */
function openColumns(
  context: ArrowContext,
  batch: RecordBatch,
  timeName: string,
  rules: ColumnRules,
): ArrowColumn[] {
  const columns = new Map<string, ArrowColumn>();
  const open = (parent: PathNode, field: Field, data: Data<DataType>, depth: number): void => {
    const node = createNode(parent, field, { timeName, rules });
    if (data.length < batch.numRows) throw brokenArrow(node.name);
    if (context.arrow.DataType.isStruct(field.type)) {
      if (depth > jsonDepthMax) throw brokenArrow(`${node.name} is nested too deep`);
      if (data.nullCount > 0) throw nullStructs(node.name, field.type);
      for (const [i, child] of field.type.children.entries()) {
        open(node, child, expectChild(data, i), depth + 1);
      }
      return;
    }
    if (columns.has(node.name)) throw brokenArrow(`two columns are called ${node.name}`);
    if (columns.size >= columnsMax)
      throw brokenArrow(`more than ${columnsMax} columns (columnsMax)`);
    columns.set(node.name, { node, cells: openCells(context, data, node) });
  };
  const root = createRoot();
  for (const [i, field] of batch.schema.fields.entries()) {
    open(root, field, expectChild(batch.data, i), 1);
  }
  return [...columns.values()];
}

function expectChild(data: Data<DataType>, index: number): Data<DataType> {
  const child = data.children[index];
  if (child === undefined) throw brokenArrow("a column is missing");
  return child;
}

function createNode(parent: PathNode, field: Field, naming: PathNaming): PathNode {
  try {
    const node = createPath(parent, field.name, naming);
    if (field.metadata.get(typeKey) === "set") node.listType = "set";
    return node;
  } catch (error) {
    if (!(error instanceof RowRejected)) throw error;
    throw new HadalError("invalid-name", { detail: error.message });
  }
}

function nullStructs(name: string, type: DataType): HadalError {
  return unstoredType(name, `${type}, with structs that are missing as a whole`);
}

interface BuiltRows {
  readonly built: RowBatch;
  /** Rows that must be left out, and why. */
  readonly refused: ReadonlyMap<number, RowRejected>;
}

/** Rows of a record batch; `run`: null where some are left out of it. */
interface WantedRows {
  readonly rows: Uint32Array;
  readonly run: RowRun | null;
}

function* buildRows(
  columns: readonly ArrowColumn[],
  wanted: WantedRows,
  timeRule: TimeRule,
): Steps<BuiltRows> {
  const { rows, run } = wanted;
  const refused = new Map<number, RowRejected>();
  const times = new Float64Array(rows.length);
  const built: BatchColumn[] = [];
  const refuse = (row: number, error: unknown): void => {
    if (!(error instanceof RowRejected)) throw error;
    if (!refused.has(row)) refused.set(row, error);
  };
  const forRows = (work: (row: number, at: number) => void): void => {
    for (let at = 0; at < rows.length; at++) {
      try {
        work(rows[at]!, at);
      } catch (error) {
        refuse(rows[at]!, error);
      }
    }
  };
  for (const { node, cells } of columns) {
    yield;
    if (node.role === "time") {
      const isRead = readPlainTimes(cells, run, times, timeRule);
      forRows((row, at) => {
        if (isRead(at)) return;
        times[at] = readTime(cells.value(row), node.name, timeRule);
        timeRule.forms?.keep();
      });
      continue;
    }
    const whole = run === null ? null : (cells.buildRun?.(node.name, run) ?? null);
    if (node.role === "sampleRate" && !areRates(whole))
      forRows((row) => checkSampleRate(cells.value(row)));
    if (whole !== null) {
      built.push(...whole);
      continue;
    }
    const builder = new ColumnBuilder(node.name);
    if (cells.writeRows !== undefined) cells.writeRows(builder, rows, refuse);
    else forRows((row, at) => cells.write(builder, row, at));
    built.push(...builder.build(rows.length, null));
  }
  return { built: { rowCount: rows.length, times, columns: built }, refused };
}

/** Reads the times that need no closer look; returns which of them these are. */
function readPlainTimes(
  { times: column }: ArrowCells,
  run: RowRun | null,
  times: Float64Array,
  timeRule: TimeRule,
): (at: number) => boolean {
  const accepted = column === undefined ? null : acceptedTimes(column, timeRule);
  if (column === undefined || accepted === null || run === null) return () => false;
  column.read(run, times);
  const { fromMs, toMs } = accepted;
  return (at) => times[at]! >= fromMs && times[at]! <= toMs;
}

/** Whether all values are surely sample rates. */
function areRates(columns: readonly BatchColumn[] | null): boolean {
  return (
    columns?.every((column) => {
      const cells = cellsOf(column);
      if (cells.type !== "int" || cells.decimals > 0) return false;
      const { values, present } = cells;
      return values.every((rate, i) => (rate >= 1n && rate <= sampleRateMax) || present?.[i] === 0);
    }) ?? false
  );
}

function readTime(value: unknown, name: string, timeRule: TimeRule): number {
  if (value === null) throw new RowRejected("time-missing", `The row has no \`${name}\`.`);
  return readRowTime(value, name, timeRule);
}
