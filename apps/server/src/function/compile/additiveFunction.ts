import type { AnyNode, Identifier, Node } from "acorn";
import type { TypedExpression } from "../term/typedExpression.js";
import { compileNumbers } from "./compileFunction.js";
import { type FunctionNode, parseFunctions } from "./functionSyntax.js";

/** A property of the state: the sum over rows of weight · the product of these columns' values (indexes; none: of the weight alone). */
export interface AdditivePart {
  readonly name: string;
  readonly factors: readonly number[];
}

/** How the root finishes an additive function without running it: an expression over the parts in their order. Null: it has to run. */
export function readFinish(source: string, parts: readonly AdditivePart[]): TypedExpression | null {
  const finalize = parseFunctions(source, "source")?.members.get("finalize");
  if (finalize === undefined) return null;
  return compileNumbers(
    finalize,
    parts.map(({ name }) => name),
  );
}

/** Products of more are seldom asked for, and leave 53 bits soon. */
const factorsMax = 2;

/**
 * The parts of an aggregate whose states are nothing but such sums: `init` gives zeros, each statement of `update` is
 * `state.part += a * b * weight`, and `merge` adds part by part. Then no row has to go to the sandbox. Null: it is another.
 */
export function readAdditive(source: string, columnCount: number): readonly AdditivePart[] | null {
  const members = parseFunctions(source, "source")?.members;
  const init = members?.get("init");
  const update = members?.get("update");
  const merge = members?.get("merge");
  if (init === undefined || update === undefined || merge === undefined) return null;
  const names = zerosOf(init);
  const parts = partsOf(update, columnCount);
  if (names === null || parts === null || parts.length !== names.length) return null;
  const isWhole = parts.every(({ name }) => names.includes(name)) && addsUp(merge, names);
  return isWhole ? parts : null;
}

/** Names of the properties of an object that is all zeros. */
function zerosOf(init: FunctionNode): readonly string[] | null {
  if (init.params.length > 0) return null;
  const properties = returnedProperties(init);
  if (properties === null || properties.length === 0) return null;
  const isZero = properties.every(({ value }) => value.type === "Literal" && value.value === 0);
  return isZero ? properties.map(({ name }) => name) : null;
}

function addsUp(merge: FunctionNode, names: readonly string[]): boolean {
  const params = identifiersOf(merge);
  const properties = returnedProperties(merge);
  const [a, b] = params ?? [];
  if (a === undefined || b === undefined || a === b || params?.length !== 2) return false;
  if (properties?.length !== names.length) return false;
  return properties.every(({ name, value }) => {
    if (!names.includes(name) || value.type !== "BinaryExpression" || value.operator !== "+") {
      return false;
    }
    const sides = [value.left as AnyNode, value.right as AnyNode];
    return [a, b].every((state) => sides.some((side) => propertyOf(side, state) === name));
  });
}

function partsOf(update: FunctionNode, columnCount: number): readonly AdditivePart[] | null {
  const params = identifiersOf(update);
  if (params?.length !== columnCount + 2 || new Set(params).size !== params.length) return null;
  if (update.body.type !== "BlockStatement") return null;
  const [state = ""] = params;
  const parts: AdditivePart[] = [];
  for (const statement of update.body.body) {
    if (statement.type !== "ExpressionStatement") return null;
    const { expression } = statement;
    if (expression.type !== "AssignmentExpression" || expression.operator !== "+=") return null;
    const name = propertyOf(expression.left as AnyNode, state);
    const factors = factorsOf(expression.right as AnyNode);
    if (name === null || factors === null || parts.some((one) => one.name === name)) return null;
    const indexes = factors.map((factor) => params.indexOf(factor) - 1);
    const weight = columnCount;
    const columns = indexes.filter((index) => index !== weight);
    const isWeighted = columns.length === indexes.length - 1;
    if (!isWeighted || columns.length > factorsMax || columns.some((index) => index < 0)) {
      return null;
    }
    parts.push({ name, factors: columns });
  }
  return parts;
}

/** The identifiers that are multiplied; null: it is something else. */
function factorsOf(node: AnyNode): readonly string[] | null {
  if (node.type === "Identifier") return [node.name];
  if (node.type !== "BinaryExpression" || node.operator !== "*") return null;
  const left = factorsOf(node.left as AnyNode);
  const right = factorsOf(node.right as AnyNode);
  return left === null || right === null ? null : [...left, ...right];
}

/** `name` of `object.name`. */
function propertyOf(node: AnyNode, object: string): string | null {
  if (node.type !== "MemberExpression" || node.computed || node.optional === true) return null;
  const { object: of, property } = node;
  if (of.type !== "Identifier" || of.name !== object) return null;
  return property.type === "Identifier" ? property.name : null;
}

function identifiersOf({ params }: FunctionNode): readonly string[] | null {
  return params.every((param) => param.type === "Identifier")
    ? params.map((param) => (param as Identifier).name)
    : null;
}

/** Of an object that is all that the function returns. */
function returnedProperties(
  fn: FunctionNode,
): readonly { readonly name: string; readonly value: AnyNode }[] | null {
  let returned: Node | null | undefined = fn.body;
  if (fn.body.type === "BlockStatement") {
    const [only, more] = fn.body.body;
    if (only?.type !== "ReturnStatement" || more !== undefined) return null;
    returned = only.argument;
  }
  const object = returned as AnyNode | null | undefined;
  if (object?.type !== "ObjectExpression") return null;
  const found: { name: string; value: AnyNode }[] = [];
  for (const property of object.properties) {
    if (property.type !== "Property" || property.computed || property.kind !== "init") return null;
    // The name that sets a prototype instead.
    if (property.key.type !== "Identifier" || property.key.name === "__proto__") return null;
    if (found.some(({ name }) => name === (property.key as Identifier).name)) return null;
    found.push({ name: property.key.name, value: property.value as AnyNode });
  }
  return found;
}
