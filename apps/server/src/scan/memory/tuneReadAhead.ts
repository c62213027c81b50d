import { performance } from "node:perf_hooks";
import {
  columnWords,
  type KernelOperations,
  programHeadBytes,
  programScratchBytes,
  programTotalsBytes,
  switchReadAhead,
  unitHeadWords,
  writeProgramColumn,
  writeProgramHead,
  writeProgramUnit,
} from "@hadal/kernel-wasm";
import { median } from "../../base/number/median.js";
import type { Extents } from "../../memory/extents.js";
import type { LeafMemory } from "../../memory/leafMemory.js";

/**
 * A piece of memory is read as this many rows with two columns: one of 2 bytes, which is compared,
 * and one of 3 bytes, which is summed.
 */
const pieceRows = 8_192;
const widths = { compared: 2, added: 3 } as const;
const pieceBytes = pieceRows * (widths.compared + widths.added);
/** 64 MiB, so that little of it is in a cache. */
const piecesWanted = 1_600;
/** A measurement takes some fifty microseconds. */
const piecesTimed = 16;
/** Smaller differences do not count. */
const leastGain = 0.05;

/**
 * Lets the kernel's loops read ahead where that is faster: on a processor that does not fetch a
 * column's next lines in time. Measured once, on the first stored rows: their bytes are scanned
 * with and without it, some 15 ms in all. Returns false, and changes nothing, while there are too
 * few rows or no room.
 */
export function tuneReadAhead(leaf: LeafMemory, kernel: KernelOperations): boolean {
  const { memory, store, queries } = leaf;
  if (store.usedBytes < piecesWanted * pieceBytes) return false;
  const pieces = oldestPieces(store);
  if (pieces.length < piecesWanted) return false;
  const totalsBytes = programTotalsBytes(1);
  const program = queries.allocate(totalsBytes + programScratchBytes + programBytes);
  if (program === null) return false;
  try {
    writeProgram(memory, program, pieces);
    const totals = program + programBytes;
    // Alternating, so that other load on the machine affects both alike.
    const timesMs: Record<"on" | "off", number[]> = { on: [], off: [] };
    for (let first = 0; first < piecesWanted; first += piecesTimed) {
      const readAhead = first % (2 * piecesTimed) === 0 ? "on" : "off";
      switchReadAhead(memory, readAhead);
      const startMs = performance.now();
      kernel.runProgram(program, first, first + piecesTimed, totals, totals + totalsBytes);
      timesMs[readAhead].push(performance.now() - startMs);
    }
    const pays = median(timesMs.on) < median(timesMs.off) * (1 - leastGain);
    switchReadAhead(memory, pays ? "on" : "off");
    return true;
  } finally {
    queries.release(program);
  }
}

/** Addresses in the rows that were taken in first: few queries read them. */
function oldestPieces(store: Extents): number[] {
  const pieces: number[] = [];
  for (const [address, bytes] of store.handedOut()) {
    for (let at = 0; at + pieceBytes <= bytes && pieces.length < piecesWanted; at += pieceBytes) {
      pieces.push(address + at);
    }
    if (pieces.length === piecesWanted) break;
  }
  return pieces;
}

/** Nearly any value passes. */
const conditions = [{ negated: false, ranges: [[1n, 65_534n]] }] as const;
const unitWords = unitHeadWords + 2 * columnWords;
const programBytes = programHeadBytes(conditions) + piecesWanted * unitWords * 4;

function writeProgram(memory: WebAssembly.Memory, program: number, pieces: number[]): void {
  writeProgramHead(memory, program, conditions, 1, { count: 0, rows: 0 });
  const unitsAt = program + programHeadBytes(conditions);
  const words = new Int32Array(memory.buffer, unitsAt, piecesWanted * unitWords);
  const plain = { base: 0n, present: 0, table: null };
  const unit = { rowCount: pieceRows, from: 0, to: pieceRows };
  pieces.forEach((address, index) => {
    const at = index * unitWords;
    writeProgramUnit(words, at, {
      ...unit,
      weights: null,
      readBytes: pieceBytes,
      trueConditions: 0,
    });
    const compared = { address, width: widths.compared };
    const added = { address: address + pieceRows * widths.compared, width: widths.added };
    writeProgramColumn(words, at + unitHeadWords, { ...plain, values: compared });
    writeProgramColumn(words, at + unitHeadWords + columnWords, { ...plain, values: added });
  });
}
