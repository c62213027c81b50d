import {
  checkKeys,
  checkObject,
  createProblemList,
  type JsonObject,
  type ProblemList,
} from "./problemList.js";
import type { TableSettings } from "./schema.js";

/** The shortest age: a row has to be seen before it goes. */
export const retentionAgeMsMin = 60_000;
export const retentionBytesMin = 1_048_576;

/** The body of `PUT /tables/{t}/settings` as settings; throws `invalid-query` with everything that is wrong. */
export function checkTableSettings(value: unknown): TableSettings {
  const problems = createProblemList();
  const body = checkObject(value, "", problems) ?? {};
  checkKeys(body, "", ["retention"], problems);
  const given = body.retention ?? {};
  const retention = checkObject(given, "retention", problems) ?? {};
  checkKeys(retention, "retention", ["maxAgeMs", "maxBytes"], problems);
  const settings = {
    retention: {
      maxAgeMs: checkBound(retention, "maxAgeMs", retentionAgeMsMin, problems),
      maxBytes: checkBound(retention, "maxBytes", retentionBytesMin, problems),
    },
  };
  if (problems.count > 0) throw problems.toError();
  return settings;
}

/** A whole number from `min` on, or null for none. */
function checkBound(
  retention: JsonObject,
  key: string,
  min: number,
  problems: ProblemList,
): number | null {
  const value = retention[key] ?? null;
  if (value === null) return null;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= min) return value;
  const detail = `\`${key}\` is a whole number from ${min} on, or null for no bound.`;
  problems.add(`retention.${key}`, "type-mismatch", detail);
  return null;
}
