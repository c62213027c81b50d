import type { DerivedColumn } from "../../model/query.js";
import { sameText } from "../base/sameText.js";
import { refuse } from "../base/sqlRefusal.js";

/** What is collected while one statement becomes a query. */
export class Lowering {
  /** The place of each part of the query in the text, by its path. */
  readonly places = new Map<string, number>();
  readonly derive: DerivedColumn[] = [];
  readonly #derivedIndexes = new Map<string, number>();

  /** A copy in which something can be lowered again for comparison; nothing it collects is kept. */
  trial(): Lowering {
    return new Lowering();
  }

  mark(path: string, at: number): void {
    if (!this.places.has(path)) this.places.set(path, at);
  }

  /**
   * Adds a derived column, or finds it again: the same name means the same, or is refused. Gives
   * its name.
   */
  addDerived(column: DerivedColumn, at: number, places: readonly Place[] = []): string {
    const known = this.#derivedIndexes.get(column.as);
    if (known !== undefined) {
      if (sameText(this.derive[known]) === sameText(column)) return column.as;
      const name = column.as.slice(0, 80);
      const detail = `Two columns are called "${name}", and one is not the other: give it another name.`;
      return refuse(at, "duplicate-name", detail);
    }
    const index = this.derive.push(column) - 1;
    this.#derivedIndexes.set(column.as, index);
    const path = `derive[${index}]`;
    this.mark(path, at);
    for (const place of places) this.mark(`${path}.${place.path}`, place.at);
    return column.as;
  }
}

/** A part of a derived column, by its path in there. */
export interface Place {
  readonly path: string;
  readonly at: number;
}
