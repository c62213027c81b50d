import { neverMasked } from "../memory/selection.js";
import type { ColumnDecode } from "../task/columnDecode.js";
import type { CompiledDerive, EvaluatedDerive } from "../task/deriveTask.js";
import type { ScanUnit, SegmentFilter } from "../task/scanTask.js";
import { valueOverflow } from "../value/valueOverflow.js";
import { allOf, anyOf, otherwise } from "./filterLogic.js";
import { type SelectContext, selectRows } from "./selectRows.js";

/**
 * Ends the query when a row that counts has a value beyond 64 bits: for a column that the filter
 * reads, a row of the time range that may pass or not by its other conditions; for others, a row
 * that passes.
 */
export function checkOverflow(
  context: SelectContext,
  unit: ScanUnit,
  decodes: readonly ColumnDecode[],
): void {
  const overflown = decodes.flatMap(({ encoded, readBy }) =>
    readBy === "others" || !isDerive(encoded)
      ? []
      : [{ name: encoded.column.name, bitmap: encoded.overflown, isPassed: readBy === "rest" }],
  );
  check(context, unit, overflown);
}

/**
 * The same for strings that the filter has tested row by row. True: some overflowed, and rows must
 * be selected again.
 */
export function checkTested(context: SelectContext, unit: ScanUnit): boolean {
  const { kernel } = context;
  const overflown = testedTexts(unit.filter).filter(
    ({ bitmap }) => kernel.countSelected(bitmap, unit.rowCount) > 0,
  );
  if (overflown.length > 0) check(context, unit, overflown);
  return overflown.length > 0;
}

interface Overflown {
  readonly name: string;
  readonly bitmap: number;
  /** Whether rows that pass are read, too. */
  readonly isPassed: boolean;
}

function check(context: SelectContext, unit: ScanUnit, overflown: readonly Overflown[]): void {
  const { certain, possible } = boundsOf(unit.filter);
  const undecided = allOf([possible, otherwise(certain)]);
  for (const { name, bitmap, isPassed } of overflown) {
    const has: SegmentFilter = { op: "bitmap", bitmap, negated: false };
    const refused = isPassed ? anyOf([undecided, unit.filter]) : undecided;
    const filter = allOf([has, refused]);
    if (selectRows(context, { ...unit, filter }, neverMasked).count > 0) throw valueOverflow(name);
  }
}

function testedTexts(filter: SegmentFilter): readonly Overflown[] {
  switch (filter.op) {
    case "all":
    case "any":
      return filter.filters.flatMap(testedTexts);
    case "otherwise":
    case "derived":
      return testedTexts(filter.filter);
    case "test": {
      const { source, overflown } = filter;
      if (source.kind !== "evaluated" || overflown === 0) return [];
      return [{ name: source.column.name, bitmap: overflown, isPassed: false }];
    }
    default:
      return [];
  }
}

/** The rows that pass for any value of the overflown cells, and those that pass for some values. */
function boundsOf(filter: SegmentFilter): { certain: SegmentFilter; possible: SegmentFilter } {
  switch (filter.op) {
    case "derived": {
      const { filter: known, overflown: bitmap } = filter;
      return {
        certain: allOf([known, { op: "bitmap", bitmap, negated: true }]),
        possible: anyOf([known, { op: "bitmap", bitmap, negated: false }]),
      };
    }
    case "otherwise": {
      const { certain, possible } = boundsOf(filter.filter);
      return { certain: otherwise(possible), possible: otherwise(certain) };
    }
    case "all":
    case "any": {
      const parts = filter.filters.map(boundsOf);
      const combine = filter.op === "all" ? allOf : anyOf;
      return {
        certain: combine(parts.map(({ certain }) => certain)),
        possible: combine(parts.map(({ possible }) => possible)),
      };
    }
    default:
      return { certain: filter, possible: filter };
  }
}

/** The same for rows that are listed: all of them are read. */
export function refuseOverflown(
  bytes: Uint8Array,
  overflown: readonly ColumnDecode[],
  rows: Uint32Array,
): void {
  for (const { encoded, readBy } of overflown) {
    if (readBy === "others" || !isDerive(encoded)) continue;
    const bitmap = encoded.overflown;
    for (const row of rows) {
      if (((bytes[bitmap + (row >> 3)]! >> (row & 7)) & 1) === 1)
        throw valueOverflow(encoded.column.name);
    }
  }
}

function isDerive(encoded: ColumnDecode["encoded"]): encoded is CompiledDerive | EvaluatedDerive {
  return encoded.kind === "compiled" || encoded.kind === "evaluated";
}
