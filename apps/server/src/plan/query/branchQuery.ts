import type { ResolvedBranch, ResolvedQuery } from "./resolvedQuery.js";

/** A branch as a separate query: its answer is read, merged and cut like any other. */
export function branchQuery(resolved: ResolvedQuery, branch: ResolvedBranch): ResolvedQuery {
  const { branches: _branches, ...query } = resolved;
  return { ...query, ...branch };
}
