import {
  type FunctionTrial,
  type FunctionTrialResult,
  functionTrialLimitDefault,
  HadalError,
  nearestHint,
  type Query,
  type Result,
  type ResultValue,
  type TrialValue,
  type UserFunction,
} from "@hadal/sdk";
import { allTime } from "../base/row/allTime.js";
import type { StopSignal } from "../base/schedule/stopController.js";
import type { FunctionDocuments } from "../document/functionDocuments.js";
import { functionKindOf } from "../function/compile/functionSource.js";
import { placeInSource } from "../function/sandbox/functionProblem.js";
import type { SandboxHost } from "../function/sandbox/sandboxHost.js";

type TrialRow = Readonly<Record<string, unknown>>;

/** What people do with functions beside asking queries. */
export interface FunctionService {
  list(): readonly UserFunction[];
  /** Throws `unknown-function`, naming the nearest. */
  find(name: string): UserFunction;
  /** `expected`: the version to be replaced; null: any. */
  save(name: string, draft: unknown, expected: number | null): Promise<UserFunction>;
  delete(name: string, expected: number | null): Promise<void>;
  try(trial: FunctionTrial, signal: StopSignal): Promise<FunctionTrialResult>;
}

export interface FunctionServiceDeps {
  readonly documents: FunctionDocuments;
  readonly sandbox: SandboxHost;
  readonly ask: (query: Query, signal: StopSignal) => Promise<Result>;
  readonly checkDraft: (name: string, draft: unknown) => { readonly source: string };
  readonly nowMs: () => number;
}

export function createFunctionService(deps: FunctionServiceDeps): FunctionService {
  const { documents } = deps;
  const find = (name: string): UserFunction => {
    const found = documents.all.get(name);
    if (found !== undefined) return found;
    const nearest = nearestHint(name, documents.all.keys());
    throw new HadalError("unknown-function", { function: name, nearest });
  };
  return {
    list: () => [...documents.all.values()],
    find,
    async save(name, given, expected) {
      const draft = deps.checkDraft(name, given);
      const kind = functionKindOf(draft.source, "source");
      return documents.save(name, draft, { kind, expected, nowMs: deps.nowMs() });
    },
    async delete(name, expected) {
      find(name);
      await documents.delete(name, expected);
    },
    try: (trial, signal) => runTrial(trial, deps, signal),
  };
}

async function runTrial(
  trial: FunctionTrial,
  { ask, sandbox, nowMs }: FunctionServiceDeps,
  signal: StopSignal,
): Promise<FunctionTrialResult> {
  const { source, args } = trial;
  const kind = functionKindOf(source, "source");
  if (kind === "aggregate" && args === undefined) {
    const detail = "An aggregate needs args: the columns whose values update gets.";
    throw new HadalError("invalid-query", { detail }, [{ path: "args", code: "missing", detail }]);
  }
  const rows = trial.rows ?? (await newestRows(trial, ask, signal));
  const call = kind === "aggregate" ? "aggregate" : args === undefined ? "row" : "values";
  const startedAt = nowMs();
  const run = await sandbox.open({ kind: "trial", source, call }, signal);
  try {
    const given = args === undefined ? rows : valuesOf(rows, args, kind === "aggregate");
    const tried = await run.call({ kind: "try", rows: JSON.stringify(given) }, "tried");
    const results = (JSON.parse(tried.results) as readonly RawTrialValue[]).map((one) =>
      trialValue(one, source),
    );
    return { kind, results, rows, log: tried.log, elapsedMs: nowMs() - startedAt };
  } finally {
    run.close();
  }
}

/** An aggregate does not get rows in which a value is missing. */
function valuesOf(
  rows: readonly TrialRow[],
  args: readonly string[],
  skipsMissing: boolean,
): readonly (readonly unknown[])[] {
  const values = rows.map((row) => {
    const cells = new Map(Object.entries(row));
    return args.map((name) => cells.get(name) ?? null);
  });
  return skipsMissing ? values.filter((row) => !row.includes(null)) : values;
}

type RawTrialValue =
  | { readonly value: string | number | null }
  | { readonly error: readonly [name: string, message: string, stack: string] };

function trialValue(raw: RawTrialValue, source: string): TrialValue {
  if (!("error" in raw)) return { value: raw.value };
  const [name, message, stack] = raw.error;
  const place = placeInSource(stack, source.split("\n").length);
  return { error: { detail: name === "" ? message : `${name}: ${message}`, ...place } };
}

/** Rows as functions see them: without what is missing, numbers as numbers. */
async function newestRows(
  { table = "", limit = functionTrialLimitDefault }: FunctionTrial,
  ask: FunctionServiceDeps["ask"],
  signal: StopSignal,
): Promise<readonly TrialRow[]> {
  const { columns, rows } = await ask({ table, ...allTime, sampleView: {}, limit }, signal);
  return rows.map((row) => {
    const cells: [string, unknown][] = [];
    columns.forEach(({ name, type }, k) => {
      const value = row[k] ?? null;
      if (value !== null) cells.push([name, isNumber(type) ? Number(value as ResultValue) : value]);
    });
    return Object.fromEntries(cells);
  });
}

function isNumber(type: string): boolean {
  return type === "int" || type === "decimal" || type === "time" || type === "float";
}
