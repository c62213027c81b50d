import { HadalError } from "@hadal/sdk";
import {
  type ArrowFunctionExpression,
  type Expression,
  type FunctionExpression,
  type Node,
  type ObjectExpression,
  parse,
} from "acorn";

/** Functions are read by recursion, and the stack has an end. */
const functionDepthMax = 500;
/** Inferring the type of each takes some microseconds. */
const functionNodesMax = 10_000;

export type FunctionNode = ArrowFunctionExpression | FunctionExpression;

/** The user's source stands behind this, so that it is read as strict code and as one expression. */
const before = '"use strict";(\n';
const after = "\n)";

/** Characters before the first of the source in what the nodes' places count. */
export const sourceOffset = before.length;

/** Reads a single expression; throws `function-invalid` with line and column of the source. */
function parseSource(source: string, path: string): Expression {
  if (source.includes("\0") || /\p{Surrogate}/u.test(source)) {
    throw invalid("It holds characters that no source has: NUL, or half a pair.", path, null);
  }
  try {
    const { body } = parse(before + source + after, { ecmaVersion: 2023, locations: true });
    const [, statement] = body;
    if (body.length === 2 && statement?.type === "ExpressionStatement") {
      checkSize(statement.expression, path);
      return statement.expression;
    }
    throw invalid("It should be one function, and nothing beside.", path, null);
  } catch (error) {
    if (error instanceof HadalError) throw error;
    if (error instanceof RangeError) throw invalid("It nests too deep to be read.", path, null);
    if (!(error instanceof SyntaxError)) throw error;
    const { loc } = error as SyntaxError & { readonly loc?: Place };
    const detail = error.message.replace(/ \(\d+:\d+\)$/, "");
    const lines = source.split("\n");
    if (loc === undefined || loc.line - 1 <= lines.length) throw invalid(detail, path, loc ?? null);
    // What ends too early is noticed behind the source.
    const end = { line: lines.length + 1, column: lines.at(-1)!.length };
    throw invalid("It ends before the function does.", path, end);
  }
}

function checkSize(expression: Expression, path: string): void {
  let count = 0;
  let level: readonly Node[] = [expression];
  for (let depth = 1; level.length > 0; depth++) {
    count += level.length;
    const [first] = level;
    if (depth > functionDepthMax) {
      const detail = `It nests deeper than ${functionDepthMax} (functionDepthMax).`;
      throw invalid(detail, path, startOf(first!), "too-deep");
    }
    if (count > functionNodesMax) {
      const detail = `It has more than ${functionNodesMax} expressions and statements (functionNodesMax).`;
      throw invalid(detail, path, startOf(first!), "too-long");
    }
    level = level.flatMap((node) => [...childrenOf(node)]);
  }
}

/** One function that answers at once. */
export function parseFunction(source: string, path: string): FunctionNode {
  const node = parseSource(source, path);
  if (!isFunction(node)) {
    throw invalid("It is no function: write (row) => … or (a, b) => ….", path, startOf(node));
  }
  if (node.async || node.generator === true) {
    throw invalid("It cannot be async or a generator.", path, startOf(node));
  }
  return node;
}

/** An object of functions, by their names. */
export function parseFunctions(
  source: string,
  path: string,
): { readonly node: ObjectExpression; readonly members: ReadonlyMap<string, FunctionNode> } | null {
  const node = parseSource(source, path);
  if (node.type !== "ObjectExpression") return null;
  const members = new Map<string, FunctionNode>();
  for (const property of node.properties) {
    if (property.type !== "Property" || property.computed || property.kind !== "init") continue;
    const { key, value } = property;
    const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? key.value : null;
    if (typeof name === "string" && isFunction(value)) members.set(name, value);
  }
  return { node, members };
}

export function isFunction(node: Node): node is FunctionNode {
  return node.type === "ArrowFunctionExpression" || node.type === "FunctionExpression";
}

interface Place {
  readonly line: number;
  /** From 0. */
  readonly column: number;
}

export function startOf({ loc }: Node): Place | null {
  return loc?.start ?? null;
}

/** A problem at a place of what was parsed. */
export function invalid(
  detail: string,
  path: string,
  at: Place | null,
  code = "invalid-source",
): HadalError {
  const place = placeOf(at);
  const where = place === null ? "" : ` (line ${place.line}, column ${place.column})`;
  return new HadalError("function-invalid", { detail: detail + where }, [
    { path, ...place, code, detail },
  ]);
}

/** As people count: lines and columns of the source from 1. */
export function placeOf(
  at: Place | null,
): { readonly line: number; readonly column: number } | null {
  return at === null ? null : { line: at.line - 1, column: at.column + 1 };
}

/** The nodes right below one. */
export function* childrenOf(node: Node): IterableIterator<Node> {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) yield item;
    } else if (isNode(value)) yield value;
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
