// The kernel: numbers and loops over memory that the host lays out. Nothing is allocated here, and no
// static data is written, so any number of threads may run it over one memory.
export { matchTexts } from "./automaton";
export { listBestGroups } from "./bestGroups";
export {
  andInto, andNotInto, countOfRun, countSelected, orInto, rowsOfSelection, selectRows,
} from "./bitset";
export { countInHistograms } from "./bucketCount";
export { bucketKeys, listBuckets, numberGroups } from "./bucketList";
export { measureBuckets } from "./bucketRuns";
export { bucketByEdges, bucketBySteps } from "./bucketInts";
export { codeInts, weighCodes } from "./byteCodes";
export { addCodeGroups, addCodeKeys } from "./codeGroup";
export { packCodes, spreadCodes, unpackCodes } from "./codeBits";
export { selectCodes } from "./codeSet";
export { selectRange } from "./compare";
export { clearGroups, clearKeys } from "./component";
export { addRows } from "./count";
export { listCutRanks } from "./cutRanks";
export { dealGroups, dealValues, readEnds } from "./deal";
export {
  addElements, addToBitmaps, addToRegisters, codeElements, intElements,
} from "./distinct";
export { addEdgeGroups, addEdgeKeys } from "./edgeGroup";
export { explodeRows } from "./explode";
export { addMaximums, addMinimums } from "./extreme";
export { clearHashTable, hashKeys } from "./hashKeys";
export { findRuns } from "./edgeRun";
export { addToHistograms } from "./histogram";
export { addIntGroups, addIntKeys } from "./intGroup";
export { addLowSums, flushLowSums } from "./lowSums";
export { addNarrowRows, clearNarrowTable, flushNarrowTable } from "./narrow";
export { binNarrowRanks, listNarrowGroups, listNarrowKeys } from "./narrowList";
export { countFilled, packBuckets } from "./packBuckets";
export { measureDeltas, packDeltas, unpackDeltas } from "./packed";
export { lowerBoundOfPacked, lowerBoundsOfPacked } from "./packedSearch";
export { clearPartedKeys, mixKeys, numberPartedKeys } from "./partedKeys";
export { permuteBits, permuteCodes, permuteInts } from "./permute";
export { addProducts, addWeights } from "./product";
export { addRadixCounts, addRadixKeys, clearRadixTable, findRadixKeys, flushRadixTable } from "./radix";
export { findRange } from "./range";
export { runProgram } from "./scanProgram";
export { lowerBound } from "./search";
export { sortByTime } from "./sortTime";
export { addSpread } from "./spread";
export { addSquares, addWideSquares } from "./squares";
export { lz4Decompress } from "./lz4";
export { packTexts } from "./packTexts";
export { expandLengths } from "./pageTable";
export { searchPages } from "./textPages";
export { selectPages, signPages } from "./textSignature";
export { fillTemplates, findTemplates, packTemplates, writeTemplates } from "./textTemplates";
export { flushTallies, tallyRows } from "./tallies";
export { takeTimes } from "./times";
export { addTotals } from "./totals";
export { listMarked, lookUpCodes, markValues } from "./valueTable";
export { addWideProducts } from "./wideProduct";
export { staticDataEnd } from "./staticData";
