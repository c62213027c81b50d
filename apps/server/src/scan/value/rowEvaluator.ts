import { fitsInt64, rescale } from "../../column/decimal.js";
import type { ColumnReader } from "../../column/readColumn.js";
import { createEvaluator, type Evaluator } from "../../function/evaluate/evaluate.js";
import { type Cell, overflow } from "../../function/term/cell.js";
import type { RowExpression, RowInput, SharedExpression } from "../task/deriveTask.js";
import type { PrintedSource, TextSource } from "../task/textSource.js";
import { valueOverflow } from "./valueOverflow.js";

/** Evaluates expressions for single rows, on whichever thread. */
export interface RowEvaluator {
  cell(row: RowExpression, rowIndex: number): Cell;
}

/** Reads of a string that has no code. */
export type ReadString = (source: TextSource | PrintedSource, rowIndex: number) => string | null;

/**
 * Results kept of one expression and combination of codes: service names times status texts, not
 * ids of users.
 */
const keptMax = 65_536;
/** Two codes in one number. */
const codesMax = 2 ** 26;

export function createRowEvaluator(reader: ColumnReader, readString: ReadString): RowEvaluator {
  const prepared = new WeakMap<RowExpression, PreparedRow>();
  /** The result for a combination of codes is the same in every segment with these dictionaries. */
  const kept = new WeakMap<SharedExpression, Map<string, Map<number, Cell>>>();
  const texts = new Map<number, Map<number, Cell>>();
  const evaluators = new WeakMap<SharedExpression, Evaluator>();
  const evaluatorOf = (shared: SharedExpression): Evaluator => {
    let evaluator = evaluators.get(shared);
    if (evaluator === undefined) {
      evaluator = createEvaluator(shared.expression);
      evaluators.set(shared, evaluator);
    }
    return evaluator;
  };
  const evaluated: RowEvaluator = {
    cell(row, rowIndex) {
      let own = prepared.get(row);
      if (own === undefined) {
        const cellOf = row.inputs.map((input) =>
          input.kind === "codes"
            ? createCodes(input, reader, within(texts, input.texts.starts))
            : createInput(input, reader, readString, evaluated),
        );
        const coded = codedInputs(row.inputs);
        const tables = (coded ?? []).map((input) =>
          input.kind === "codes" ? input.texts.starts : input.lengths,
        );
        const cells = within(within(kept, row.shared), tables.join());
        own = new PreparedRow(evaluatorOf(row.shared), { cellOf, coded, reader }, cells);
        prepared.set(row, own);
      }
      return own.cell(rowIndex);
    },
  };
  return evaluated;
}

type CodedInput = Extract<RowInput, { kind: "codes" | "lists" }>;

/** The inputs when all have codes and there are at most two; else null. */
function codedInputs(inputs: readonly RowInput[]): readonly CodedInput[] | null {
  const coded = inputs.filter((input) => input.kind === "codes" || input.kind === "lists");
  const rest = inputs.filter(
    ({ kind }) => kind !== "codes" && kind !== "lists" && kind !== "absent",
  );
  return rest.length === 0 && coded.length <= 2 ? coded : null;
}

/** The inner map of a key, created on first use. */
function within<Key, InnerKey, Value>(
  maps: {
    get(key: Key): Map<InnerKey, Value> | undefined;
    set(key: Key, map: Map<InnerKey, Value>): unknown;
  },
  key: Key,
): Map<InnerKey, Value> {
  let map = maps.get(key);
  if (map === undefined) {
    map = new Map();
    maps.set(key, map);
  }
  return map;
}

interface PreparedInputs {
  readonly cellOf: readonly ((rowIndex: number) => Cell)[];
  /** Inputs by whose codes results are remembered; null: results are not remembered. */
  readonly coded: readonly CodedInput[] | null;
  readonly reader: ColumnReader;
}

class PreparedRow {
  readonly #evaluate: Evaluator;
  readonly #cellOf: readonly ((rowIndex: number) => Cell)[];
  readonly #coded: readonly CodedInput[] | null;
  readonly #reader: ColumnReader;
  readonly #kept: Map<number, Cell>;

  constructor(evaluate: Evaluator, inputs: PreparedInputs, kept: Map<number, Cell>) {
    this.#evaluate = evaluate;
    this.#cellOf = inputs.cellOf;
    this.#coded = inputs.coded;
    this.#reader = inputs.reader;
    this.#kept = kept;
  }

  cell(rowIndex: number): Cell {
    if (this.#coded === null) return this.#evaluateRow(rowIndex);
    let key = 0;
    for (const { values } of this.#coded) {
      const code = this.#reader.code(values, rowIndex);
      if (code >= codesMax) return this.#evaluateRow(rowIndex);
      key = key * codesMax + code;
    }
    let cell = this.#kept.get(key);
    if (cell === undefined) {
      cell = this.#evaluateRow(rowIndex);
      if (this.#kept.size < keptMax) this.#kept.set(key, cell);
    }
    return cell;
  }

  #evaluateRow(rowIndex: number): Cell {
    return this.#evaluate(this.#cellOf.map((cellOf) => cellOf(rowIndex)));
  }
}

function createInput(
  input: Exclude<RowInput, { kind: "codes" }>,
  reader: ColumnReader,
  readString: ReadString,
  evaluated: RowEvaluator,
): (rowIndex: number) => Cell {
  switch (input.kind) {
    case "absent":
      return () => null;
    case "int": {
      const { present, overflown, shift } = input;
      return (rowIndex) => {
        if (overflown !== 0 && reader.isPresent(overflown, rowIndex)) return overflow;
        if (!reader.isPresent(present, rowIndex)) return null;
        const value = reader.int(input, rowIndex);
        return shift === 0 ? value : scaled(value, shift);
      };
    }
    case "string": {
      const { source, asList } = input;
      // A derived column that reads another one: its overflow is an overflow here.
      const read = (rowIndex: number): Cell =>
        source.kind === "evaluated"
          ? evaluated.cell(source.row, rowIndex)
          : readString(source, rowIndex);
      if (!asList) return read;
      return (rowIndex) => {
        const text = read(rowIndex);
        return typeof text === "string" ? [text] : text;
      };
    }
    case "lists":
      return (rowIndex) => {
        const code = reader.code(input.values, rowIndex);
        return code === 0 ? null : { length: reader.word(input.lengths + code * 4) };
      };
  }
}

function scaled(value: bigint, shift: number): Cell {
  const result = shift > 0 ? rescale(value, 0, shift) : rescale(value, -shift, 0);
  return fitsInt64(result) ? result : overflow;
}

/** Strings are made of their bytes once. */
function createCodes(
  { values, texts, asList }: Extract<RowInput, { kind: "codes" }>,
  reader: ColumnReader,
  known: Map<number, Cell>,
): (rowIndex: number) => Cell {
  const { starts, bytes } = texts;
  return (rowIndex) => {
    const code = reader.code(values, rowIndex);
    if (code === 0) return null;
    let cell = known.get(code);
    if (cell === undefined) {
      const at = starts + code * 4;
      const text = reader.utf8(bytes + reader.word(at), bytes + reader.word(at + 4));
      cell = asList ? [text] : text;
      known.set(code, cell);
    }
    return cell;
  };
}

/** Of a string that has to be known: overflow on the way to it ends the query. */
export function stringOfCell(cell: Cell, column: string): string | null {
  if (cell === overflow) throw valueOverflow(column);
  if (cell === null || typeof cell === "string") return cell;
  throw new Error("a derived column of strings has only strings");
}
