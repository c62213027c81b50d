import { HadalError } from "@hadal/sdk";
import { mergeSteps } from "../../aggregate/merge/mergePartials.js";
import { mergeSeries } from "../../aggregate/merge/seriesOf.js";
import type {
  PartialResult,
  PartialSide,
  StateColumn,
} from "../../aggregate/partial/partialResult.js";
import { columnOf } from "../../aggregate/state/stateKind.js";
import { afterMs } from "../../base/schedule/deadlines.js";
import { inTurns } from "../../base/schedule/steps.js";
import { StopController, type StopSignal } from "../../base/schedule/stopController.js";
import { bigintTag, finishSums } from "../../function/evaluate/finishSums.js";
import { placedProblem } from "../../function/sandbox/functionProblem.js";
import type { SandboxHost } from "../../function/sandbox/sandboxHost.js";
import type { ResolvedQuery, StateSpec } from "../../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";

type FinishedColumn = Extract<StateColumn, { readonly kind: "finished" }>;

/** The merged parts, with the results of functions. */
export interface FinishedFunctions {
  readonly merged: PartialResult;
  /** The sides of `merged` over all their time buckets; null: the query ranks no series. */
  readonly series: readonly PartialSide[] | null;
  readonly split: SplitQuery;
}

/** Whether the query has aggregate functions of users. */
export function usesFunctions({ resolved }: SplitQuery): boolean {
  return resolved.states.some(({ kind }) => kind === "function");
}

/** Share of a query's time that is reserved for functions to merge and finish states. */
const finishShare = 0.2;

/** Deadline for the leaves. */
export function leafDeadline(split: SplitQuery, { startedAt, deadline }: QuerySpan): number {
  return usesFunctions(split) ? deadline - (deadline - startedAt) * finishShare : deadline;
}

interface QuerySpan {
  readonly startedAt: number;
  readonly deadline: number;
}

/** {@link finishFunctions} until the deadline: rejects with `function-limit` then. */
export async function finishInTime(
  parts: readonly PartialResult[],
  split: SplitQuery,
  sandbox: SandboxHost,
  { startedAt, deadline, nowMs, signal }: QuerySpan & { nowMs: number; signal: StopSignal },
): Promise<FinishedFunctions | null> {
  if (!usesFunctions(split)) return null;
  const stop = new StopController();
  const cancel = (): void => stop.abort();
  signal.addEventListener("abort", cancel, { once: true });
  let isLate = false;
  const callOff = afterMs(deadline - nowMs, () => {
    isLate = true;
    stop.abort();
  });
  try {
    return await finishFunctions(parts, split, sandbox, stop.signal);
  } catch (error) {
    if (!isLate) throw error;
    const what = "takes longer for the query's groups than the query may";
    throw new HadalError("function-limit", {
      ...{ what, max: Math.round(deadline - startedAt), limitName: "timeoutMs" },
    });
  } finally {
    callOff();
    signal.removeEventListener("abort", cancel);
  }
}

/** Merges the leaves' states, and finishes those of functions in the sandbox; other states stay unfinished. */
async function finishFunctions(
  parts: readonly PartialResult[],
  split: SplitQuery,
  sandbox: SandboxHost,
  signal: StopSignal,
): Promise<FinishedFunctions> {
  const { resolved, finish } = split;
  const merged = await inTurns(mergeSteps(parts, resolved), signal);
  const finishSides = (sides: readonly PartialSide[]): Promise<readonly PartialSide[]> =>
    finishStates(sides, resolved, sandbox, signal);
  // Series are ranked by their value over the whole range, which cannot be computed from the points.
  const series =
    finish.series === null
      ? null
      : await finishSides(merged.sides.map((side) => mergeSeries(side, resolved)));
  const sides = await finishSides(merged.sides);
  const types = typesOf([...sides, ...(series ?? [])], resolved);
  const typed = (side: PartialSide): PartialSide => ({
    ...side,
    states: side.states.map((column, stateIndex) => {
      const type = types.get(stateIndex);
      return type === undefined ? column : valuesAs(type, column);
    }),
  });
  const aggregates = finish.aggregates.map((aggregate) => {
    const { value } = aggregate;
    const type = value.kind === "function" ? types.get(value.stateIndex) : undefined;
    return type === undefined ? aggregate : { ...aggregate, type };
  });
  return {
    merged: { ...merged, sides: sides.map(typed) },
    series: series?.map(typed) ?? null,
    split: { ...split, finish: { ...finish, aggregates } },
  };
}

/** The sides with the results of functions in place of their states. */
async function finishStates(
  sides: readonly PartialSide[],
  { states }: ResolvedQuery,
  sandbox: SandboxHost,
  signal: StopSignal,
): Promise<readonly PartialSide[]> {
  const finishedSides = sides.map((side) => ({ ...side, states: [...side.states] }));
  for (const [stateIndex, spec] of states.entries()) {
    if (spec.kind !== "function") continue;
    const columns = sides.map((side) => side.states[stateIndex]!);
    const finished = await finishOne(spec, columns, sandbox, signal).catch((error: unknown) => {
      throw placedProblem(error, `states[${stateIndex}]`, null);
    });
    finished.forEach((column, i) => {
      finishedSides[i]!.states[stateIndex] = column;
    });
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
        values: JSON.parse(values, revive) as FinishedColumn["values"],
      });
    }
    return finished;
  } finally {
    run.close();
  }
}

function revive(_: string, value: unknown): unknown {
  const isTagged = typeof value === "object" && value !== null && bigintTag in value;
  return isTagged ? BigInt((value as Readonly<Record<string, string>>)[bigintTag]!) : value;
}

type FinishedType = "string" | "int" | "float";

/** Per state: the type of a function's results is known from its values only. */
function typesOf(
  sides: readonly PartialSide[],
  { states }: ResolvedQuery,
): ReadonlyMap<number, FinishedType> {
  const types = new Map<number, FinishedType>();
  for (const [stateIndex, { kind }] of states.entries()) {
    if (kind !== "function") continue;
    const columns = sides.map((side) => columnOf(side.states[stateIndex]!, "finished"));
    types.set(stateIndex, typeOf(columns.flatMap(({ values }) => values)));
  }
  return types;
}

/** Strings if there is one; integers if one is a BigInt and none has a fraction; else doubles. */
function typeOf(values: FinishedColumn["values"]): FinishedType {
  if (values.some((one) => typeof one === "string")) return "string";
  if (!values.some((one) => typeof one === "bigint")) return "float";
  if (values.some((one) => typeof one === "bigint" && BigInt.asIntN(64, one) !== one))
    return "string";
  const isWhole = values.every((one) => typeof one !== "number" || Number.isSafeInteger(one));
  return isWhole ? "int" : "float";
}

function valuesAs(type: FinishedType, column: StateColumn): FinishedColumn {
  const as = { string: String, int: BigInt, float: Number }[type];
  const { values } = columnOf(column, "finished");
  return { kind: "finished", values: values.map((one) => (one === null ? null : as(one))) };
}
