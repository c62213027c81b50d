import { HadalError } from "@hadal/sdk";
import type { TableCatalogue } from "./tableCatalogue.js";

type Catalogue = Pick<TableCatalogue, "refresh">;

/** How often a question is bound to columns that change under it: each can widen four times, and seldom does. */
const bindingsMax = 5;

/** Runs what is bound to the columns of a table, and again where a leaf says that they have changed since. */
export async function rebound<Answer>(
  catalogue: Catalogue,
  run: () => Promise<Answer>,
): Promise<Answer> {
  for (let bindings = 1; ; bindings++) {
    try {
      return await run();
    } catch (error) {
      const isStale = error instanceof HadalError && error.code === "schema-changed";
      if (!isStale || bindings === bindingsMax) throw error;
      await catalogue.refresh();
    }
  }
}
