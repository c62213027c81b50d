import type { WasmFunction } from "./wasmBytes.js";
import { type SharedFunction, sharedFunctions } from "./wasmHelpers.js";

/** The shared functions that one module's code calls; each is made when it is first asked for. */
export class SharedCode {
  readonly #made = new Map<SharedFunction, { index: number; fn: WasmFunction }>();

  /** In the order of their indexes. */
  get functions(): readonly WasmFunction[] {
    return [...this.#made.values()].map(({ fn }) => fn);
  }

  indexOf(name: SharedFunction): number {
    let shared = this.#made.get(name);
    if (shared === undefined) {
      shared = { index: this.#made.size, fn: sharedFunctions[name]() };
      this.#made.set(name, shared);
    }
    return shared.index;
  }
}
