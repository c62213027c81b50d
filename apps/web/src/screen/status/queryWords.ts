import type { StatusInfo } from "@hadal/sdk";
import { formatExact } from "../../format/number.js";

/** How many queries run, beside those that wait or were refused. */
export function queryCounts({
  queries,
  admission,
}: Pick<StatusInfo, "queries" | "admission">): string {
  const { waiting, refused } = admission;
  return [
    queries.length === 0 ? "none" : formatExact(queries.length),
    ...(waiting > 0 ? [`${formatExact(waiting)} of them wait for their turn`] : []),
    ...(refused > 0 ? [`${formatExact(refused)} refused since the start`] : []),
  ].join(" · ");
}

/** What a person should know of how functions are shut in; nothing while they are, or none was run. */
export function sandboxWords({ state, keeps }: StatusInfo["sandbox"]): readonly string[] {
  const kept = keeps.join(" and ");
  if (state === "weak")
    return [`The sandbox of functions is weak: it keeps ${kept}. The server was started so.`];
  if (state === "refused")
    return [
      `Functions that need the sandbox do not run: this machine would leave it ${kept}. The server may be started with --sandbox weak.`,
    ];
  return [];
}
