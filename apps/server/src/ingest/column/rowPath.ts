import { nameFault, sampleRateColumn, timeColumn } from "@hadal/sdk";
import { quote, RowRejected } from "../value/rowRejected.js";
import type { ColumnBuilder } from "./columnBuilder.js";
import type { ColumnRule, ColumnRules } from "./columnRule.js";

/** The meaning of a name in a row: a column, the event time, or a prefix of longer names. */
export interface PathNode {
  /** The column's, with the names that lead to it. */
  readonly name: string;
  /** As the object that it is in has it. */
  readonly ownName: string;
  /** Of the row itself, which has no name. */
  readonly isRoot: boolean;
  /** `ruled`: a column whose type or decimals are set. */
  readonly role: "column" | "ruled" | "time" | "sampleRate";
  readonly rule: ColumnRule | null;
  readonly children: Map<string, PathNode>;
  /** Made when a value comes first; names of objects alone are no columns. */
  column: ColumnBuilder | null;
  /** The type of lists in an Arrow field; JSON lists show their type themselves. */
  listType?: "set";
}

/** Far beyond nameBytesMax: spares the check from reading megabytes. */
const nameUnitsMax = 10_000;

/** The settings that decide the role of a column. */
export interface PathNaming {
  readonly timeName: string;
  readonly rules: ColumnRules;
}

export function createRoot(): PathNode {
  const empty = { name: "", ownName: "", children: new Map(), column: null };
  return { ...empty, isRoot: true, role: "column", rule: null };
}

/** The path below a parent. Throws RowRejected when the name cannot be a column's. */
export function createPath(
  parent: PathNode,
  key: string,
  { timeName, rules }: PathNaming,
): PathNode {
  const name = parent.isRoot ? key : `${parent.name}.${key}`;
  const fault = name.length > nameUnitsMax ? "It is too long." : nameFault(name);
  if (fault !== null) throw new RowRejected("name-invalid", `Name ${quote(name)}: ${fault}`);
  if (name === timeColumn && timeName !== timeColumn) {
    throw new RowRejected(
      "name-reserved",
      `The row has \`${timeColumn}\` besides its event time \`${timeName}\`; every table calls the event time \`${timeColumn}\`, so rename or leave out the other.`,
    );
  }
  const role = roleOf(name, timeName, rules);
  const rule = role === "ruled" ? (rules.get(name) ?? null) : null;
  const node: PathNode = {
    ...{ name, ownName: key, isRoot: false, role, rule },
    ...{ children: new Map(), column: null },
  };
  parent.children.set(key, node);
  return node;
}

function roleOf(name: string, timeName: string, rules: ColumnRules): PathNode["role"] {
  if (name === timeName) return "time";
  if (name === sampleRateColumn) return "sampleRate";
  return rules.has(name) ? "ruled" : "column";
}
