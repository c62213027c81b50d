import { assert } from "../../base/assert.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import { placedProblem } from "../../function/sandbox/functionProblem.js";
import type { SandboxRoom } from "../../function/sandbox/sandboxHost.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { functionsOf, isFunctionState } from "../segment/sandboxParts.js";
import type { ScanContext } from "../thread/scanContext.js";
import { FunctionAggregator } from "./functionAggregate.js";
import { FunctionColumn } from "./functionColumn.js";
import { decodeContextOn, stringReaderOn } from "./mainReaders.js";
import type { RowAggregator } from "./rowAggregator.js";
import { TextExtremes } from "./textExtremes.js";

/**
 * The functions of a query, each with a realm in the sandbox, and the aggregators that the main
 * thread runs itself.
 */
export class OpenFunctions {
  readonly columns: FunctionColumn[] = [];
  readonly aggregators: RowAggregator[] = [];
  readonly #query: ResolvedQuery;
  readonly #context: ScanContext;
  readonly #signal: StopSignal;
  /** Null: no function runs in the sandbox. */
  #room: SandboxRoom | null = null;

  constructor(query: ResolvedQuery, context: ScanContext, signal: StopSignal) {
    this.#query = query;
    this.#context = context;
    this.#signal = signal;
  }

  /** Called once; `close` follows, also after a failure. */
  async open(): Promise<void> {
    await this.#takeRoom();
    if (this.#room !== null) await this.#openColumns(this.#room);
    await this.#openAggregates();
  }

  close(): void {
    this.#room?.close();
  }

  async #takeRoom(): Promise<void> {
    const paths = this.#paths();
    if (paths.length === 0) return;
    const { sandbox } = this.#context;
    this.#room = await sandbox.room(paths.length, this.#signal).catch((error: unknown) => {
      throw placedProblem(error, paths.at(-1) ?? "derive", null);
    });
  }

  /** The place in the query of each function that runs in the sandbox. */
  #paths(): readonly string[] {
    const { states } = this.#query;
    return [
      ...functionsOf(this.#query).map(({ index }) => `derive[${index}]`),
      ...states.flatMap((state, i) => (isFunctionState(state) ? [`states[${i}]`] : [])),
    ];
  }

  async #openColumns(room: SandboxRoom): Promise<void> {
    const { memory } = this.#context;
    const strings = stringReaderOn(this.#context);
    for (const derived of functionsOf(this.#query)) {
      const { source, call, body, result } = derived.how;
      const names = derived.inputs.map(({ name }) => name);
      const program = { kind: "scalar", source, call, body, names, result } as const;
      try {
        const run = await room.open(program);
        this.columns.push(new FunctionColumn(derived, run, memory.memory, strings));
      } catch (error) {
        throw placedProblem(error, `derive[${derived.index}]`, derived.name);
      }
    }
  }

  async #openAggregates(): Promise<void> {
    const strings = stringReaderOn(this.#context);
    for (const [stateIndex, spec] of this.#query.states.entries()) {
      const reading = decodeContextOn(this.#context);
      if (spec.kind === "text")
        this.aggregators.push(new TextExtremes(spec, stateIndex, reading, strings));
      if (spec.kind !== "function") continue;
      assert(this.#room !== null, "functions have a room");
      const { source, columns } = spec;
      const program = { kind: "aggregate", source, columnCount: columns.length } as const;
      try {
        const run = await this.#room.open(program);
        const state = { spec, stateIndex, run };
        this.aggregators.push(new FunctionAggregator(state, reading, strings));
      } catch (error) {
        throw placedProblem(error, `states[${stateIndex}]`, null);
      }
    }
  }
}
