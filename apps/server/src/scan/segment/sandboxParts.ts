import type { ResolvedDerived, ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { splitFilter } from "./splitFilter.js";

type FunctionDerived = ResolvedDerived & { readonly how: { readonly kind: "sandbox" } };

/** The functions whose columns the query reads. */
export function functionsOf(query: ResolvedQuery): readonly FunctionDerived[] {
  return (query.derived ?? []).flatMap((derived) =>
    derived.how.kind === "sandbox" ? [derived as FunctionDerived] : [],
  );
}

/** The query with its conditions on stored columns only, by which segments are chosen. */
export function storedPartOf(query: ResolvedQuery): ResolvedQuery {
  const names = new Set((query.derived ?? []).map(({ name }) => name));
  const sides = query.sides.map((side) => ({
    ...side,
    filter: splitFilter(side.filter, names).stored,
  }));
  return { ...query, sides };
}

export const isFunctionState = ({ kind }: ResolvedQuery["states"][number]): boolean =>
  kind === "function";

/** Whether a part of the query runs in the sandbox. */
function usesSandbox(query: ResolvedQuery): boolean {
  return functionsOf(query).length > 0 || query.states.some(isFunctionState);
}

/** Whether the leaf's main thread, or the sandbox, computes a part of the query. */
export function aggregatesOnMainThread(query: ResolvedQuery): boolean {
  return usesSandbox(query) || query.states.some(({ kind }) => kind === "text");
}
