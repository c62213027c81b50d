import { type ColumnInfo, sampleRateColumn, timeColumn } from "@hadal/sdk";
import {
  type Aggregate,
  isRatio,
  type Plain,
  type Ratio,
} from "../../../query/number/aggregate.js";
import { numberName } from "../../../query/number/labels.js";

/** The fields of the ratio editor. */
export interface RatioDraft {
  readonly of: Plain;
  readonly by: Plain;
  readonly isPercent: boolean;
  /** The name as typed; empty: the default name. */
  readonly as: string;
}

type RatioResult =
  | { readonly ok: true; readonly spec: Ratio }
  | { readonly ok: false; readonly reason: string };

export const count: Plain = { fn: "count" };

/** The ratio of the draft, or the reason why it is invalid. */
export function readRatio(draft: RatioDraft, others: readonly Aggregate[]): RatioResult {
  const { of, by, isPercent } = draft;
  const as = draft.as.trim();
  const spec: Ratio = {
    ...{ fn: "ratio", of, by },
    ...(isPercent && { percent: true as const }),
    ...(as !== "" && { as }),
  };
  const name = numberName(spec);
  if (numberName(of) === numberName(by)) {
    const reason = "This ratio is always 1: choose different numbers, or add a condition to one.";
    return { ok: false, reason };
  }
  if (others.some((other) => numberName(other) === name)) {
    return { ok: false, reason: `“${name}” already exists: choose a different name.` };
  }
  return { ok: true, spec };
}

export function withoutCondition(spec: Plain): Plain {
  if (spec.columns !== undefined || spec.where === undefined) return spec;
  const { where: _, as: __, ...whole } = spec;
  return whole;
}

/** The aggregates of the form, then count, then the sums of number columns, by name. */
export function ratioChoices(
  shown: readonly Aggregate[],
  columns: readonly ColumnInfo[],
): ReadonlyMap<string, Plain> {
  const own = shown.filter((spec) => !isRatio(spec)).map(withoutCondition);
  const sums = columns
    .filter(({ name, type }) => type === "int" && name !== timeColumn && name !== sampleRateColumn)
    .map(({ name }): Plain => ({ fn: "sum", column: name }));
  return new Map([...own, count, ...sums].map((spec) => [numberName(spec), spec]));
}
