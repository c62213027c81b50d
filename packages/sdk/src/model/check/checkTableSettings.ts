import { nameFault } from "../name.js";
import {
  checkKeys,
  checkList,
  checkObject,
  createProblemList,
  type JsonObject,
  joinPath,
  kindOf,
  type ProblemList,
} from "../problem/problemList.js";
import {
  type ColumnSetting,
  type ColumnType,
  decimalsMax,
  type Retention,
  sampleRateColumn,
  type TableSettings,
  type ThinningStep,
  timeColumn,
} from "../schema.js";

/** The shortest age: a row has to be seen before it goes. */
export const retentionAgeMsMin = 60_000;
export const retentionBytesMin = 1_048_576;
/** A table that keeps a tenth more rarely with every step is down to one row in 10^8. */
export const thinningStepsMax = 8;
/** Beyond it there is hardly a group left to see. */
export const keepOneInMax = 1_000_000;
/** More columns make groups of single rows, of which none goes. */
export const thinningGroupsMax = 8;
/** Rows of a segment: all of them stay. */
export const keepAtLeastMax = 65_536;
/** A person writes dozens; every row that arrives is held against them. */
export const columnSettingsMax = 1_000;
export const columnTypes: readonly ColumnType[] = ["int", "string", "set", "vector"];

/**
 * The body of `PUT /tables/{t}/settings` as settings; throws `invalid-query` with everything that
 * is wrong.
 */
export function checkTableSettings(value: unknown): TableSettings {
  const problems = createProblemList();
  const body = checkObject(value, "", problems) ?? {};
  checkKeys(body, "", ["retention", "thinning", "columns"], problems);
  const retention = checkRetention(body.retention ?? {}, problems);
  const settings = {
    retention,
    thinning: checkThinning(body.thinning, retention.maxAgeMs, problems),
    columns: checkColumns(body.columns, problems),
  };
  if (problems.count > 0) throw problems.toError();
  return settings;
}

function checkRetention(value: unknown, problems: ProblemList): Retention {
  const retention = checkObject(value, "retention", problems) ?? {};
  checkKeys(retention, "retention", ["maxAgeMs", "maxBytes"], problems);
  return {
    maxAgeMs: checkBound(retention, "maxAgeMs", retentionAgeMsMin, problems),
    maxBytes: checkBound(retention, "maxBytes", retentionBytesMin, problems),
  };
}

/** A whole number from `min` on, or null for none. */
function checkBound(
  retention: JsonObject,
  key: string,
  min: number,
  problems: ProblemList,
): number | null {
  const value = retention[key] ?? null;
  if (value === null || isWhole(value, min, Number.MAX_SAFE_INTEGER)) return value;
  const detail = `\`${key}\` is a whole number from ${min} on, or null for no bound.`;
  problems.add(`retention.${key}`, "type-mismatch", detail);
  return null;
}

function checkThinning(
  value: unknown,
  maxAgeMs: number | null,
  problems: ProblemList,
): readonly ThinningStep[] {
  const steps: ThinningStep[] = [];
  const listed = checkList(value, "thinning", thinningStepsMax, problems) ?? [];
  for (const [i, entry] of listed.entries()) {
    const path = `thinning[${i}]`;
    const step = checkStep(entry, path, problems);
    if (step === null) continue;
    const before = steps.at(-1);
    if (before !== undefined && step.afterMs <= before.afterMs) {
      const detail = `Steps go from young to old: \`afterMs\` is to be more than ${before.afterMs}.`;
      problems.add(`${path}.afterMs`, "out-of-range", detail);
    }
    if (before !== undefined && !isNextRate(step.keepOneIn, before.keepOneIn)) {
      const detail = `Each step thins what the one before it kept: \`keepOneIn\` is to be a multiple of ${before.keepOneIn}, twice that or more.`;
      problems.add(`${path}.keepOneIn`, "out-of-range", detail);
    }
    if (maxAgeMs !== null && step.afterMs >= maxAgeMs) {
      const detail = `Rows are gone by then: \`retention.maxAgeMs\` is ${maxAgeMs}.`;
      problems.add(`${path}.afterMs`, "out-of-range", detail);
    }
    steps.push(step);
  }
  return steps;
}

const isNextRate = (rate: number, before: number): boolean => rate > before && rate % before === 0;

function checkStep(value: unknown, path: string, problems: ProblemList): ThinningStep | null {
  const step = checkObject(value, path, problems);
  if (step === null) return null;
  checkKeys(step, path, ["afterMs", "keepOneIn", "key", "groups", "keepAtLeast"], problems);
  const { afterMs, keepOneIn } = step;
  const isAge = isWhole(afterMs, retentionAgeMsMin, Number.MAX_SAFE_INTEGER);
  if (!isAge) {
    const detail = `\`afterMs\` is a whole number from ${retentionAgeMsMin} on; found ${kindOf(afterMs)}.`;
    problems.add(`${path}.afterMs`, "type-mismatch", detail);
  }
  const isRate = isWhole(keepOneIn, 2, keepOneInMax);
  if (!isRate) {
    const detail = `\`keepOneIn\` is a whole number from 2 to ${keepOneInMax}; found ${kindOf(keepOneIn)}.`;
    problems.add(`${path}.keepOneIn`, "type-mismatch", detail);
  }
  const basis = checkBasis(step, path, problems);
  return isAge && isRate && basis !== null ? { afterMs, keepOneIn, ...basis } : null;
}

