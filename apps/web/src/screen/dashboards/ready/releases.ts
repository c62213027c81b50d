import type { AnnotationDraft, HadalClient, Query, Result } from "@hadal/sdk";

const table = "requests";
const dayMs = 86_400_000;

/** When each release of the demo was first seen. */
const firstSeen: Query = {
  ...{ table, from: "-14d", to: "now", groupBy: ["app_version"], limit: 100 },
  aggregates: [{ fn: "min", column: "time", as: "first" }],
};

/**
 * An annotation for each release. What was there within a day of the oldest row may have been
 * released before; where rows are missing, any release may be earlier, so none is marked.
 */
export function releasesOf({
  rows,
  completeness,
}: Pick<Result, "rows" | "completeness">): readonly AnnotationDraft[] {
  if (completeness.fraction < 1) return [];
  const seen = rows.flatMap(([version, first]) =>
    typeof version === "string" ? [{ version, firstMs: Number(first) }] : [],
  );
  const oldestMs = Math.min(...seen.map(({ firstMs }) => firstMs));
  return seen
    .filter(({ firstMs }) => firstMs > oldestMs + dayMs)
    .map(({ version, firstMs }) => ({
      ...{ time: firstMs, title: `Release ${version}`, tags: ["release"], tables: [table] },
      text: "Its first request.",
    }));
}

/** Marks the releases of the demo that are not marked yet. */
export async function annotateReleases({ annotations, query }: HadalClient): Promise<void> {
  const result = await query(firstSeen);
  const known = new Set((await annotations.list({ table })).map(({ title }) => title));
  for (const draft of releasesOf(result)) {
    if (!known.has(draft.title)) await annotations.create(draft);
  }
}
