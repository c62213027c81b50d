import { HadalError } from "@hadal/sdk";
import type {
  QuickJSContext,
  QuickJSHandle,
  QuickJSRuntime,
  QuickJSWASMModule,
} from "quickjs-emscripten";
import { type FunctionLimits, functionLogUnitsMax } from "../../base/limit/functionLimits.js";
import type { BodyText } from "./bodyText.js";
import type { CpuClock } from "./cpuClock.js";
import { functionFailed, functionLimit, placeInSource } from "./functionProblem.js";
import { preludeSource } from "./prelude.js";
import type { BodyLoop } from "./scalarLoop.js";

/** The thread's clock is a file that takes as long to read as a slice of 100 rows to run: it is read once a millisecond. */
const clockKeptMs = 1;
/** A slow function reaches this many interrupt checks in a few milliseconds. */
const pollsMin = 20;

/** A JavaScript realm with only the language in it, for one function of one query. It is not used again after it has thrown. */
export class Realm {
  readonly #limits: FunctionLimits;
  readonly #cpuMs: CpuClock;
  readonly #onCall: () => void;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #prelude: QuickJSHandle;
  /** Evaluates a text where the function is in scope. */
  #scope: QuickJSHandle | null = null;
  /** Texts with the function's body in them, by the number of their file. */
  readonly #bodies: BodyText[] = [];
  #lineCount = 0;
  /** The time of the last reading of the thread's clock before a call, and its value. */
  #readWallMs = Number.NEGATIVE_INFINITY;
  #readCpuMs = 0;
  /** The CPU time that calls may use from then on. */
  #budgetMs = 0;
  #wallEndMs = 0;
  /** Interrupt checks of the call: one for every few thousand steps. */
  #polls = 0;
  #interrupted = false;
  #describing = false;

  /** `onCall` runs when a call into the realm begins and ends: a watchdog uses it to detect one that hangs. */
  constructor(
    wasm: QuickJSWASMModule,
    limits: FunctionLimits,
    cpuMs: CpuClock,
    onCall: () => void,
  ) {
    this.#limits = limits;
    this.#cpuMs = cpuMs;
    this.#onCall = onCall;
    this.#runtime = wasm.newRuntime();
    this.#runtime.setMemoryLimit(limits.functionMemoryBytes);
    this.#runtime.setMaxStackSize(limits.functionStackBytes);
    this.#runtime.setInterruptHandler(() => this.#isOverdue());
    this.#context = this.#runtime.newContext();
    this.#prelude = this.#guard(() => this.#context.evalCode(preludeSource, "prelude.js"));
  }

  /** Evaluates the user's source, a single expression, which may follow a line that is not the user's. */
  load(source: string, { hasOwnLine }: { readonly hasOwnLine: boolean }): void {
    this.#lineCount = source.split("\n").length - (hasOwnLine ? 1 : 0);
    const first = hasOwnLine ? source : `\n${source}`;
    // One line before the user's: their lines are one less than reported, their columns are as reported.
    const text = `(()=>{"use strict";const $f=(${first}\n);return ($c)=>eval($c)})()`;
    this.#scope = this.#guard(() => this.#context.evalCode(text, "function.js"));
  }

  /** Evaluates a function of the prelude (and more) beside the user's function, and calls it with them. */
  build(text: string, more: readonly QuickJSHandle[] = []): QuickJSHandle {
    const scope = this.#scope;
    if (scope === null) throw new Error("a realm is loaded before anything is built in it");
    const made = this.#context
      .newString(text)
      .consume((code) =>
        this.#guard(() => this.#context.callFunction(scope, this.#context.undefined, code)),
      );
    return this.#make(made, more);
  }