type ThinningBasis = Omit<ThinningStep, "afterMs" | "keepOneIn">;

/** What decides which rows stay; null, with a problem added, when it cannot be. */
function checkBasis(step: JsonObject, path: string, problems: ProblemList): ThinningBasis | null {
  const { key, groups, keepAtLeast } = step;
  if (key !== undefined && groups !== undefined) {
    const detail = "Rows are thinned by `key` or by `groups`: leave one of them out.";
    problems.add(joinPath(path, "groups"), "unexpected", detail);
    return null;
  }
  if (keepAtLeast !== undefined && groups === undefined) {
    const detail = "Rows of each group are kept: set `groups`, or leave `keepAtLeast` out.";
    problems.add(joinPath(path, "keepAtLeast"), "unexpected", detail);
    return null;
  }
  if (key !== undefined) {
    const column = checkName(key, joinPath(path, "key"), problems);
    return column === null ? null : { key: column };
  }
  return groups === undefined ? {} : checkGroups(groups, keepAtLeast, path, problems);
}

function checkGroups(
  groups: unknown,
  keepAtLeast: unknown,
  path: string,
  problems: ProblemList,
): ThinningBasis | null {
  const groupsPath = joinPath(path, "groups");
  const listed = checkList(groups, groupsPath, thinningGroupsMax, problems);
  if (listed === null) return null;
  if (listed.length === 0)
    problems.add(groupsPath, "missing", "Name at least one column, or leave `groups` out.");
  const columns = listed.map((name, i) => checkName(name, `${groupsPath}[${i}]`, problems));
  const twice = columns.find((name, i) => name !== null && columns.indexOf(name) < i);
  if (twice != null) problems.add(groupsPath, "duplicate-name", `${twice} is listed twice.`);
  const isLeast = keepAtLeast === undefined || isWhole(keepAtLeast, 1, keepAtLeastMax);
  if (!isLeast) {
    const detail = `\`keepAtLeast\` is a whole number from 1 to ${keepAtLeastMax}; found ${kindOf(keepAtLeast)}.`;
    problems.add(joinPath(path, "keepAtLeast"), "type-mismatch", detail);
  }
  const names = columns.filter((name) => name !== null);
  if (!isLeast || twice != null || names.length === 0 || names.length < columns.length) return null;
  return { groups: names, ...(keepAtLeast === undefined ? {} : { keepAtLeast }) };
}

function checkColumns(value: unknown, problems: ProblemList): readonly ColumnSetting[] {
  const columns: ColumnSetting[] = [];
  const names = new Set<string>();
  const listed = checkList(value, "columns", columnSettingsMax, problems) ?? [];
  for (const [i, entry] of listed.entries()) {
    const path = `columns[${i}]`;
    const column = checkObject(entry, path, problems);
    if (column === null) continue;
    checkKeys(column, path, ["name", "type", "decimals"], problems);
    const name = checkName(column.name, `${path}.name`, problems);
    if (name !== null && names.has(name)) {
      problems.add(`${path}.name`, "duplicate-name", `${name} is set twice.`);
    }
    if (name !== null) names.add(name);
    const form = checkForm(column, path, problems);
    if (name !== null && form !== null) columns.push({ name, ...form });
  }
  return columns;
}

function checkName(value: unknown, path: string, problems: ProblemList): string | null {
  if (typeof value !== "string") {
    problems.add(path, "type-mismatch", `Expected a column's name, found ${kindOf(value)}.`);
    return null;
  }
  const isOurs = value === timeColumn || value === sampleRateColumn;
  const fault = isOurs ? `\`${value}\` is a whole number in every table.` : nameFault(value);
  if (fault === null) return value;
  problems.add(path, "invalid-name", fault);
  return null;
}

/** Type and decimals; null, with a problem added, when both are absent or one is wrong. */
function checkForm(
  column: JsonObject,
  path: string,
  problems: ProblemList,
): Omit<ColumnSetting, "name"> | null {
  const { type, decimals } = column;
  if (type === undefined && decimals === undefined) {
    problems.add(path, "missing", "Set `type`, `decimals`, or both; or leave the column out.");
    return null;
  }
  const isType = type === undefined || columnTypes.some((known) => known === type);
  if (!isType) {
    const detail = `\`type\` is one of ${columnTypes.join(", ")}; found ${kindOf(type)}.`;
    problems.add(joinPath(path, "type"), "type-mismatch", detail);
  }
  const isDigits = decimals === undefined || isWhole(decimals, 0, decimalsMax);
  if (!isDigits) {
    const detail = `\`decimals\` is a whole number from 0 to ${decimalsMax}; found ${kindOf(decimals)}.`;
    problems.add(joinPath(path, "decimals"), "type-mismatch", detail);
  } else if (decimals !== undefined && type !== undefined && type !== "int") {
    const detail = "Only numbers have decimals: leave them out, or set the type int.";
    problems.add(joinPath(path, "decimals"), "unexpected", detail);
  }
  if (!isType || !isDigits) return null;
  return {
    ...(type === undefined ? {} : { type: type as ColumnType }),
    ...(decimals === undefined ? {} : { decimals: decimals as number }),
  };
}

function isWhole(value: unknown, min: number, max: number): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max;
}
