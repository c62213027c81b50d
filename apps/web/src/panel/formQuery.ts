import { createContext, useContext } from "react";
import type { Session } from "../session/session.js";
import type { AskedQuery } from "./panel.js";

/** The state and the actions of the form, which is also a panel of its own answer. */
export interface FormQuery extends AskedQuery {
  readonly session: Session;
  /** The error message at a place of the form (`filter 0`, `from`). */
  readonly faultAt: (place: string) => string | null;
  /** What filters may name instead of a value, such as `$service` on a dashboard. */
  readonly variables?: readonly string[];
}

export const FormQueryContext = createContext<FormQuery | null>(null);

export function useFormQuery(): FormQuery {
  const asked = useContext(FormQueryContext);
  if (asked === null) throw new Error("useFormQuery needs a FormQueryProvider above it");
  return asked;
}