  /** Evaluates a function of the prelude that contains the body of the user's function after one line. */
  buildBody({ text, body }: BodyLoop): QuickJSHandle {
    const file = `function${this.#bodies.push(body) - 1}.js`;
    return this.#make(
      this.#guard(() => this.#context.evalCode(text, file)),
      [],
    );
  }

  #make(made: QuickJSHandle, more: readonly QuickJSHandle[]): QuickJSHandle {
    return made.consume((factory) =>
      this.#guard(() =>
        this.#context.callFunction(factory, this.#context.undefined, this.#prelude, ...more),
      ),
    );
  }

  /** A method of a built object, for many calls: to look it up takes as long as a call. */
  method(object: QuickJSHandle, name: string): QuickJSHandle {
    return this.#context.getProp(object, name);
  }

  /** Calls a function that returns nothing. */
  run(found: QuickJSHandle): void {
    const { undefined: none } = this.#context;
    this.#guard(() => this.#context.callFunction(found, none)).dispose();
  }

  /** Calls a method of a built object. Disposes the arguments. */
  call(object: QuickJSHandle, method: string, ...args: QuickJSHandle[]): QuickJSHandle {
    return this.method(object, method).consume((found) => {
      try {
        return this.#guard(() => this.#context.callFunction(found, object, ...args));
      } finally {
        for (const arg of args) if (arg.alive) arg.dispose();
      }
    });
  }

  callPrelude(method: string, ...args: QuickJSHandle[]): QuickJSHandle {
    return this.call(this.#prelude, method, ...args);
  }

  number(value: number): QuickJSHandle {
    return this.#context.newNumber(value);
  }

  boolean(value: boolean): QuickJSHandle {
    return value ? this.#context.true : this.#context.false;
  }

  string(value: string): QuickJSHandle {
    return this.#context.newString(value);
  }

  get undefined(): QuickJSHandle {
    return this.#context.undefined;
  }

  list(): QuickJSHandle {
    return this.#context.newArray();
  }

  /** A list of buffers with copies of these bytes. */
  buffers(arrays: readonly ArrayBufferView[]): QuickJSHandle {
    const list = this.#context.newArray();
    arrays.forEach((array, i) => {
      this.buffer(array).consume((own) => this.#context.setProp(list, i, own));
    });
    return list;
  }

  buffer({ buffer, byteOffset, byteLength }: ArrayBufferView): QuickJSHandle {
    const bytes = new Uint8Array(buffer, byteOffset, byteLength).slice();
    return this.#context.newArrayBuffer(bytes.buffer);
  }

  /** A copy of a buffer's bytes; disposes the handle. */
  readBuffer(handle: QuickJSHandle): ArrayBuffer {
    return handle.consume((own) =>
      this.#context.getArrayBuffer(own).consume(({ value }) => value.slice().buffer),
    );
  }

  /** Text from the function, within the limit on output; disposes the handle. */
  readText(handle: QuickJSHandle): string {
    return handle.consume((own) => {
      const units = this.#context
        .getProp(own, "length")
        .consume((length) => this.#context.getNumber(length));
      if (units > this.#limits.functionOutputBytes) this.failOutput();
      return this.#context.getString(own);
    });
  }

  readNumber(handle: QuickJSHandle): number {
    return handle.consume((own) => this.#context.getNumber(own));
  }

  failOutput(): never {
    throw functionLimit("functionOutputBytes", this.#limits, "returned too many bytes of text");
  }

  startLog(): void {
    this.callPrelude("startLog", this.number(functionLogUnitsMax)).dispose();
  }

  takeLog(): readonly string[] {
    return JSON.parse(this.readText(this.callPrelude("takeLog"))) as string[];
  }

  #guard(run: () => ReturnType<QuickJSContext["evalCode"]>): QuickJSHandle {
    const nowMs = performance.now();
    if (nowMs - this.#readWallMs > clockKeptMs) {
      this.#readWallMs = nowMs;
      this.#readCpuMs = this.#cpuMs();
    }
    // CPU time between the reading of the clock and the call does not count for the call.
    this.#budgetMs = this.#limits.functionCpuMs + (nowMs - this.#readWallMs);
    this.#wallEndMs = nowMs + this.#limits.functionCpuMs;
    this.#interrupted = false;
    this.#polls = 0;
    const result = this.#reported(run);
    if (result.error === undefined) return result.value;
    throw this.#faultOf(result.error);
  }

  #reported<Value>(run: () => Value): Value {
    this.#onCall();
    try {
      return run();
    } finally {
      this.#onCall();
    }
  }

  /** The thread's clock is read only when time may be up. */
  #isOverdue(): boolean {
    this.#polls++;
    if (performance.now() < this.#wallEndMs) return false;
    // A function that has hardly begun is not stopped because the machine paused.
    if (this.#polls < pollsMin) this.#budgetMs = this.#limits.functionCpuMs + this.#sinceReadMs();
    const leftMs = this.#budgetMs - this.#sinceReadMs();
    if (leftMs > 0) {
      this.#wallEndMs = performance.now() + leftMs;
      return false;
    }
    this.#interrupted = true;
    return true;
  }

  #sinceReadMs(): number {
    return this.#cpuMs() - this.#readCpuMs;
  }

  #faultOf(error: QuickJSHandle): HadalError {
    if (this.#interrupted) {
      error.dispose();
      const what = "took too many milliseconds of processor time for one slice of rows";
      return functionLimit("functionCpuMs", this.#limits, what);
    }
    const [name, message, stack] = this.#describe(error);
    const place = placeInSource(stack, this.#lineCount, this.#bodies);
    if (name === "InternalError" && message === "out of memory") {
      const what = "took too many bytes of memory";
      return functionLimit("functionMemoryBytes", this.#limits, what, place);
    }
    if (message === "stack overflow") {
      const what = "calls itself too deep: it took too many bytes of the stack";
      return functionLimit("functionStackBytes", this.#limits, what, place);
    }
    return functionFailed(name === "" ? `It threw ${message}` : `${name}: ${message}`, place);
  }

  /** Reading an error may run user code, which may fail again. */
  #describe(error: QuickJSHandle): readonly [string, string, string] {
    if (this.#describing) return ["", "something that cannot be read", ""];
    this.#describing = true;
    try {
      return this.callPrelude("describe", error).consume((list) => {
        const parts = this.#context.dump(list) as readonly unknown[];
        return [String(parts[0]), String(parts[1]), String(parts[2])];
      });
    } catch (fault) {
      if (fault instanceof HadalError && fault.code === "function-limit") throw fault;
      return ["", "something that cannot be read", ""];
    } finally {
      this.#describing = false;
    }
  }
}
