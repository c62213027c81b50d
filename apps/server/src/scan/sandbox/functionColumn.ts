import type { SegmentColumn } from "../../column/segmentColumn.js";
import { placedProblem } from "../../function/sandbox/functionProblem.js";
import type { SandboxRun } from "../../function/sandbox/sandboxHost.js";
import type { ResolvedDerived } from "../../plan/query/resolvedQuery.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import type { StringReader } from "../value/stringReader.js";
import { FunctionInput } from "./functionInput.js";
import { FunctionMemo } from "./functionMemo.js";
import {
  type AskedRows,
  numbersOf,
  ReturnedStrings,
  type ReturnedValues,
  writeNumbers,
  writeStrings,
} from "./functionValues.js";

/** Rows of one call: while the sandbox works on one, the next are sent. */
const callRowsMax = 16_384;

/** The decoded inputs of a derived column in one segment, with the rows to evaluate. */
export interface FunctionRows extends AskedRows {
  readonly columns: readonly (SegmentColumn | undefined)[];
}

/** A derived column that a sandboxed function computes, for one query on one leaf. */
export class FunctionColumn {
  readonly #inputs: readonly FunctionInput[];
  readonly #strings = new ReturnedStrings();
  readonly #memo: FunctionMemo;

  readonly #run: SandboxRun;

  constructor(
    readonly derived: ResolvedDerived,
    run: SandboxRun,
    memory: WebAssembly.Memory,
    strings: StringReader,
  ) {
    this.#run = run;
    this.#inputs = derived.inputs.map((input) => new FunctionInput(input, memory, strings));
    this.#memo = new FunctionMemo(memory, derived);
  }

  get inputs(): readonly FunctionInput[] {
    return this.#inputs;
  }

  /**
   * Reads and sends the inputs before it first awaits: their memory may be reused then. Called one
   * at a time: results are remembered when the sandbox has answered.
   */
  async evaluate(wanted: FunctionRows, memory: QueryMemory): Promise<SegmentColumn> {
    const keys = this.#memo.keysOf(wanted.columns, wanted.rows);
    const asked = keys === null ? wanted.rows : this.#memo.unknownRows(keys, wanted.rows);
    const parts = await this.#receive(this.#send(wanted.columns, asked));
    return this.#write(keys === null ? parts : [this.#memo.take(keys, parts)], wanted, memory);
  }

  #write(parts: readonly ReturnedValues[], asked: AskedRows, memory: QueryMemory): SegmentColumn {
    return this.derived.type === "string"
      ? writeStrings(parts, asked, this.#strings.dictionary, memory)
      : writeNumbers(parts, asked, this.derived, memory);
  }

  /** Calls are queued; each has its own answer. */
  #send(columns: FunctionRows["columns"], rows: Uint32Array): Promise<ReturnedValues>[] {
    const sent: Promise<ReturnedValues>[] = [];
    for (let from = 0; from < rows.length; ) {
      const rest = rows.subarray(from, from + callRowsMax);
      const count = this.#inputs.reduce(
        (least, input, k) => Math.min(least, input.fitting(columns[k], rest)),
        rest.length,
      );
      sent.push(this.#call(columns, rest.subarray(0, count)));
      from += count;
    }
    return sent;
  }

  async #call(columns: FunctionRows["columns"], rows: Uint32Array): Promise<ReturnedValues> {
    const batch = {
      kind: "evaluate",
      rowCount: rows.length,
      columns: this.#inputs.map((input, k) => input.read(columns[k], rows)),
    } as const;
    try {
      return this.derived.type === "string"
        ? this.#strings.take(await this.#run.call(batch, "strings"))
        : numbersOf(await this.#run.call(batch, "numbers"));
    } catch (error) {
      throw placedProblem(error, `derive[${this.derived.index}]`, this.derived.name);
    }
  }

  async #receive(parts: readonly Promise<ReturnedValues>[]): Promise<readonly ReturnedValues[]> {
    const settled = await Promise.allSettled(parts);
    return settled.map((part) => {
      if (part.status === "rejected") throw part.reason;
      return part.value;
    });
  }
}
