import { HadalError } from "../model/problem.js";
import type { Completeness } from "../model/result.js";

/** The header by which every answer tells its completeness. */
export const completenessHeader = "x-hadal-completeness";

const form =
  /^(?<fraction>\d+(?:\.\d+)?(?:e-\d+)?); rows (?<rowsAnswered>\d+)\/(?<rowsExpected>\d+); leaves (?<answered>\d+)\/(?<total>\d+)(?:; missing (?<missing>.+))?$/;

/** One line for headers and comments: ASCII, whatever the leaves are called. */
export function printCompletenessLine({
  fraction,
  rowsAnswered,
  rowsExpected,
  leaves,
}: Completeness): string {
  const missing =
    leaves.missing.length === 0
      ? ""
      : `; missing ${leaves.missing.map((leaf) => encodeURIComponent(leaf)).join(" ")}`;
  return `${fraction}; rows ${rowsAnswered}/${rowsExpected}; leaves ${leaves.answered}/${leaves.total}${missing}`;
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
    rowsExpected: Number(found.rowsExpected),
    rowsAnswered: Number(found.rowsAnswered),
    leaves: {
      answered: Number(found.answered),
      total: Number(found.total),
      missing: found.missing?.split(" ").map(decodeURIComponent) ?? [],
    },
  };
}
