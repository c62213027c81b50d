import { HadalError, type Having, nearestHint, type ResultType, resolveTime } from "@hadal/sdk";
import {
  type ExactDecimal,
  floorScaled,
  parseExactDecimal,
} from "../../base/number/decimalText.js";
import type {
  FinishAggregate,
  FinishGroup,
  FinishHaving,
  FinishTarget,
  HavingTest,
} from "../query/finishPlan.js";
import type { QueryClock } from "../query/queryClock.js";
import { typeMismatch } from "../schema/tableSchema.js";
import { resultTargets } from "./resolveOrder.js";

/** Conditions on the finished rows, bound to the result's columns. Throws a HadalError that names the path at fault. */
export function resolveHaving(
  having: readonly Having[],
  groups: readonly FinishGroup[],
  aggregates: readonly FinishAggregate[],
  { compare, clock }: { readonly compare: boolean; readonly clock: QueryClock },
): readonly FinishHaving[] {
  if (having.length === 0) return [];
  const targets = resultTargets(groups, aggregates, { compare });
  return having.map((one, i): FinishHaving => {
    const path = `having[${i}]`;
    const target = targets.get(one.column);
    if (target === undefined) {
      const detail = `The result has no column "${one.column}" to compare.${nearestHint(one.column, targets.keys())}`;
      throw new HadalError("invalid-query", { detail }, [
        { path: `${path}.column`, code: "unknown-result-column", detail },
      ]);
    }
    return { target, test: resolveTest(one, typeOf(target, groups, aggregates), path, clock) };
  });
}

interface CellType {
  readonly type: ResultType;
  readonly decimals: number;
  readonly isFunction: boolean;
}

function typeOf(
  target: FinishTarget,
  groups: readonly FinishGroup[],
  aggregates: readonly FinishAggregate[],
): CellType {
  if (target.kind === "key") return { ...groups[target.groupIndex]!, isFunction: false };
  const { type, decimals, value } = aggregates[target.aggregateIndex]!;
  const isFunction = value.kind === "function";
  if (target.part === "delta_pct") return { type: "float", decimals: 0, isFunction };
  // The time between two times.
  const isSpan = target.part === "delta" && type === "time";
  return { type: isSpan ? "int" : type, decimals, isFunction };
}

function resolveTest(
  { column, op, value }: Having,
  { type, decimals, isFunction }: CellType,
  path: string,
  clock: QueryClock,
): HavingTest {
  if (op === "is missing" || op === "is present") {
    return { kind: "present", negated: op === "is missing" };
  }
  const refuse = (wanted: string): HadalError =>
    typeMismatch(
      `${path}.value`,
      `The result column ${column} (${type}) compares with ${wanted}; found ${JSON.stringify(value) ?? "nothing"}.`,
    );
  switch (type) {
    case "string":
      if (typeof value !== "string") throw refuse("strings");
      return { kind: "string", op, value };
    case "set":
    case "vector":
    case "histogram":
      throw typeMismatch(
        `${path}.column`,
        `The result column ${column} (${type}) compares with nothing: ask whether it is present or missing.`,
      );
    case "float": {
      const number = value === undefined ? null : parseExactDecimal(String(value).trim());
      // What a function of rows returns is known when it has.
      if (number === null && isFunction && typeof value === "string") {
        return { kind: "string", op, value };
      }
      if (number === null) throw refuse("numbers");
      return { kind: "float", op, value: Number(value) };
    }
    default: {
      const number = readNumber(value, type, clock);
      if (number === null) throw refuse(type === "time" ? "times" : "numbers");
      return { kind: "exact", op, ...floorScaled(number, decimals) };
    }
  }
}

function readNumber(
  value: Having["value"],
  type: ResultType,
  clock: QueryClock,
): ExactDecimal | null {
  if (value === undefined) return null;
  const number = parseExactDecimal(String(value).trim());
  if (number !== null || type !== "time") return number;
  try {
    return { digits: BigInt(resolveTime(value, clock.nowMs, clock.timeZone)), scale: 0 };
  } catch (error) {
    if (error instanceof HadalError) return null;
    throw error;
  }
}
