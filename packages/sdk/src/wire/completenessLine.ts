import { HadalError } from "../model/problem/problem.js";
import type { Completeness } from "../model/result.js";

/** The header of every answer that holds its completeness. */
export const completenessHeader = "x-hadal-completeness";

const form =
  /^(?<fraction>\d+(?:\.\d+)?(?:e-\d+)?)(?:; rows (?<rowsAnswered>\d+)\/(?<rowsExpected>\d+))?; leaves (?<answered>\d+)\/(?<total>\d+)(?:; missing (?<missing>[^;]+))?(?:; unknown (?<reason>\S+))?$/;

/** One line for headers and comments: ASCII, whatever the leaves are called. */
export function printCompletenessLine({
  fraction,
  rowsAnswered,
  rowsExpected,
  leaves,
  known,
  reason,
}: Completeness): string {
  const missing =
    leaves.missing.length === 0
      ? ""
      : `; missing ${leaves.missing.map((leaf) => encodeURIComponent(leaf)).join(" ")}`;
  const doubt = known === false ? `; unknown ${encodeURIComponent(reason ?? "counts-lost")}` : "";
  const rows = rowsExpected === undefined ? "" : `; rows ${rowsAnswered}/${rowsExpected}`;
  return `${fraction}${rows}; leaves ${leaves.answered}/${leaves.total}${missing}${doubt}`;
}

/** What {@link printCompletenessLine} wrote. Throws where it did not. */
export function parseCompletenessLine(text: string | null): Completeness {
  const found = form.exec(text ?? "")?.groups;
  if (found === undefined) {
    const detail = `The answer came without ${completenessHeader}: is it Hadal's, and does what stands between pass headers on?`;
    throw new HadalError("bad-request", { detail });
  }
  return {
    fraction: Number(found.fraction),
    ...(found.reason === undefined
      ? {}
      : { known: false, reason: decodeURIComponent(found.reason) }),
    ...(found.rowsExpected === undefined
      ? {}
      : { rowsExpected: Number(found.rowsExpected), rowsAnswered: Number(found.rowsAnswered) }),
    leaves: {
      answered: Number(found.answered),
      total: Number(found.total),
      missing: found.missing?.split(" ").map(decodeURIComponent) ?? [],
    },
  };
}
