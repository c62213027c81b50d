/**
 * What the grammar builds from a text of SQL: nothing is decided here yet. `at` is an offset in the
 * text, in UTF-16 units.
 */

export interface Name {
  readonly at: number;
  readonly value: string;
  /** It began with a double quote: it is a name, whatever else it could be. */
  readonly quoted: boolean;
}

/** A type of CAST with the sizes behind it: `numeric(10, 2)`. */
export interface TypeName extends Name {
  readonly sizes: readonly { readonly text: string }[];
}

interface At<Kind extends string> {
  readonly kind: Kind;
  readonly at: number;
}

/** Left to right; all operators of one chain bind alike. */
export interface ChainNode extends At<"chain"> {
  readonly first: Node;
  readonly rest: readonly {
    readonly op: "+" | "-" | "*" | "/" | "%" | "||";
    readonly operand: Node;
  }[];
}

export interface CallNode extends At<"call"> {
  readonly name: string;
  readonly quoted: boolean;
  readonly args: readonly Node[];
  readonly distinct: boolean;
  /** `FILTER (WHERE …)`: the rows that an aggregate takes. */
  readonly filter: Node | null;
  readonly per: "second" | "minute" | "hour" | null;
}

/**
 * `AGGREGATE name(column, …)`: a saved function over the rows of a group, in every place.
 */
export interface AggregateNode extends At<"aggregate"> {
  readonly name: string;
  readonly quoted: boolean;
  readonly args: readonly Node[];
  readonly filter: Node | null;
}

export interface CaseNode extends At<"case"> {
  readonly subject: Node | null;
  readonly branches: readonly { readonly condition: Node; readonly value: Node }[];
  readonly otherwise: Node | null;
}

export type CompareOp = "=" | "!=" | "<" | "<=" | ">" | ">=";

export interface CompareNode extends At<"compare"> {
  readonly op: CompareOp;
  readonly operand: Node;
  readonly right: Node;
}

export interface MatchNode extends At<"match"> {
  readonly op: "~" | "!~" | "~*" | "!~*";
  readonly operand: Node;
  readonly right: Node;
}

export interface LikeNode extends At<"like"> {
  readonly op: "like" | "ilike";
  readonly operand: Node;
  readonly right: Node;
  readonly escape: StringNode | null;
  readonly negated: boolean;
}

export interface InNode extends At<"in"> {
  readonly operand: Node;
  readonly items: readonly Node[];
  readonly negated: boolean;
}

export interface BetweenNode extends At<"between"> {
  readonly operand: Node;
  readonly low: Node;
  readonly high: Node;
  readonly negated: boolean;
}

export interface IsNode extends At<"is"> {
  readonly operand: Node;
  readonly what: "null" | "missing" | "present" | "empty" | "true" | "false" | "unknown";
  readonly negated: boolean;
}

/** `IS DISTINCT FROM`, which takes the missing for a value. */
export interface DistinctNode extends At<"distinct"> {
  readonly operand: Node;
  readonly right: Node;
  readonly negated: boolean;
}

export interface ElementsNode extends At<"elements"> {
  readonly operand: Node;
  readonly op:
    | "includes any"
    | "includes all"
    | "includes none"
    | "starts with"
    | "ends with"
    | "contains sequence";
  readonly items: readonly Node[];
}

export interface ContainsNode extends At<"contains"> {
  readonly operand: Node;
  readonly right: Node;
  readonly negated: boolean;
}

export interface StringNode extends At<"string"> {
  readonly value: string;
}

export type TestNode =
  | CompareNode
  | MatchNode
  | LikeNode
  | InNode
  | BetweenNode
  | IsNode
  | DistinctNode
  | ElementsNode
  | ContainsNode;

export type Node =
  | TestNode
  | ChainNode
  | CallNode
  | AggregateNode
  | CaseNode
  | StringNode
  | (At<"and" | "or"> & { readonly operands: readonly Node[] })
  | (At<"not" | "negate" | "paren"> & { readonly operand: Node })
  | (At<"number"> & { readonly text: string })
  | (At<"constant"> & { readonly value: boolean | null })
  | (At<"interval" | "timestamp"> & { readonly text: string })
  | (At<"cast"> & { readonly operand: Node; readonly types: readonly TypeName[] })
  | (At<"extract"> & { readonly part: string; readonly partAt: number; readonly operand: Node })
  | (At<"array"> & { readonly items: readonly Node[] })
  | (At<"name"> & { readonly value: string; readonly quoted: boolean })
  | At<"star">;

export interface SelectItem {
  readonly expression: Node;
  readonly alias: Name | null;
}

/** `DERIVE expression AS name`, or with the JavaScript of a function in place of the expression. */
export type DeriveItem = { readonly at: number; readonly as: Name } & (
  | { readonly expression: Node; readonly source: null }
  | { readonly expression: null; readonly source: StringNode }
);

export interface OrderItem {
  readonly expression: Node;
  readonly desc: boolean;
  readonly nulls: "first" | "last" | null;
}

export interface Count {
  readonly at: number;
  readonly text: string;
}

export interface OptionItem {
  readonly name: Name;
  readonly value: Node | null;
}

/** A clause behind HAVING; these may come in any order. */
export type Tail =
  | (At<"orderBy"> & { readonly items: readonly OrderItem[] })
  | (At<"limit"> & { readonly value: Count })
  | (At<"offset"> & { readonly value: Count })
  | (At<"series"> & { readonly value: Count })
  | (At<"show"> & { readonly names: readonly Name[] })
  | (At<"compare"> & { readonly to: StringNode | null; readonly where: Node | null })
  | (At<"timeZone"> & { readonly zone: StringNode })
  | (At<"with"> & { readonly options: readonly OptionItem[] });

export interface Statement {
  /** `SELECT DISTINCT`. */
  readonly distinct: { readonly at: number } | null;
  readonly items: readonly SelectItem[];
  readonly table: Name;
  /** What the table is called in the text. */
  readonly alias: Name | null;
  readonly derive: readonly DeriveItem[];
  readonly where: Node | null;
  readonly groupBy: readonly Node[];
  readonly having: Node | null;
  readonly tails: readonly Tail[];
}
