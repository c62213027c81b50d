import type { KernelOperations } from "@hadal/kernel-wasm";
import type { StoredTexts } from "../../column/pageTable.js";
import type { Scratch } from "../memory/scratch.js";
import { placedAutomaton } from "../pattern/placedAutomaton.js";
import type { TextAutomaton } from "../pattern/textAutomaton.js";
import type { StringReader } from "../value/stringReader.js";

interface MatchContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly strings: StringReader;
  readonly scratch: Pick<Scratch, "rows" | "automaton">;
}

/**
 * The rows of the scratch's list, `count` of them, and the bitmap where matching ones are marked.
 */
interface ListedTexts {
  readonly texts: StoredTexts;
  readonly count: number;
  readonly out: number;
}

interface TextMatch {
  readonly automaton: TextAutomaton;
  /** Decides one row where the automaton would become too large. */
  readonly exact: (row: number) => boolean;
}

/** Marks the listed rows whose text matches. */
export function matchTexts(
  { kernel, scratch, memory, strings }: MatchContext,
  { texts, count, out }: ListedTexts,
  { automaton, exact }: TextMatch,
): void {
  const laid = placedAutomaton(memory, scratch.automaton, automaton);
  const rows = new Uint32Array(memory.buffer, scratch.rows, count);
  const bits = new Uint8Array(memory.buffer, out);
  strings.texts.eachPage(texts, rows, (page, first, end) => {
    const goOn = (from: number): number =>
      kernel.matchTexts(out, page, scratch.rows, from, end, scratch.automaton.address);
    for (let at = goOn(first); at < end; at = goOn(at)) {
      if (laid.learn()) continue;
      const row = rows[at++]!;
      if (exact(row)) bits[row >> 3]! |= 1 << (row & 7);
    }
  });
}
