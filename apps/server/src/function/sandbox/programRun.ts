import { HadalError } from "@hadal/sdk";
import type { QuickJSHandle } from "quickjs-emscripten";
import { sliceRows } from "../../base/limit/functionLimits.js";
import { aggregateLoop, finishSource } from "./aggregateLoop.js";
import type { Realm } from "./realm.js";
import type {
  SandboxAnswer,
  SandboxBatch,
  SandboxCall,
  SandboxProgram,
  ScalarProgram,
} from "./sandboxMessages.js";
import { bodyLoop, scalarLoop, shapeOf } from "./scalarLoop.js";

/** The dictionary of returned strings is reset when it has this many values. */
const knownValuesMax = 65_536;
/** States printed, or groups finished, by one call. */
const sliceGroups = 64;
/** The states of all groups of a run, as JSON. */
const statesUnitsMax = 64 * 2 ** 20;

/** A loop over a batch's rows in the realm, and the call that runs its next slice. */
interface BuiltLoop {
  readonly built: QuickJSHandle;
  readonly step: QuickJSHandle;
}

/** One function in its realm, called batch by batch. Any HadalError that it throws ends the run. */
export class ProgramRun {
  readonly #realm: Realm;
  readonly #program: SandboxProgram;
  readonly #loops = new Map<string, BuiltLoop>();
  /** Numbers of the columns that have a dictionary in the realm. */
  readonly #opened = new Set<number>();
  #states: QuickJSHandle | null = null;
  #groupCount = 0;
  #finish: QuickJSHandle | null = null;

  constructor(realm: Realm, program: SandboxProgram) {
    this.#realm = realm;
    this.#program = program;
    const hasOwnLine = program.kind === "scalar" && program.call === "parameters";
    realm.load(program.source, { hasOwnLine });
  }

  answer(call: SandboxCall): SandboxAnswer {
    switch (call.kind) {
      case "evaluate":
        return this.#evaluate(call);
      case "update":
        return this.#update(call);
      case "states":
        return { kind: "states", states: this.#takeStates() };
      case "finalize":
        return { kind: "finalized", values: this.#finalize(call.states) };
      case "try":
        return this.#try(call.rows);
    }
  }

  #evaluate(batch: SandboxBatch): SandboxAnswer {
    const program = this.#program;
    const realm = this.#realm;
    if (program.kind !== "scalar") throw new Error("only scalar functions are evaluated by row");
    const resets = program.result === "string" && this.#forgetMany();
    const loop = this.#open(batch, (shape) =>
      program.body === null
        ? realm.build(scalarLoop(program, shape))
        : realm.buildBody(bodyLoop(program, program.body, shape)),
    );
    const begun = [this.#buffers(batch), realm.number(batch.rowCount)];
    realm.call(loop.built, "begin", ...begun).dispose();
    const added = this.#steps(loop, batch.rowCount, program);
    const values = realm.readBuffer(realm.call(loop.built, "end"));
    return program.result === "string"
      ? { kind: "strings", codes: new Uint32Array(values), added, resets }
      : { kind: "numbers", values: new Float64Array(values) };
  }

  /** Runs in slices, between which limits are checked. Returns the JSON list of new strings. */
  #steps({ step }: BuiltLoop, rowCount: number, { result }: ScalarProgram): string {
    const added: string[] = [];
    for (let from = 0; from < rowCount; from += sliceRows) {
      this.#realm.run(step);
      if (result !== "string") continue;
      const list = this.#realm.readText(this.#realm.callPrelude("takeFresh"));
      if (list !== "[]") added.push(list.slice(1, -1));
    }
    return `[${added.join(",")}]`;
  }

