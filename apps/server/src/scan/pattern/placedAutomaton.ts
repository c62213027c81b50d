import { automatonLayout as layout } from "@hadal/kernel-wasm";
import { automatonTableBytes, type TextAutomaton } from "./textAutomaton.js";

/** What an automaton takes in memory. */
export const automatonScratchBytes = layout.table + automatonTableBytes;

/** Room for the automaton that a thread runs. */
export interface AutomatonScratch {
  readonly address: number;
  holder: LaidAutomaton | null;
}

/** Places the automaton in the room; written again when another was there. */
export function placedAutomaton(
  memory: WebAssembly.Memory,
  scratch: AutomatonScratch,
  automaton: TextAutomaton,
): LaidAutomaton {
  if (scratch.holder?.automaton !== automaton) {
    scratch.holder = new LaidAutomaton(memory, scratch.address, automaton);
  }
  return scratch.holder;
}

/** An automaton as the kernel reads it. */
class LaidAutomaton {
  readonly #view: DataView;
  readonly #table: Uint32Array;
  #states = 0;

  constructor(
    memory: WebAssembly.Memory,
    address: number,
    readonly automaton: TextAutomaton,
  ) {
    const { classes, initial, rest, endClass } = automaton;
    this.#view = new DataView(memory.buffer, address, automatonScratchBytes);
    const tableAt = address + layout.table;
    this.#table = new Uint32Array(memory.buffer, tableAt, automatonTableBytes / 4);
    this.#view.setUint32(layout.first, this.#placeOf(initial), true);
    this.#view.setUint32(layout.rest, this.#placeOf(rest), true);
    this.#view.setUint32(layout.matched, this.#placeOf(1), true);
    this.#view.setUint32(layout.end, endClass, true);
    new Uint8Array(memory.buffer, address + layout.classes, 256).set(classes);
    const staying = classes.map((each) => (automaton.next(rest, each) === rest ? 1 : 0));
    new Uint8Array(memory.buffer, address + layout.stays, 256).set(staying);
    const leap = automaton.leap();
    this.#view.setUint32(
      layout.leapBytes,
      leap === null ? 0 : leap.first | (leap.second << 8),
      true,
    );
    this.#view.setUint32(layout.leapTo, leap === null ? 0 : this.#placeOf(leap.state), true);
    this.#layStates();
  }

  /** Whether the state that the kernel was stuck at is known now. */
  learn(): boolean {
    const state = this.#view.getUint32(layout.stuckState, true) / (this.automaton.rowLength * 4);
    const byteClass = this.#view.getUint32(layout.stuckClass, true);
    if (this.automaton.next(state, byteClass) === null) return false;
    this.automaton.writeRow(state, this.#table);
    this.#layStates();
    return true;
  }

  #layStates(): void {
    for (; this.#states < this.automaton.stateCount; this.#states++) {
      this.automaton.writeRow(this.#states, this.#table);
    }
  }

  #placeOf(state: number): number {
    return state * this.automaton.rowLength * 4;
  }
}
