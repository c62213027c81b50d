import { type DerivedColumn, HadalError, nearestHint } from "@hadal/sdk";

export type DeriveWay = "expression" | "js" | "function";

/** The fields of the editor of a derived column, as typed. */
export interface DeriveDraft {
  readonly as: string;
  readonly way: DeriveWay;
  /** The expression or the JavaScript. */
  readonly text: string;
  /** The name of a saved function, and the columns passed to it, separated by commas. */
  readonly fn: string;
  readonly args: string;
}

type DeriveResult =
  | { readonly ok: true; readonly column: DerivedColumn }
  | { readonly ok: false; readonly reason: string };

/** The draft of a column; null: a new one. The text of an expression is printed separately. */
export function draftOf(column: DerivedColumn | null): DeriveDraft {
  const empty = { as: column?.as ?? "", way: "expression" as const, text: "", fn: "", args: "" };
  if (column === null || "expression" in column) return empty;
  if ("js" in column) return { ...empty, way: "js", text: column.js };
  return { ...empty, way: "function", fn: column.function, args: (column.args ?? []).join(", ") };
}

/** The column of the draft, or why it is invalid. `taken` are the names of other columns. */
export async function readDerive(
  draft: DeriveDraft,
  columnNames: readonly string[],
  taken: readonly string[],
): Promise<DeriveResult> {
  const as = draft.as.trim();
  if (as === "") return invalid("Give the column a name.");
  if (taken.includes(as)) return invalid(`A column “${as}” already exists.`);
  if (draft.way === "function") return readCall(as, draft, columnNames);
  if (draft.text.trim() === "") return invalid("Write an expression or a function.");
  if (draft.way === "js") return { ok: true, column: { as, js: draft.text } };
  try {
    return { ok: true, column: { as, expression: await readExpression(draft.text) } };
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return invalid(error.message);
  }
}

function readCall(as: string, draft: DeriveDraft, columnNames: readonly string[]): DeriveResult {
  if (draft.fn === "") return invalid("Choose a function.");
  const args = draft.args
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const wrong = args.find((name) => !columnNames.includes(name));
  if (wrong !== undefined) {
    return invalid(`There is no column “${wrong}”.${nearestHint(wrong, columnNames)}`);
  }
  return { ok: true, column: { as, function: draft.fn, args } };
}

const invalid = (reason: string): DeriveResult => ({ ok: false, reason });

/** The SQL grammar is loaded on demand. */
async function readExpression(text: string) {
  const { parseExpression } = await import("../../../draft/text/sqlParts.js");
  return parseExpression(text);
}
