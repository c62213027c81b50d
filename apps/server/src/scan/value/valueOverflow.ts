import { HadalError } from "@hadal/sdk";
import type { ResolvedDerived } from "../../plan/query/resolvedQuery.js";

/**
 * A value beyond 64 bits: `path` is the column's name until {@link placedOverflow} knows its place.
 */
export function valueOverflow(column: string): HadalError {
  const { message } = new HadalError("value-overflow", { column });
  const part = { path: column, code: "value-overflow", detail: message };
  return new HadalError("value-overflow", { column }, [part]);
}

/** Scan threads know names alone. */
export function placedOverflow(error: unknown, derived: readonly ResolvedDerived[]): unknown {
  if (!(error instanceof HadalError) || error.code !== "value-overflow") return error;
  const parts = error.errors.map((part) => {
    const column = derived.find(({ name }) => name === part.path);
    // A stored column has its place in no one part of the query.
    const { path: _, ...rest } = part;
    return column === undefined ? rest : { ...part, path: `derive[${column.index}]` };
  });
  const placed = new HadalError("value-overflow", {}, parts);
  placed.message = error.message;
  return placed;
}
