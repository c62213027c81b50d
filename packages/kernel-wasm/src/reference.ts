import type { KernelOperations } from "./contract.js";
import { referenceAccumulation } from "./reference/aggregate/accumulation.js";
import { referenceBestGroups } from "./reference/aggregate/bestGroups.js";
import { referenceBuckets } from "./reference/aggregate/buckets.js";
import { referenceDistinct } from "./reference/aggregate/distinct.js";
import { referenceSpread } from "./reference/aggregate/spread.js";
import { referenceSquares } from "./reference/aggregate/squares.js";
import { referenceTotals } from "./reference/aggregate/totals.js";
import { referenceDeal } from "./reference/group/deal.js";
import { referenceGroupCodes } from "./reference/group/groupCodes.js";
import { referenceGroups } from "./reference/group/groups.js";
import { referenceHashKeys } from "./reference/hash/hashKeys.js";
import { referenceNarrow } from "./reference/hash/narrow.js";
import { referencePartedKeys } from "./reference/hash/partedKeys.js";
import { referenceRadix } from "./reference/hash/radix.js";
import { MemoryView } from "./reference/memoryView.js";
import { referenceScanProgram } from "./reference/program/scanProgram.js";
import { referenceCodeBits } from "./reference/seal/codeBits.js";
import { referenceOrder } from "./reference/seal/order.js";
import { referencePacked } from "./reference/seal/packed.js";
import { referenceValueTable } from "./reference/seal/valueTable.js";
import { referenceSelections } from "./reference/select/selections.js";
import { referenceAutomaton } from "./reference/text/automaton.js";
import { referenceTemplates } from "./reference/text/templates.js";
import { referenceText } from "./reference/text/text.js";

/**
 * The kernel in plain TypeScript, one value at a time, with BigInt where 53 bits are not enough.
 * Slow and obvious: tests compare the kernel with it.
 */
export function createReferenceKernel(memory: WebAssembly.Memory): KernelOperations {
  const view = new MemoryView(memory);
  return {
    ...referenceSelections(view),
    ...referenceGroups(view),
    ...referenceHashKeys(view),
    ...referenceAutomaton(view),
    ...referenceBestGroups(view),
    ...referenceGroupCodes(view),
    ...referenceAccumulation(view),
    ...referenceOrder(view),
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
