import type { ResolvedDerived, ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { splitFilter } from "./splitFilter.js";

type FunctionDerived = ResolvedDerived & { readonly how: { readonly kind: "sandbox" } };

/** The functions whose columns the query reads. */
export function functionsOf(query: ResolvedQuery): readonly FunctionDerived[] {
  return (query.derived ?? []).flatMap((derived) =>
    derived.how.kind === "sandbox" ? [derived as FunctionDerived] : [],
  );
}

/** The query as far as stored columns go: what its segments are chosen by. */
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

/** Whether anything of the query runs in the sandbox. */
function usesSandbox(query: ResolvedQuery): boolean {
  return functionsOf(query).length > 0 || query.states.some(isFunctionState);
}

/** Whether the leaf's main thread fills a state of it, or asks the sandbox. */
export function aggregatesOnMainThread(query: ResolvedQuery): boolean {
  return usesSandbox(query) || query.states.some(({ kind }) => kind === "text");
}
