import type { Filter } from "@hadal/sdk";

/** A stretch of text, and whether the search found it. */
export interface TextPart {
  readonly text: string;
  readonly isHit: boolean;
}

/** Maximum number of marked hits; a text of 64 KB may contain thousands. */
const hitsMax = 200;

/** What the filters look for within texts, by column; what they exclude is not to be seen anyway. */
export function searchedTexts(filters: readonly Filter[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const read = (filter: Filter): void => {
    if ("any" in filter) filter.any.forEach(read);
    else if ("all" in filter) filter.all.forEach(read);
    else if ("column" in filter && filter.op === "contains" && filter.value !== "") {
      found.set(filter.column, [...(found.get(filter.column) ?? []), String(filter.value)]);
    }
  };
  filters.forEach(read);
  return found;
}

/** The parts of the text in order; joined they are the text. The search respects case, as `contains` does. */
export function markedParts(text: string, searched: readonly string[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  while (parts.length < hitsMax * 2) {
    const hit = firstHit(text, searched, at);
    if (hit === null) break;
    if (hit.from > at) parts.push({ text: text.slice(at, hit.from), isHit: false });
    parts.push({ text: text.slice(hit.from, hit.to), isHit: true });
    at = hit.to;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isHit: false });
  return parts;
}

function firstHit(text: string, searched: readonly string[], at: number) {
  const hits = searched.flatMap((one) => {
    const from = one === "" ? -1 : text.indexOf(one, at);
    return from < 0 ? [] : [{ from, to: from + one.length }];
  });
  if (hits.length === 0) return null;
  // The longest of those that begin first.
  return hits.reduce((best, hit) =>
    hit.from < best.from || (hit.from === best.from && hit.to > best.to) ? hit : best,
  );
}
