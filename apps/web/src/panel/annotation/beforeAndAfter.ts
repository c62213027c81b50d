import type { Edit } from "../../draft/edit/edits.js";

const secondMs = 1_000;

/** The time after a moment against as much time before it, as far as the range has both; null: it has not. */
export function beforeAndAfter(
  momentMs: number,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Edit | null {
  const seconds = Math.floor(Math.min(momentMs - fromMs, toMs - momentMs) / secondMs);
  if (seconds < 1) return null;
  const range = { fromMs: momentMs, toMs: momentMs + seconds * secondMs };
  return {
    ...{ kind: "compare with earlier", offset: `${seconds}s` },
    selection: { filters: [], range },
  };
}
