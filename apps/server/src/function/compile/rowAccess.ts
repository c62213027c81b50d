import type { AnyNode, MemberExpression, Node, Pattern } from "acorn";
import { type BodyPiece, bodyOf, type ColumnRead } from "./functionBody.js";
import { childrenOf, type FunctionNode, invalid, sourceOffset, startOf } from "./functionSyntax.js";

/** What a function of a row reads of it. */
export interface RowAccess {
  /** Names of the columns, each once, with where each was first read. */
  readonly columns: readonly { readonly name: string; readonly at: Node }[];
  /**
   * The same function with the parameters `$0`, `$1` … in place of the row: its head stands on a line before the others,
   * which are as long as they were. Null where the function does more with its row than reading properties.
   */
  readonly rewritten: string | null;
  /** The body of the rewritten function, for a loop over rows; null where a call means something else. */
  readonly body: readonly BodyPiece[] | null;
}

/** Throws `function-invalid` where the text does not show which columns are read. */
export function readRowAccess(fn: FunctionNode, source: string, path: string): RowAccess {
  refuseArguments(fn.body, path);
  const [param, second] = fn.params;
  if (param === undefined) return { columns: [], ...asItIs };
  if (second !== undefined) {
    throw invalid("A function of a row takes the row, and nothing else.", path, startOf(second));
  }
  if (param.type === "ObjectPattern") return { columns: columnsOfPattern(param, path), ...asItIs };
  if (param.type !== "Identifier") {
    throw invalid("Name the row: (row) => …", path, startOf(param));
  }
  const reads = new RowReads(param.name, path);
  reads.visit(fn.body);
  return { columns: reads.columns, ...(reads.isPlain ? reads.rewrite(fn, source) : asItIs) };
}

/** The row reached another way: its columns could not be known. */
function refuseArguments(node: Node, path: string): void {
  const any = node as AnyNode;
  if (any.type === "Identifier" && any.name === "arguments") throw wholeRow(any, path);
  // Functions but for arrows have arguments of their own.
  if (any.type === "FunctionExpression" || any.type === "FunctionDeclaration") return;
  for (const child of childrenOf(any)) if (!isPlainKey(any, child)) refuseArguments(child, path);
}

/** Of a function that is called with its row. */
const asItIs = { rewritten: null, body: null };

function columnsOfPattern(
  pattern: Extract<Pattern, { type: "ObjectPattern" }>,
  path: string,
): RowAccess["columns"] {
  return pattern.properties.map((property) => {
    if (property.type === "Property" && !property.computed) {
      const { key } = property;
      if (key.type === "Identifier") return { name: key.name, at: key };
      if (key.type === "Literal" && typeof key.value === "string") {
        return { name: key.value, at: key };
      }
    }
    throw wholeRow(property, path);
  });
}

/** Parameters would be mistaken for variables of the user. */
const takenNames = /\$\d|\barguments\b|\beval\b/;

class RowReads {
  readonly #row: string;
  readonly #path: string;
  readonly columns: { name: string; at: Node }[] = [];
  /** Whether all it does with the row is to read its columns. */
  isPlain = true;
  readonly #reads: ColumnRead[] = [];

  constructor(row: string, path: string) {
    this.#row = row;
    this.#path = path;
  }

