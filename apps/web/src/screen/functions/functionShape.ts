import { type ColumnInfo, type FunctionKind, timeColumn } from "@hadal/sdk";

/** The kind and parameters guessed from a source while it is edited. The server decides. */
export interface FunctionShape {
  readonly kind: FunctionKind;
  /** The names of the parameters; empty: it takes the whole row. */
  readonly parameters: readonly string[];
}

/** `(row) => …` takes the row, `(a, b) => …` values, `{ update(s, x, weight) … }` values of x. */
export function shapeOf(source: string): FunctionShape {
  if (source.trimStart().startsWith("{")) {
    const [, list = ""] = /\bupdate\s*(?::\s*(?:function)?\s*)?\(([^)]*)\)/.exec(source) ?? [];
    const values = namesOf(list).slice(1);
    const weighted = /^(w|weight)$/.test(values.at(-1) ?? "");
    return { kind: "aggregate", parameters: weighted ? values.slice(0, -1) : values };
  }
  const [, list, single] =
    /^\s*(?:\(([^)]*)\)|([\p{L}_$][\p{L}\p{N}_$]*))\s*=>/u.exec(source) ?? [];
  const names = namesOf(list ?? single ?? "");
  const takesRow = names.length === 1 && names[0] === "row";
  return { kind: "scalar", parameters: takesRow ? [] : names };
}

const namesOf = (list: string): string[] =>
  list
    .split(",")
    .map((part) => part.replace(/=.*$/s, "").trim())
    .filter((name) => name !== "");

/** A column per parameter: the chosen one, one of its name, or an unused one. */
export function columnsFor(
  { kind, parameters }: FunctionShape,
  infos: readonly Pick<ColumnInfo, "name" | "type">[],
  chosen: Readonly<Record<string, string>>,
): readonly string[] {
  const columns = infos.map((column) => column.name);
  const numbers = infos.flatMap(({ name, type }) => (type === "int" ? [name] : []));
  const likely = kind === "aggregate" ? [...numbers, ...columns] : columns;
  const taken = new Set<string>();
  return parameters.map((name) => {
    const before = Object.hasOwn(chosen, name) ? chosen[name] : undefined;
    const column =
      [before, name].find((one) => one !== undefined && columns.includes(one)) ??
      likely.find((one) => !taken.has(one) && one !== timeColumn) ??
      name;
    taken.add(column);
    return column;
  });
}
