/** Which operations a family has: the kernel and its plain twin build each family from the same list. */
export type SelectionName =
  | "selectRows"
  | "selectRange"
  | "selectCodes"
  | "andInto"
  | "orInto"
  | "andNotInto"
  | "countSelected"
  | "rowsOfSelection"
  | "lowerBound";

export type GroupName =
  | "clearGroups"
  | "addCodeGroups"
  | "addIntGroups"
  | "addEdgeGroups"
  | "clearKeys"
  | "addCodeKeys"
  | "addIntKeys"
  | "addEdgeKeys"
  | "hashKeys"
  | "clearHashTable";

export type AccumulateName =
  | "addRows"
  | "addWeights"
  | "addProducts"
  | "addWideProducts"
  | "addMinimums"
  | "addMaximums"
  | "addToHistograms";

export type SealName =
  | "sortByTime"
  | "permuteInts"
  | "permuteCodes"
  | "permuteBits"
  | "findRange"
  | "takeTimes";