  visit(node: Node): void {
    const any = node as AnyNode;
    if (any.type === "MemberExpression" && this.#isRow(any.object)) {
      this.#read(any);
      if (any.computed) this.visit(any.property);
      return;
    }
    if (any.type === "Identifier") {
      if (any.name === this.#row) throw wholeRow(any, this.#path);
      return;
    }
    if (isFunctionLike(any) && any.params.some((param) => bindsName(param, this.#row))) return;
    if (declares(any, this.#row)) {
      const detail = `Give the variable another name: ${this.#row} is the row.`;
      throw invalid(detail, this.#path, startOf(any), "row-shadowed");
    }
    if (
      changes(any, (target) => target.type === "MemberExpression" && this.#isRow(target.object))
    ) {
      this.isPlain = false;
    }
    // A call of a column would lose its `this`.
    if (any.type === "CallExpression" && any.callee.type === "MemberExpression") {
      if (this.#isRow(any.callee.object)) this.isPlain = false;
    }
    for (const child of childrenOf(any)) {
      // Names of properties are no variables.
      if (isPlainKey(any, child)) continue;
      this.visit(child);
    }
  }

  #isRow(node: Node): boolean {
    return (
      (node as AnyNode).type === "Identifier" && (node as { name?: string }).name === this.#row
    );
  }

  #read(node: MemberExpression): void {
    const { property, computed } = node;
    let name: string | null = null;
    if (!computed && property.type === "Identifier") name = property.name;
    if (computed && property.type === "Literal" && typeof property.value === "string") {
      name = property.value;
    }
    if (name === null) throw wholeRow(node, this.#path);
    let index = this.columns.findIndex((column) => column.name === name);
    if (index < 0) index = this.columns.push({ name, at: node }) - 1;
    this.#reads.push({ node, index });
  }

  /** Padded, so that what follows on the line stays at its column. */
  rewrite(fn: FunctionNode, source: string): Omit<RowAccess, "columns"> {
    const headEnd = headEndOf(fn, source);
    if (headEnd === null || takenNames.test(source)) return asItIs;
    const reads = this.#reads.toSorted((a, b) => a.node.start - b.node.start);
    const parameters = `(${this.columns.map((_, k) => `$${k}`).join()})`;
    const head =
      fn.type === "ArrowFunctionExpression" ? `${parameters}=>` : `function${parameters}`;
    let text = `${head}\n${source.slice(0, headEnd).replaceAll(/./g, " ")}`;
    let from = headEnd;
    for (const { node, index } of reads) {
      const start = node.start - sourceOffset;
      const end = node.end - sourceOffset;
      // A line break must not be lost.
      if (source.slice(start, end).includes("\n")) return asItIs;
      // Behind a parenthesis that is gone the variable must not run into the word before it.
      const variable = source[start] === "(" ? ` $${index}` : `$${index}`;
      text += source.slice(from, start) + variable.padEnd(end - start);
      from = end;
    }
    const body = bodyOf(fn, source, headEnd, reads);
    return { rewritten: text + source.slice(from), body };
  }
}

/** Where in the source the head of a function ends, and only its body follows; null where that is not plain. */
function headEndOf(fn: FunctionNode, source: string): number | null {
  const [start, bodyStart] = [fn.start - sourceOffset, fn.body.start - sourceOffset];
  const [param] = fn.params;
  // Parentheses around the function, or its own name, would be lost.
  if (source.slice(0, start).trim() !== "" || ("id" in fn && fn.id != null)) return null;
  if (fn.body.type === "BlockStatement") return bodyStart;
  // The body may stand in parentheses, which belong to no node.
  const paramEnd = (param?.end ?? fn.start) - sourceOffset;
  const between = source.slice(paramEnd, bodyStart);
  return between.includes("/") ? null : paramEnd + between.indexOf("=>") + 2;
}

function wholeRow(node: Node, path: string): Error {
  const detail =
    'Which columns it reads must be plain from its text: write row.column or row["column"] for each.';
  return invalid(detail, path, startOf(node), "row-as-a-whole");
}

function isPlainKey(parent: AnyNode, child: Node): boolean {
  if (parent.type === "MemberExpression") return child === parent.property && !parent.computed;
  if (parent.type === "Property" || parent.type === "MethodDefinition") {
    // In `{ row }` the key is the variable too.
    const shorthand = parent.type === "Property" && parent.shorthand;
    return child === parent.key && !parent.computed && !shorthand;
  }
  const isLabel =
    parent.type === "LabeledStatement" ||
    parent.type === "BreakStatement" ||
    parent.type === "ContinueStatement";
  return isLabel && child === parent.label;
}

function isFunctionLike(
  node: AnyNode,
): node is Extract<AnyNode, { params: Pattern[]; body: unknown }> {
  return (
    node.type === "ArrowFunctionExpression" ||
    node.type === "FunctionExpression" ||
    node.type === "FunctionDeclaration"
  );
}

/** Whether a pattern gives a variable this name. */
function bindsName(pattern: Node, name: string): boolean {
  const any = pattern as AnyNode;
  if (any.type === "Identifier") return any.name === name;
  if (any.type === "MemberExpression") return false;
  if (any.type === "AssignmentPattern") return bindsName(any.left, name);
  if (any.type === "Property") return bindsName(any.value, name);
  return [...childrenOf(any)].some((child) => bindsName(child, name));
}

/** Whether a node that is no function's parameter list makes a variable of this name. */
function declares(node: AnyNode, name: string): boolean {
  if (node.type === "VariableDeclarator") return bindsName(node.id, name);
  if (node.type === "CatchClause") return node.param != null && bindsName(node.param, name);
  const isNamed =
    node.type === "FunctionDeclaration" ||
    node.type === "FunctionExpression" ||
    node.type === "ClassDeclaration" ||
    node.type === "ClassExpression";
  return isNamed && node.id != null && node.id.name === name;
}

/** Whether a node writes to, or deletes, what the test finds. */
function changes(node: AnyNode, isTarget: (target: AnyNode) => boolean): boolean {
  switch (node.type) {
    case "AssignmentExpression":
      return hasTarget(node.left, isTarget);
    case "UpdateExpression":
      return hasTarget(node.argument, isTarget);
    case "UnaryExpression":
      return node.operator === "delete" && hasTarget(node.argument, isTarget);
    case "ForInStatement":
    case "ForOfStatement":
      return hasTarget(node.left, isTarget);
    default:
      return false;
  }
}

function hasTarget(node: Node, isTarget: (target: AnyNode) => boolean): boolean {
  if (isTarget(node as AnyNode)) return true;
  return [...childrenOf(node)].some((child) => hasTarget(child, isTarget));
}
