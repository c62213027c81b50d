import { mergePartials } from "../aggregate/mergePartials.js";
import type { PartialResult, PartialSide, StateColumn } from "../aggregate/partialResult.js";
import { mergeSeries } from "../aggregate/seriesOf.js";
import type { StopSignal } from "../base/stopController.js";
import { finishSums } from "../function/finishSums.js";
import { placedFault } from "../function/functionFault.js";
import type { SandboxHost } from "../function/sandboxHost.js";
import type { FinishAggregate } from "../plan/finishPlan.js";
import type { ResolvedQuery, StateSpec } from "../plan/resolvedQuery.js";
import type { SplitQuery } from "../plan/splitQuery.js";

type FinishedColumn = Extract<StateColumn, { readonly kind: "finished" }>;

/** The merged parts, with what functions made of their states. */
export interface FinishedFunctions {
  readonly merged: PartialResult;
  /** The sides of `merged` over all their time buckets; null: the query ranks no series. */
  readonly series: readonly PartialSide[] | null;
  readonly split: SplitQuery;
}

/** Whether functions of users aggregate rows of the query. */
export function usesFunctions({ resolved }: SplitQuery): boolean {
  return resolved.states.some(({ kind }) => kind === "function");
}

/** Merges what leaves gathered, and has the states of functions merged and finished in the sandbox; others are left to be finished. Null: it uses none. */
export async function finishFunctions(
  parts: readonly PartialResult[],
  split: SplitQuery,
  sandbox: SandboxHost,
  signal: StopSignal,
): Promise<FinishedFunctions | null> {
  if (!usesFunctions(split)) return null;
  const { resolved, finish } = split;
  const merged = mergePartials(parts, resolved);
  const texts = new Set<number>();
  const finishSides = (sides: readonly PartialSide[]): Promise<readonly PartialSide[]> =>
    finishStates(sides, resolved, sandbox, signal, texts);
  // Series are ranked by what they come to over the whole range, which their points do not tell.
  const series =
    finish.series === null
      ? null
      : await finishSides(merged.sides.map((side) => mergeSeries(side, resolved)));
  const sides = await finishSides(merged.sides);
  const aggregates = finish.aggregates.map((aggregate) => typed(aggregate, texts));
  return {
    merged: { ...merged, sides },
    series,
    split: { ...split, finish: { ...finish, aggregates } },
  };
}

/** The sides with the results of functions in place of their states; notes which of these are strings. */
async function finishStates(
  sides: readonly PartialSide[],
  { states }: ResolvedQuery,
  sandbox: SandboxHost,
  signal: StopSignal,
  texts: Set<number>,
): Promise<readonly PartialSide[]> {
  const finishedSides = sides.map((side) => ({ ...side, states: [...side.states] }));
  for (const [stateIndex, spec] of states.entries()) {
    if (spec.kind !== "function") continue;
    const columns = sides.map((side) => side.states[stateIndex]!);
    const finished = await finishOne(spec, columns, sandbox, signal).catch((error: unknown) => {
      throw placedFault(error, `states[${stateIndex}]`, null);
    });
    finished.forEach((column, i) => {
      finishedSides[i]!.states[stateIndex] = column;
    });
    const isText = finished.some(({ values }) => values.some((one) => typeof one === "string"));
    if (isText) texts.add(stateIndex);
  }
  return finishedSides;
}

async function finishOne(
  { source, columns: inputs, additive, finish }: Extract<StateSpec, { kind: "function" }>,
  columns: readonly StateColumn[],
  sandbox: SandboxHost,
  signal: StopSignal,
): Promise<readonly FinishedColumn[]> {
  const texts = columns.map((column) => {
    if (column.kind !== "function") throw new Error("a function's states are of another kind");
    return column.states;
  });
  if (additive !== undefined && finish !== undefined) {
    return texts.map((states) => ({
      kind: "finished",
      values: finishSums(states, additive, finish),
    }));
  }
  const program = { kind: "aggregate", source, columnCount: inputs.length } as const;
  const run = await sandbox.open(program, signal);
  try {
    const finished: FinishedColumn[] = [];
    for (const states of texts) {
      const call = { kind: "finalize", states: JSON.stringify(states) } as const;
      const { values } = await run.call(call, "finalized");
      finished.push({
        kind: "finished",
        values: JSON.parse(values) as readonly (number | string | null)[],
      });
    }
    return finished;
  } finally {
    run.close();
  }
}

/** Its values alone tell whether a function returns numbers or strings. */
function typed(aggregate: FinishAggregate, texts: ReadonlySet<number>): FinishAggregate {
  const { value } = aggregate;
  const isText = value.kind === "function" && texts.has(value.stateIndex);
  return isText ? { ...aggregate, type: "string" } : aggregate;
}
