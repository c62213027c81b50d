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
import type { Readable } from "../base/access/readable.js";
import { allTime } from "../base/row/allTime.js";
import type { StopSignal } from "../base/schedule/stopController.js";
import { functionKindOf } from "../function/compile/functionSource.js";
import { placeInSource } from "../function/sandbox/functionProblem.js";
import type { SandboxHost } from "../function/sandbox/sandboxHost.js";
import type { FunctionDocuments, SaveOptions } from "../registry/document/functionDocuments.js";

type TrialRow = Readonly<Record<string, unknown>>;

/** What people do with functions beside asking queries. */
export interface FunctionService {
  list(): readonly UserFunction[];
  /** Throws `unknown-function`, naming the nearest. */
  find(name: string): UserFunction;
  save(name: string, draft: unknown, change: FunctionChange): Promise<UserFunction>;
  delete(name: string, change: FunctionChange): Promise<void>;
  /** With the newest rows that may be read, where the trial has none. */
  try(trial: FunctionTrial, options: TrialOptions): Promise<FunctionTrialResult>;
}

/** The version to be replaced (null: any), and by whom. */
export type FunctionChange = Omit<SaveOptions, "kind" | "nowMs">;

interface TrialOptions {
  readonly signal: StopSignal;
  /** What whoever tries the function may read. */
  readonly readable: Readable;
}

export interface FunctionServiceDeps {
  readonly functions: FunctionDocuments;
  readonly sandbox: SandboxHost;
  readonly ask: (query: Query, options: TrialOptions) => Promise<Result>;
  readonly checkDraft: (name: string, draft: unknown) => { readonly source: string };
  readonly nowMs: () => number;
}

export function createFunctionService(deps: FunctionServiceDeps): FunctionService {
  const { functions } = deps;
  const find = (name: string): UserFunction => {
    const found = functions.all.get(name);
    if (found !== undefined) return found;
    const nearest = nearestHint(name, functions.all.keys());
    throw new HadalError("unknown-function", { function: name, nearest });
  };
  return {
    list: () => [...functions.all.values()],
    find,
    async save(name, given, change) {
      const draft = deps.checkDraft(name, given);
      const kind = functionKindOf(draft.source, "source");
      return functions.save(name, draft, { ...change, kind, nowMs: deps.nowMs() });
    },
    async delete(name, change) {
      find(name);
      await functions.delete(name, { ...change, nowMs: deps.nowMs() });
    },
    try: (trial, options) => runTrial(trial, deps, options),
  };
}

async function runTrial(
  trial: FunctionTrial,
  { ask, sandbox, nowMs }: FunctionServiceDeps,
  options: TrialOptions,
): Promise<FunctionTrialResult> {
  const { source, args } = trial;
  const kind = functionKindOf(source, "source");
  if (kind === "aggregate" && args === undefined) {
    const detail = "An aggregate needs args: the columns whose values update gets.";
    throw new HadalError("invalid-query", { detail }, [{ path: "args", code: "missing", detail }]);
  }
  const rows = trial.rows ?? (await newestRows(trial, ask, options));
  const call = kind === "aggregate" ? "aggregate" : args === undefined ? "row" : "values";
  const startedAt = nowMs();
  const run = await sandbox.open({ kind: "trial", source, call }, options.signal);
  try {
    const given = args === undefined ? rows : valuesOf(rows, args, kind);
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
  kind: FunctionTrialResult["kind"],
): readonly (readonly unknown[])[] {
  const values = rows.map((row) => {
    const cells = new Map(Object.entries(row));
    return args.map((name) => cells.get(name) ?? null);
  });
  return kind === "aggregate" ? values.filter((row) => !row.includes(null)) : values;
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
  options: TrialOptions,
): Promise<readonly TrialRow[]> {
  const { columns, rows } = await ask({ table, ...allTime, sampleView: {}, limit }, options);
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
