import type { KernelOperations } from "./contract.js";
import { referenceAccumulation } from "./reference/accumulation.js";
import { referenceAutomaton } from "./reference/automaton.js";
import { referenceBestGroups } from "./reference/bestGroups.js";
import { referenceBuckets } from "./reference/buckets.js";
import { referenceCodeBits } from "./reference/codeBits.js";
import { referenceDeal } from "./reference/deal.js";
import { referenceDistinct } from "./reference/distinct.js";
import { referenceGroupCodes } from "./reference/groupCodes.js";
import { referenceGroups } from "./reference/groups.js";
import { MemoryView } from "./reference/memoryView.js";
import { referenceNarrow } from "./reference/narrow.js";
import { referencePacked } from "./reference/packed.js";
import { referencePartedKeys } from "./reference/partedKeys.js";
import { referenceRadix } from "./reference/radix.js";
import { referenceScanProgram } from "./reference/scanProgram.js";
import { referenceSeal } from "./reference/seal.js";
import { referenceSelections } from "./reference/selections.js";
import { referenceSpread } from "./reference/spread.js";
import { referenceSquares } from "./reference/squares.js";
import { referenceTemplates } from "./reference/templates.js";
import { referenceText } from "./reference/text.js";
import { referenceTotals } from "./reference/totals.js";
import { referenceValueTable } from "./reference/valueTable.js";

/**
 * The kernel in plain TypeScript: one row at a time, one value at a time, BigInt wherever 53 bits would
 * not do. Slow and obvious: it is what the kernel's tests believe.
 */
export function createReferenceKernel(memory: WebAssembly.Memory): KernelOperations {
  const view = new MemoryView(memory);
  return {
    ...referenceSelections(view),
    ...referenceGroups(view),
    ...referenceAutomaton(view),
    ...referenceBestGroups(view),
    ...referenceGroupCodes(view),
    ...referenceAccumulation(view),
    ...referenceSeal(view),
    ...referenceNarrow(view),
    ...referencePacked(view),
    ...referencePartedKeys(view),
    ...referenceScanProgram(view),
    ...referenceSpread(view),
    ...referenceSquares(view),
    ...referenceDeal(view),
    ...referenceDistinct(view),
    ...referenceCodeBits(view),
    ...referenceTemplates(view),
    ...referenceText(view),
    ...referenceBuckets(view),
    ...referenceTotals(view),
    ...referenceValueTable(view),
    ...referenceRadix(view),
  };
}
