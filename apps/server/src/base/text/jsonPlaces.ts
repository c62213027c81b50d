import { type MemberNode, parse, type ValueNode } from "@humanwhocodes/momoa";

/** Both count from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

const start: TextPlace = { line: 1, column: 1 };

/** Where a text stops being JSON; null: it is JSON. */
export function faultPlace(text: string): TextPlace | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return parserFault(text) ?? enginePlace(text, error);
  }
}

/** The place of a value of a JSON text; of a missing one, that of the object that should have it. */
export function valuePlace(text: string, path: string): TextPlace {
  let node: ValueNode;
  try {
    node = parse(text, { mode: "json" }).body;
  } catch {
    // Nested too deeply for the parser.
    return start;
  }
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    const next = name === undefined ? elementOf(node, Number(index)) : memberOf(node, name);
    if (next === undefined) break;
    node = next;
  }
  const { line, column } = node.loc.start;
  return { line, column };
}

function memberOf(node: ValueNode, name: string): ValueNode | undefined {
  if (node.type !== "Object") return undefined;
  const nameOf = ({ name: key }: MemberNode): string =>
    key.type === "String" ? key.value : key.name;
  // Of a name that comes twice the last value counts.
  return node.members.findLast((member) => nameOf(member) === name)?.value;
}

function elementOf(node: ValueNode, index: number): ValueNode | undefined {
  return node.type === "Array" ? node.elements[index]?.value : undefined;
}

function parserFault(text: string): TextPlace | null {
  try {
    parse(text, { mode: "json" });
    return null;
  } catch (error) {
    const { offset } = error as { readonly offset?: number };
    // The parser's own lines leave out line ends within texts.
    return offset === undefined ? null : placeAt(text, offset);
  }
}

/** What the parser accepts and the engine does not: control characters in texts. */
function enginePlace(text: string, error: unknown): TextPlace {
  const at = /position (\d+)/.exec(String(error))?.[1];
  if (at === undefined) return start;
  return placeAt(text, Number(at));
}

function placeAt(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") };
}
