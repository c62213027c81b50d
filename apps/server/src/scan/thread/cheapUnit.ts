import type { ScanUnit, SegmentFilter } from "../task/scanTask.js";

/** Each value that is looked for is a pass over the rows. */
const searchedIntsMax = 8;

/**
 * Whether a step over it keeps a thread for a fraction of a millisecond. Derived columns without
 * code take a microsecond a row.
 */
export function isCheapUnit({ filter, decodes }: ScanUnit): boolean {
  return isQuick(filter) && decodes.every(({ encoded }) => encoded.kind !== "evaluated");
}

/** Whether evaluating it takes the kernel some ten microseconds a segment. */
function isQuick(filter: SegmentFilter): boolean {
  switch (filter.op) {
    case "every":
    case "none":
    case "bitmap":
    case "range":
    case "codes":
      return true;
    case "ints":
      return filter.wanted.length <= searchedIntsMax;
    case "all":
    case "any":
      return filter.filters.length <= searchedIntsMax && filter.filters.every(isQuick);
    case "otherwise":
    case "derived":
      return isQuick(filter.filter);
    case "contains":
    case "test":
      return false;
  }
}
