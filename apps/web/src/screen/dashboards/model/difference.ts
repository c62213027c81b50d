import type { Filter } from "@hadal/sdk";
import { applyEdit, type Selection } from "../../../draft/edit/edits.js";
import { printSpan, readSpan } from "../../../draft/url/span.js";
import { parseFilter, printFilter } from "../../../query/filter/filterUrl.js";
import { escapePart, GrammarError } from "../../../query/filter/token.js";
import type { ExploreState } from "../../../query/state/exploreState.js";

/** “What is different here?”: rows of a tile that the side panel compares with others. */
export interface Difference {
  /** Id of the tile. */
  readonly tile: string;
  readonly selection: Selection;
  /** Times are compared with the rest of their range, or with as long a time just before them. */
  readonly against: "rest" | "before";
}

/**
 * The query string of what the side panel compares, after that of the bar: `different` is the tile,
 * `here` a filter of the rows, `part` their times, `of` the range they were chosen from, and
 * `against=before` compares them with the time just before.
 */
export function printDifference({ tile, selection, against }: Difference): string {
  const { filters, range, of } = selection;
  const pairs: (readonly [string, string])[] = [
    ["different", tile],
    ...filters.map((filter) => ["here", printFilter(filter)] as const),
    ...(range === null ? [] : [["part", printSpan(range)] as const]),
    ...(of === undefined ? [] : [["of", printSpan(of)] as const]),
    ...(against === "before" ? [["against", against] as const] : []),
  ];
  return pairs.map(([key, value]) => `${key}=${escapePart(value)}`).join("&");
}

/** null: the address asks for none, or for one that cannot be read. */
export function parseDifference(search: string): Difference | null {
  const parameters = new URLSearchParams(search);
  const tile = parameters.get("different");
  if (tile === null || tile === "") return null;
  try {
    const filters: readonly Filter[] = parameters.getAll("here").map(parseFilter);
    const [part, of] = ["part", "of"].map((key) => {
      const text = parameters.get(key);
      return text === null ? null : readSpan(text);
    });
    if (filters.length === 0 && (part == null || of == null)) return null;
    const selection = { filters, range: part ?? null, ...(of != null && { of }) };
    const against = parameters.get("against") === "before" ? "before" : "rest";
    return { tile, selection, against };
  } catch (error) {
    if (error instanceof GrammarError) return null;
    throw error;
  }
}

const secondMs = 1_000;

/** The state of the side panel: the tile's rows, compared as asked. */
export function stateOfDifference(
  tile: ExploreState,
  { selection, against }: Difference,
): ExploreState {
  const { range } = selection;
  if (against === "rest" || range === null) {
    return applyEdit(tile, { kind: "what is different", selection });
  }
  const offset = `${Math.ceil((range.toMs - range.fromMs) / secondMs)}s`;
  const earlier = applyEdit(tile, { kind: "compare with earlier", selection, offset });
  return { ...earlier, view: "changes" };
}
