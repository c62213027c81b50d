import { timeColumn } from "@hadal/sdk";
import type { Steps } from "../../base/schedule/steps.js";
import type { BoundColumn, ResolvedQuery, ResolvedSample } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { rowInputOf } from "../derive/rowInput.js";
import { StringTables } from "../derive/stringTables.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { type RowExpression, SharedExpression } from "../task/deriveTask.js";
import type { SampleTask } from "../task/scanTask.js";

interface OrderColumn {
  readonly bound: BoundColumn;
  readonly shared: SharedExpression;
}

/** The values of each segment by which raw rows are ordered. */
export class LoweredOrders {
  readonly #columns: readonly OrderColumn[];
  readonly #strings: StringTables;

  constructor({ sample }: ResolvedQuery, memory: QueryMemory) {
    this.#strings = new StringTables(memory);
    this.#columns = (sample?.orders ?? []).map(({ columnIndex }) => {
      const bound = sample!.columns[columnIndex]!;
      const type = bound.type === "int" ? "int" : "string";
      // The value as it is.
      const shared = new SharedExpression({
        ...{ kind: "input", index: 0, type, decimals: bound.decimals },
      });
      return { bound, shared };
    });
  }

  /** The values are taken from the view, so that they are decoded. */
  of(segment: SegmentView, view: SegmentView): readonly RowExpression[] {
    return this.#columns.map(({ bound, shared }) => ({
      shared,
      inputs: [rowInputOf(bound, segment, view, this.#strings)],
    }));
  }

  /** Writes what threads read of dictionaries. */
  fill(): Steps<void> {
    return this.#strings.fill();
  }

  taskOf({ limit, newestFirst, orders, columns }: ResolvedSample): SampleTask {
    if (orders === undefined) return { limit, newestFirst };
    const named = orders.map(({ columnIndex, desc, nullsFirst }) => {
      const { name } = columns[columnIndex]!;
      return { desc, nullsFirst, name, byTime: name === timeColumn };
    });
    return { limit, newestFirst, orders: named };
  }
}