  /** Whether the earlier codes are invalid now. */
  #forgetMany(): boolean {
    const realm = this.#realm;
    if (realm.readNumber(realm.callPrelude("codeCount")) < knownValuesMax) return false;
    realm.callPrelude("forget").dispose();
    return true;
  }

  #update(batch: Extract<SandboxCall, { kind: "update" }>): SandboxAnswer {
    const realm = this.#realm;
    this.#states ??= realm.list();
    const states = this.#states;
    const loop = this.#open(batch, (shape) => realm.build(aggregateLoop(shape), [states]));
    const weights = batch.weights === null ? realm.undefined : realm.buffer(batch.weights);
    const begun = [this.#buffers(batch), realm.number(batch.rowCount)];
    begun.push(realm.buffer(batch.groups), weights, realm.number(batch.groupCount));
    realm.call(loop.built, "begin", ...begun).dispose();
    for (let from = 0; from < batch.rowCount; from += sliceRows) realm.run(loop.step);
    this.#groupCount = batch.groupCount;
    return { kind: "updated" };
  }

  /** The loop for columns of this shape; adds new strings to their dictionaries. */
  #open({ columns }: SandboxBatch, build: (shape: string) => QuickJSHandle): BuiltLoop {
    const realm = this.#realm;
    columns.forEach((column, k) => {
      if (column.kind !== "codes") return;
      // The loop reads from a dictionary even if it is empty.
      if (column.added === "[]" && !column.resets && this.#opened.has(k)) return;
      this.#opened.add(k);
      const added = realm.string(column.added);
      realm.callPrelude("extend", realm.number(k), added, realm.boolean(column.resets)).dispose();
    });
    const shape = shapeOf(columns);
    let loop = this.#loops.get(shape);
    if (loop === undefined) {
      const built = build(shape);
      loop = { built, step: realm.method(built, "step") };
      this.#loops.set(shape, loop);
    }
    return loop;
  }

  #buffers({ columns }: SandboxBatch): QuickJSHandle {
    return this.#realm.buffers(columns.map(({ values }) => values));
  }

  /** Group numbers restart afterwards. */
  #takeStates(): readonly string[] {
    const printed = this.#printStates();
    this.#states = null;
    this.#groupCount = 0;
    this.#loops.clear();
    return printed;
  }

  #printStates(): readonly string[] {
    const realm = this.#realm;
    const printed: string[] = [];
    let units = 0;
    for (let from = 0; from < this.#groupCount; from += sliceGroups) {
      const to = Math.min(from + sliceGroups, this.#groupCount);
      const states = (this.#states ?? realm.undefined).dup();
      const called = realm.call(
        this.#finisher(),
        "states",
        states,
        realm.number(from),
        realm.number(to),
      );
      const text = realm.readText(called);
      units += text.length;
      if (units > statesUnitsMax) realm.failOutput();
      printed.push(...(JSON.parse(text) as string[]));
    }
    return printed;
  }

  #finalize(json: string): string {
    const realm = this.#realm;
    const groups = JSON.parse(json) as readonly (readonly string[])[];
    const values: string[] = [];
    for (let from = 0; from < groups.length; from += sliceGroups) {
      const part = JSON.stringify(groups.slice(from, from + sliceGroups));
      const list = realm.readText(realm.call(this.#finisher(), "finalize", realm.string(part)));
      values.push(list.slice(1, -1));
    }
    return `[${values.join(",")}]`;
  }

  #try(rows: string): SandboxAnswer {
    const realm = this.#realm;
    const program = this.#program;
    if (program.kind !== "trial") throw new Error("only a trial has results by row");
    realm.startLog();
    const results = realm.readText(realm.call(this.#finisher(), program.call, realm.string(rows)));
    return { kind: "tried", results, log: realm.takeLog() };
  }

  #finisher(): QuickJSHandle {
    this.#finish ??= this.#realm.build(finishSource);
    return this.#finish;
  }
}

/** An error as it is sent; one that is not the user's is sent unchanged. */
export function problemOf(error: unknown): HadalError {
  if (error instanceof HadalError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new HadalError("function-failed", { detail: `The sandbox stopped: ${detail}` });
}
