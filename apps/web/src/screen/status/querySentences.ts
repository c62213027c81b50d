import type { StatusInfo } from "@hadal/sdk";
import { formatExact } from "../../format/number.js";

/** The numbers of running, waiting and refused queries. */
export function queryCounts({
  queries,
  admission,
}: Pick<StatusInfo, "queries" | "admission">): string {
  const { waiting, refused } = admission;
  return [
    queries.length === 0 ? "none" : formatExact(queries.length),
    ...(waiting > 0 ? [`${formatExact(waiting)} of them waiting`] : []),
    ...(refused > 0 ? [`${formatExact(refused)} refused since the start`] : []),
  ].join(" · ");
}

/** A sentence about a sandbox that is weak or refused; empty otherwise. */
export function sandboxSentences({ state, keeps }: StatusInfo["sandbox"]): readonly string[] {
  const kept = keeps.join(" and ");
  if (state === "weak")
    return [`The sandbox of functions is weak: it keeps ${kept}. This is a setting of the server.`];
  if (state === "refused")
    return [
      `Functions that need the sandbox do not run: on this machine it would keep ${kept}. To run them anyway, start the server with --sandbox weak.`,
    ];
  return [];
}
