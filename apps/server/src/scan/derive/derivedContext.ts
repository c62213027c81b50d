import type { Dictionary } from "../../column/dictionary.js";
import type { TypedExpression } from "../../function/term/typedExpression.js";
import type { ResolvedDerived } from "../../plan/query/resolvedQuery.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import type { DerivedName, SharedExpression } from "../task/deriveTask.js";
import type { ExpressionTables } from "./expressionTables.js";
import type { StringTables } from "./stringTables.js";

/** What one query knows of one of its derived columns, over all segments. */
export interface DerivedContext {
  readonly derived: ResolvedDerived;
  readonly expression: TypedExpression;
  readonly name: DerivedName;
  readonly shared: SharedExpression;
  /** Of a column of strings: what its codes stand for. */
  readonly dictionary: Dictionary;
  readonly tables: ExpressionTables;
  readonly strings: StringTables;
  readonly memory: QueryMemory;
}
