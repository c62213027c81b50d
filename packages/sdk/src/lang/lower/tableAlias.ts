import { refuse } from "../base/sqlRefusal.js";
import type { Node, Statement } from "../base/syntax.js";

/**
 * The statement with columns named alone, where the text names them by the table's alias:
 * `r.status` of `FROM requests AS r`.
 */
export function withoutAlias(statement: Statement): Statement {
  const { alias, table } = statement;
  if (alias === null) return statement;
  const prefix = `${alias.value.toLowerCase()}.`;
  const rename = (name: string): string =>
    name.toLowerCase().startsWith(prefix) ? name.slice(prefix.length) : name;
  // PostgreSQL hides the table's own name behind its alias: here columns may be called so, as in
  // `request.path`.
  return { ...(renamed(statement, rename) as Statement), alias: null, table };
}

/** A node with other names of columns. */
export function withNames(node: Node, rename: (name: string) => string): Node {
  return renamed(node, rename) as Node;
}

/** The same syntax with other names of columns: names in quotes and of functions stay. */
function renamed(part: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(part)) return part.map((one) => renamed(one, rename));
  if (typeof part !== "object" || part === null) return part;
  if ("kind" in part && part.kind === "name" && "value" in part && "at" in part) {
    if ("quoted" in part && part.quoted === true) return part;
    const value = rename(String(part.value));
    return value === ""
      ? refuse(Number(part.at), "syntax", "A column follows the point.")
      : { ...part, value };
  }
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, renamed(value, rename)]),
  );
}
