// The kernel: numbers and loops over memory that the host lays out. Nothing is allocated here, and
// no static data is written, so any number of threads may run it over one memory.
export { matchTexts } from "./text/automaton";
export { listBestGroups } from "./aggregate/bestGroups";
export {
  andInto, andNotInto, countOfRun, countSelected, orInto, rowsOfSelection, selectRows,
} from "./base/bitset";
export { countInHistograms } from "./aggregate/bucketCount";
export { bucketKeys, listBuckets, numberGroups } from "./aggregate/bucketList";
export { measureBuckets } from "./aggregate/bucketRuns";
export { bucketByEdges, bucketBySteps } from "./group/bucketInts";
export { codeInts, weighCodes } from "./seal/byteCodes";
export { addCodeGroups, addCodeKeys } from "./group/codeGroup";
export { packCodes, spreadCodes, unpackCodes } from "./seal/codeBits";
export { selectCodes } from "./select/codeSet";
export { selectRange } from "./select/compare";
export { clearGroups, clearKeys } from "./group/component";
export { addRows } from "./aggregate/count";
export { listCutRanks } from "./aggregate/cutRanks";
export { dealGroups, dealValues, readEnds } from "./group/deal";
export {
  addElements, addToBitmaps, addToRegisters, codeElements, intElements,
} from "./aggregate/distinct";
export { addEdgeGroups, addEdgeKeys } from "./group/edgeGroup";
export { explodeRows } from "./group/explode";
export { addMaximums, addMinimums } from "./aggregate/extreme";
export { clearHashTable, hashKeys } from "./hash/hashKeys";
export { findRuns } from "./group/edgeRun";
export { addToHistograms } from "./aggregate/histogram";
export { addIntGroups, addIntKeys } from "./group/intGroup";
export { addLowSums, flushLowSums } from "./aggregate/lowSums";
export { addNarrowRows, clearNarrowTable, flushNarrowTable } from "./hash/narrow";
export { binNarrowRanks, listNarrowGroups, listNarrowKeys } from "./hash/narrowList";
export { countFilled, packBuckets } from "./seal/packBuckets";
export { measureDeltas, packDeltas, unpackDeltas } from "./seal/packed";
export { lowerBoundOfPacked, lowerBoundsOfPacked } from "./seal/packedSearch";
export { clearPartedKeys, mixKeys, numberPartedKeys } from "./hash/partedKeys";
export { permuteBits, permuteCodes, permuteInts } from "./seal/permute";
export { addProducts, addWeights } from "./aggregate/product";
export { addRadixCounts, addRadixKeys, clearRadixTable, findRadixKeys, flushRadixTable } from "./hash/radix";
export { findRange } from "./seal/range";
export { runProgram } from "./program/scanProgram";
export { lowerBound } from "./select/search";
export { sortByTime } from "./seal/sortTime";
export { addSpread } from "./aggregate/spread";
export { addSquares, addWideSquares } from "./aggregate/squares";
export { lz4Decompress } from "./text/lz4";
export { packTexts } from "./text/packTexts";
export { expandLengths } from "./text/pageTable";
export { searchPages } from "./text/textPages";
export { selectPages, signPages } from "./text/textSignature";
export { fillTemplates, findTemplates, packTemplates, writeTemplates } from "./text/textTemplates";
export { flushTallies, tallyRows } from "./aggregate/tallies";
export { takeTimes } from "./seal/times";
export { addTotals } from "./aggregate/totals";
export { listMarked, lookUpCodes, markValues } from "./seal/valueTable";
export { addWideProducts } from "./aggregate/wideProduct";
export { staticDataEnd } from "./base/staticData";
