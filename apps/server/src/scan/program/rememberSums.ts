import { programTotalsBytes } from "@hadal/kernel-wasm";
import type { ResolvedFilter, ResolvedQuery, StateSpec } from "../../plan/query/resolvedQuery.js";
import type { RememberedSum } from "../../store/segment/rememberedSums.js";
import type { SegmentTotals } from "../../store/segment/segmentTotals.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { type ProgramTask, totalsOfInput } from "../task/programTask.js";

/** A program that keeps the totals of each unit. */
export interface SummedProgram {
  readonly task: ProgramTask;
  /** The stored segment behind each unit. */
  readonly segments: readonly SegmentView[];
}

/**
 * Whether the query reads derived columns only through sums over whole segments, which are
 * remembered.
 */
export function remembersSums(query: ResolvedQuery): boolean {
  const { derived, states, sides } = query;
  if (derived === undefined || !sides.every(({ filter }) => isEvery(filter))) return false;
  const keys = states.map((spec) => (readsDerived(query, spec) ? rememberedKey(query, spec) : ""));
  return !keys.includes(null) && keys.some((key) => key !== "");
}

/**
 * The key of a derived column's remembered sums; null: the state reads a stored column, or is no
 * sum of an expression over stored ones.
 */
export function rememberedKey({ derived = [] }: ResolvedQuery, spec: StateSpec): string | null {
  if (spec.kind !== "sum" && spec.kind !== "present" && spec.kind !== "spread") return null;
  const column = derived.find(({ name }) => name === spec.column);
  if (column === undefined || column.how.kind !== "expression") return null;
  const { inputs, how } = column;
  if (inputs.some((input) => derived.some(({ name }) => name === input.name))) return null;
  // States that read only presence have no sums. Spreads come beside sums.
  const what = spec.kind === "present" ? ["present"] : ["sum", spec.decimals];
  return JSON.stringify([...what, column.decimals, how.expression, inputs]);
}

/** Remembers the totals of each segment from the programs of a finished query. */
export function rememberSums(
  query: ResolvedQuery,
  programs: readonly SummedProgram[],
  known: SegmentTotals,
  memory: WebAssembly.Memory,
): void {
  for (const { task, segments } of programs) {
    const words = programTotalsBytes(task.inputCount) / 8;
    const totalsOf = (unit: number): BigInt64Array =>
      new BigInt64Array(memory.buffer, task.unitTotals + unit * words * 8, words);
    query.states.forEach((spec, state) => {
      const key = rememberedKey(query, spec);
      const input = task.inputs[state]!;
      if (key === null || input < 0) return;
      const sums = new Map<SegmentView, RememberedSum>();
      segments.forEach((segment, unit) => {
        if (segment.sums === null) return;
        const [sum, weight, rows] = totalsOfInput(totalsOf(unit), input);
        sums.set(segment, {
          presentRows: Number(rows),
          presentWeight: Number(weight),
          weightedSum: sum!,
        });
      });
      known.remember(key, sums);
    });
  }
}

function readsDerived({ derived = [] }: ResolvedQuery, spec: StateSpec): boolean {
  if (spec.kind === "function" || spec.kind === "text") return true;
  return "column" in spec && derived.some(({ name }) => name === spec.column);
}

const isEvery = (filter: ResolvedFilter): boolean =>
  filter.kind === "all" && filter.filters.every(isEvery);
