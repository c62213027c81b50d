import { inTurns } from "../../base/schedule/steps.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import { createColumnReader } from "../../column/readColumn.js";
import { createTextReader } from "../../column/textReader.js";
import type { ResolvedSide } from "../../plan/query/resolvedQuery.js";
import { type SegmentView, segmentRowsMax } from "../../store/segment/segmentView.js";
import { decodedView } from "../derive/decodedView.js";
import type { FilterLowering } from "../filter/lowerFilter.js";
import { selectRows } from "../filter/selectRows.js";
import { QueryMemory } from "../memory/queryMemory.js";
import { neverMasked } from "../memory/selection.js";
import type { ScanContext } from "../thread/scanContext.js";
import { decodeColumns } from "../value/decodeColumns.js";
import { createStringReader } from "../value/stringReader.js";

/** The rows of any segment, for ranges of them. */
const everyRow = Uint32Array.from({ length: segmentRowsMax }, (_, row) => row);

interface Selecting {
  readonly filters: FilterLowering;
  readonly signal: StopSignal;
}

/**
 * The rows of a segment for which functions are called: those in the side's range that pass its
 * filter on stored columns.
 */
export async function rowsOfFunctions(
  { memory, kernel, scratch }: ScanContext,
  { filters, signal }: Selecting,
  { fromMs, toMs, filter }: ResolvedSide,
  segment: SegmentView,
): Promise<Uint32Array> {
  const own = new QueryMemory(memory);
  try {
    const view = decodedView(segment, own);
    const lowered = filters.lower(filter, view);
    if (lowered.op === "none") return new Uint32Array(0);
    await inTurns(filters.fill(), signal);
    const unit = {
      ...{ side: 0, rowCount: segment.rowCount, sorted: segment.sorted, fromMs, toMs },
      ...{ times: segment.times, timeBase: segment.timeBase, minMs: segment.minMs },
      ...{ encodedTimes: segment.encodedTimes, maxMs: segment.maxMs, weights: null },
      ...{ filter: lowered, groups: [], inputs: [], orders: [], bytes: 0, decodes: view.decodes },
      branches: [],
    };
    const reader = createColumnReader(memory.memory);
    const texts = createTextReader(memory.memory, kernel, scratch.pages);
    const strings = createStringReader(reader, texts);
    const context = { memory: memory.memory, kernel, reader, strings, rows: strings.rows, scratch };
    decodeColumns(context, unit);
    const { rows } = selectRows(context, unit, neverMasked);
    if (rows.rows !== 0) {
      return new Uint32Array(memory.memory.buffer, rows.rows, rows.count).slice();
    }
    return everyRow.subarray(rows.start, rows.start + rows.count);
  } finally {
    own.release();
  }
}
