import { aggregateName, HadalError, type ProblemPart, type Query } from "@hadal/sdk";
import type { SplitQuery } from "../../plan/query/splitQuery.js";

const derivedPath = /^derive\[(\d+)\]$/;
const statePath = /^states\[(\d+)\]$/;

/** Leaves and merges speak of the resolved query: who asked reads of the same part in what was asked. */
export function placeInQuery(error: unknown, query: Query, split: SplitQuery): unknown {
  if (!(error instanceof HadalError) || error.errors.length === 0) return error;
  const parts = error.errors.map((part) => placePart(part, query, split));
  const placed = new HadalError(error.code, {}, parts);
  placed.message = error.message;
  return placed;
}

function placePart(part: ProblemPart, query: Query, split: SplitQuery): ProblemPart {
  const { path = "" } = part;
  const derived = query.derive?.[Number(derivedPath.exec(path)?.[1] ?? -1)];
  if (derived !== undefined && "expression" in derived) {
    return { ...part, path: `${path}.expression` };
  }
  const state = statePath.exec(path);
  return state === null ? part : { ...part, path: aggregatePath(Number(state[1]), query, split) };
}

/** The first aggregate that is made of a state; its raw count stands with it. */
function aggregatePath(stateIndex: number, query: Query, { finish }: SplitQuery): string {
  const made = finish.aggregates.filter(({ value }) => value.stateIndex === stateIndex);
  const names = new Set(made.map(({ name }) => name));
  const index = (query.aggregates ?? []).findIndex((spec) => names.has(aggregateName(spec)));
  return index < 0 ? "aggregates" : `aggregates[${index}]`;
}
