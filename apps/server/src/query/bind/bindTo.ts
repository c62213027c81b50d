import { HadalError } from "@hadal/sdk";
import type { TableGrant } from "../../base/access/readable.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { storedColumnOf } from "../../plan/schema/bindColumns.js";
import { grantedSchema } from "../../plan/schema/grantedSchema.js";
import type { SchemaColumn, TableSchema } from "../../plan/schema/tableSchema.js";
import { type ColumnChoices, choicesInRange, choicesInTable } from "./columnsInRange.js";
import type { TableCatalogue } from "./tableCatalogue.js";

/** What binding needs of the catalogue. */
export type BindingCatalogue = Pick<TableCatalogue, "schema" | "refresh" | "forms"> & {
  /** What may be read of a table; left out: all of every table. */
  readonly grantOf?: (table: string) => TableGrant;
};

/** A question about one table. */
export interface Question<Bound> {
  readonly table: string;
  /** As it was asked, for the names in it. */
  readonly asked: object;
  readonly bind: (schema: TableSchema) => Bound;
  /** Its rows. Where it is not bound to columns, it reads all of them. */
  readonly rowsOf: (bound: Bound) => Pick<ResolvedQuery, "sides" | "bound">;
}

/** The most ways to see columns of several types that are tried: enough for six such columns in one question. */
const attemptsMax = 64;

/**
 * Binds a question to the columns of a table. What does not fit them may fit those of this moment: that is asked before it
 * is refused. A column whose values have several types has the one that its values in the time range of the question need,
 * or a wider one where the question needs that.
 */
export async function bindTo<Bound>(
  question: Question<Bound>,
  catalogue: BindingCatalogue,
): Promise<Bound> {
  try {
    return await bindOnce(question, catalogue);
  } catch (error) {
    if (!isMisfit(error)) throw error;
    await catalogue.refresh();
    return await bindOnce(question, catalogue);
  }
}

async function bindOnce<Bound>(
  asked: Question<Bound>,
  catalogue: BindingCatalogue,
): Promise<Bound> {
  const grant = catalogue.grantOf?.(asked.table);
  const question = grant === undefined ? asked : boundByGrant(asked, grant);
  const schema = await catalogue.schema(question.table).catch((error: unknown) => {
    throw isUnknownTable(error) ? placed(error, "table") : error;
  });
  if (schema.mixed.size === 0) return question.bind(schema);
  const inTable = new Map(
    [...schema.mixed].map(([name, forms]) => [name, choicesInTable(name, forms)]),
  );
  const first = bindSome(question, schema, inTable);
  const { sides, bound } = question.rowsOf(first);
  const read = bound?.map(storedColumnOf);
  const names = [...schema.mixed.keys()].filter((name) => read?.includes(name) !== false);
  if (names.length === 0) return first;
  const found = await catalogue.forms(question.table, names, sides);
  const inRange = new Map(inTable);
  for (const name of names) {
    const ofColumn = found.filter(({ column }) => column === name);
    inRange.set(name, choicesInRange(name, schema.mixed.get(name)!, ofColumn));
  }
  return bindSome(question, schema, inRange);
}

/** The form that a condition of the grant reads is chosen from the same columns as the question's own. */
const boundByGrant = <Bound>(question: Question<Bound>, grant: TableGrant): Question<Bound> => ({
  ...question,
  bind: (schema) => question.bind(grantedSchema(schema, grant)),
});

/** Binds to the narrowest columns that the question fits; throws what is wrong with the narrowest of all. */
function bindSome<Bound>(
  { asked, bind }: Question<Bound>,
  schema: TableSchema,
  choices: ReadonlyMap<string, ColumnChoices>,
): Bound {
  // Numbers beyond 2^53 name no columns.
  const text = JSON.stringify(asked, (_, value) => (typeof value === "bigint" ? null : value));
  const named = [...choices.keys()].filter((name) =>
    text.includes(JSON.stringify(name).slice(1, -1)),
  );
  const waiting: (readonly number[])[] = [named.map(() => 0)];
  const seen = new Set<string>();
  let refusal: unknown;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    try {
      return bind(withColumns(schema, choices, new Map(named.map((name, i) => [name, next![i]!]))));
    } catch (error) {
      if (!isMisfit(error)) throw error;
      refusal ??= error;
    }
    for (const [i, name] of named.entries()) {
      const wider = next.with(i, next[i]! + 1);
      const key = wider.join();
      if (wider[i]! >= choices.get(name)!.length || seen.has(key)) continue;
      if (seen.size >= attemptsMax) continue;
      seen.add(key);
      waiting.push(wider);
    }
  }
  throw refusal;
}

function withColumns(
  schema: TableSchema,
  choices: ReadonlyMap<string, ColumnChoices>,
  chosen: ReadonlyMap<string, number>,
): TableSchema {
  const columns = new Map<string, SchemaColumn>(schema.columns);
  for (const [name, ofColumn] of choices) columns.set(name, ofColumn[chosen.get(name) ?? 0]!);
  return { ...schema, columns };
}

function isMisfit(error: unknown): boolean {
  return error instanceof HadalError && error.status === 400;
}

const isUnknownTable = (error: unknown): error is HadalError =>
  error instanceof HadalError && error.code === "unknown-table";

/** The same error, of a part of what was asked. */
function placed({ code, message }: HadalError, path: string): HadalError {
  const error = new HadalError(code, {}, [{ path, code, detail: message }]);
  error.message = message;
  return error;
}
