import type { Dictionary } from "../../column/dictionary.js";
import type { TypedExpression } from "../../function/term/typedExpression.js";
import type { ResolvedDerived } from "../../plan/query/resolvedQuery.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import type { DerivedName, SharedExpression } from "../task/deriveTask.js";
import type { ExpressionTables } from "./expressionTables.js";
import type { StringTables } from "./stringTables.js";

/** The context of one derived column of a query, over all segments. */
export interface DerivedContext {
  readonly derived: ResolvedDerived;
  readonly expression: TypedExpression;
  readonly name: DerivedName;
  readonly shared: SharedExpression;
  /** The dictionary of a column of strings. */
  readonly dictionary: Dictionary;
  readonly tables: ExpressionTables;
  readonly strings: StringTables;
  readonly memory: QueryMemory;
}
