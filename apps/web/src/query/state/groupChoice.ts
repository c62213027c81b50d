import {
  type BucketBound,
  type ColumnInfo,
  exactNumber,
  type Facet,
  type NumberBucket,
} from "@hadal/sdk";
import { type GroupSpec, groupColumn } from "../group/groupSpec.js";
import { soundsLikeId } from "../group/idColumns.js";
import { limitOfForm } from "./exploreState.js";

/** How a column can be split by: its values, each element of its lists, or ranges of its numbers. */
export type GroupWay = "values" | "elements" | "log" | "steps" | "edges";

export function waysOf(column: ColumnInfo): readonly GroupWay[] {
  if (column.type === "int") return ["values", "log", "steps", "edges"];
  return column.type === "string" ? ["values"] : ["elements", "values"];
}

export function wayOf(spec: GroupSpec): GroupWay {
  if (typeof spec === "string") return "values";
  if ("element" in spec) return "elements";
  return spec.edges !== undefined ? "edges" : spec.scale === "log" ? "log" : "steps";
}

/** More different numbers than a table has lines at first are measured, not grouped. */
const valuesMax = limitOfForm;

/** What is known of a column's values once they are counted. */
export type ValuesKnown = Pick<Facet, "distinct" | "ranges">;

type Named = Pick<ColumnInfo, "name" | "type" | "unit" | "decimals">;

/** The split that people mean who name a column: lists by element, measures by range, all else by value. */
export function usualGroup(column: Named, known: ValuesKnown | null = null): GroupSpec {
  if (column.type === "set" || column.type === "vector") return { element: column.name };
  return isMeasure(column, known) ? rangesOf(column, known) : column.name;
}

/** Numbers with a unit; without one, numbers with many values that are not ids. */
function isMeasure({ name, type, unit, decimals }: Named, known: ValuesKnown | null): boolean {
  if (type !== "int") return false;
  if (unit !== undefined) return true;
  if (known === null) return decimals > 0;
  return (known.distinct === null || known.distinct > valuesMax) && !soundsLikeId(name);
}

/** Numbers of one magnitude (times, years) would fall in one or two of the ranges 1, 2, 5, 10 … */
function rangesOf({ name, decimals }: Named, known: ValuesKnown | null): NumberBucket {
  const bounds = (known?.ranges ?? []).flatMap(({ from }) => from ?? []);
  const [low = 0, high = 0] = [bounds[0], bounds.at(-1)];
  const [, width] = suggestedWidths(high - low, decimals);
  const isOneSize = low > 0 && high > low && high < 3 * low && width !== undefined;
  return isOneSize ? { bucket: name, width } : { bucket: name, scale: "log" };
}

export type GroupDraft =
  | { readonly ok: true; readonly spec: GroupSpec }
  | { readonly ok: false; readonly reason: string };

/** A split in this way; `text` is the width of steps, or the edges. The name of its result column is kept. */
export function makeGroup(before: GroupSpec, way: GroupWay, text: string): GroupDraft {
  const column = groupColumn(before);
  const as = typeof before === "string" || before.as === undefined ? {} : { as: before.as };
  if (way === "values") return { ok: true, spec: column };
  if (way === "elements") return { ok: true, spec: { element: column, ...as } };
  if (way === "log") return { ok: true, spec: { bucket: column, scale: "log", ...as } };
  const parts = text.split(/[,;\s]+/).filter((part) => part !== "");
  if (parts.length === 0 || parts.some((part) => !Number.isFinite(Number(part)))) {
    return {
      ok: false,
      reason: way === "steps" ? "Type a number." : "Type numbers: 10, 100, 1000",
    };
  }
  const numbers = parts.map(exactNumber);
  if (way === "steps") return stepsOf({ bucket: column, ...as }, numbers);
  const edges = [...new Set(numbers)].sort((a, b) => Number(a) - Number(b));
  return { ok: true, spec: { bucket: column, edges, ...as } };
}

function stepsOf(bucket: NumberBucket, [width = 0, ...more]: readonly BucketBound[]): GroupDraft {
  if (Number(width) <= 0 || more.length > 0)
    return { ok: false, reason: "Steps have one width above 0." };
  return { ok: true, spec: { ...bucket, width } };
}

/** Round widths that cut the span into about 50, 20, 10 and 5 steps; whole ones for whole numbers. */
export function suggestedWidths(span: number, decimals: number): readonly number[] {
  const least = decimals > 0 ? 10 ** -decimals : 1;
  const widths = [50, 20, 10, 5].map((count) => Math.max(least, roundNumber(span / count)));
  return [...new Set(widths)];
}

/** 1, 2 or 5 times a power of ten, near the number. */
export function roundNumber(value: number): number {
  if (!(value > 0)) return 0;
  const power = Math.floor(Math.log10(value));
  const mantissa = value / 10 ** power;
  const digit = mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10;
  return Number(`${digit}e${power}`);
}
