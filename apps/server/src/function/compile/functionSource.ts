import { decimalsDefault, type FunctionKind, HadalError } from "@hadal/sdk";
import type { InputColumn } from "../term/inputColumn.js";
import { invalid, parseFunction, parseFunctions, placeOf, startOf } from "./functionSyntax.js";
import { inferType, resultOf } from "./inferType.js";
import { readRowAccess } from "./rowAccess.js";
import type { SandboxedFunction } from "./sandboxedFunction.js";
import { type Kind, kinds, orMissing } from "./valueKind.js";

/** What a source is; throws `function-invalid` when it is neither. */
export function functionKindOf(source: string, path: string): FunctionKind {
  if (parseFunctions(source, path) === null) {
    parseFunction(source, path);
    return "scalar";
  }
  readAggregate(source, path, null);
  return "aggregate";
}

/** The functions that make an aggregate. */
const aggregateMembers = ["init", "update", "merge", "finalize"] as const;

/** Checks an aggregate's functions; with a number of columns, also that update takes their values. */
export function readAggregate(source: string, path: string, columnCount: number | null): void {
  const parsed = parseFunctions(source, path);
  if (parsed === null) {
    const detail = "An aggregate is an object: { init, update, merge, finalize }.";
    throw invalid(detail, path, null);
  }
  for (const name of aggregateMembers) {
    const member = parsed.members.get(name);
    if (member === undefined) {
      const detail = `An aggregate has init, update, merge and finalize; ${name} is no function of it.`;
      throw invalid(detail, path, startOf(parsed.node));
    }
    if (member.async || member.generator === true) {
      throw invalid("It cannot be async or a generator.", path, startOf(member));
    }
  }
  if (columnCount === null) return;
  const { params } = parsed.members.get("update")!;
  const hasRest = params.at(-1)?.type === "RestElement";
  // The state first; the weight last, if it is of use.
  const fits = params.length === columnCount + 1 || params.length === columnCount + 2;
  if (hasRest || fits) return;
  const detail = `update takes the state and ${params.length - 1} value(s); found ${columnCount} column(s).`;
  throw invalid(detail, path, null, "wrong-arguments");
}

/** A function as a derived column: what it reads, and what it gives. */
export interface DerivingFunction {
  readonly inputs: readonly InputColumn[];
  readonly type: "int" | "string";
  readonly decimals: number;
  readonly how: SandboxedFunction;
}

/**
 * Reads `(row) => …`. `find` gives a column by its name or throws; its problem gets the place in the source. The type
 * of the result is read from the text: numbers where nothing else can be returned, else strings.
 */
export function readRowFunction(
  source: string,
  path: string,
  find: (name: string) => InputColumn,
): DerivingFunction {
  const fn = parseFunction(source, path);
  const { columns, rewritten, body } = readRowAccess(fn, source, path);
  const inputs = columns.map(({ name, at }) => {
    try {
      return find(name);
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      const place = placeOf(startOf(at));
      const errors = error.errors.map((part) => ({ ...part, ...place }));
      const placed = new HadalError(error.code, {}, errors);
      placed.message = error.message;
      throw placed;
    }
  });
  // A function that changes its row reads what it wrote.
  const isPlain = rewritten !== null || fn.params[0]?.type === "ObjectPattern";
  const known = isPlain ? inputs : [];
  const columnKinds = new Map(known.map((column) => [column.name, kindOf(column)]));
  const kind = inferType(fn, { params: [], columns: columnKinds });
  const call = rewritten === null ? "row" : "parameters";
  return derivingFunction(kind, inputs, { source: rewritten ?? source, call, body });
}

/** Reads `(a, b) => …`, to be called with these columns. */
export function readValueFunction(
  source: string,
  path: string,
  inputs: readonly InputColumn[],
): DerivingFunction {
  const fn = parseFunction(source, path);
  const hasRest = fn.params.at(-1)?.type === "RestElement";
  if (!hasRest && fn.params.length !== inputs.length) {
    const detail = `It takes ${fn.params.length} argument(s); found ${inputs.length}.`;
    throw invalid(detail, path, null, "wrong-arguments");
  }
  const kind = inferType(fn, { params: inputs.map(kindOf), columns: new Map() });
  return derivingFunction(kind, inputs, { source, call: "values", body: null });
}

function derivingFunction(
  kind: Kind,
  inputs: readonly InputColumn[],
  called: Pick<DerivingFunction["how"], "source" | "call" | "body">,
): DerivingFunction {
  const { result, integer } = resultOf(kind);
  const how = { kind: "sandbox", ...called, result } as const;
  if (result === "string") return { inputs, type: "string", decimals: 0, how };
  return { inputs, type: "int", decimals: integer ? 0 : decimalsDefault, how };
}

function kindOf({ type, decimals }: InputColumn): Kind {
  if (type === "string") return orMissing(kinds.string);
  if (type !== "int") return orMissing(kinds.list);
  return orMissing(decimals === 0 ? kinds.integer : kinds.number);
}
