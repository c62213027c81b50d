import type { SegmentView } from "../../store/segment/segmentView.js";
import type { ComponentTask, SegmentGroup } from "../task/scanTask.js";
import type { GroupValues } from "./groupValues.js";

/** How one group by column is lowered over all segments of a side. */
export interface LoweredComponent {
  readonly task: ComponentTask;
  /** For coded columns: what codes mean. */
  readonly dictionary: GroupValues | null;
  /** Most groups that one row is in. */
  readonly itemsMax: number;
  /** Whether one string may come both by its code and as text. */
  readonly mixesText: boolean;
  /** The column whose printed integers are the values of the codes; null: there is none. */
  readonly printedInts: string | null;
  groupOf(segment: SegmentView): SegmentGroup;
}
