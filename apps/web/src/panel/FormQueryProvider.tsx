import type { ReactNode } from "react";
import { type FormQuery, FormQueryContext } from "./formQuery.js";
import { PanelProvider } from "./panel.js";

export interface FormQueryProviderProps {
  readonly value: FormQuery;
  readonly children: ReactNode;
}

/** Provides the state to the form and to the panel of its answer. */
export function FormQueryProvider({ value, children }: FormQueryProviderProps) {
  return (
    <FormQueryContext.Provider value={value}>
      <PanelProvider value={value}>{children}</PanelProvider>
    </FormQueryContext.Provider>
  );
}
