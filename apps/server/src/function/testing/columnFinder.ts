import { HadalError, nearestHint } from "@hadal/sdk";
import type { InputColumn } from "../term/inputColumn.js";

/** Finds one of these columns by its name, or throws `unknown-column`. */
export function columnFinder(columns: readonly InputColumn[]): (name: string) => InputColumn {
  return (name) => {
    const found = columns.find((column) => column.name === name);
    if (found !== undefined) return found;
    const nearest = nearestHint(
      name,
      columns.map((column) => column.name),
    );
    const detail = `No column is called ${name}.${nearest}`;
    throw new HadalError("unknown-column", { table: "t", column: name, nearest }, [
      { path: "", code: "unknown-column", detail },
    ]);
  };
}
