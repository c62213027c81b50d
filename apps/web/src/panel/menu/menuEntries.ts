import {
  CalendarClock,
  FoldHorizontal,
  GitCompareArrows,
  type LucideIcon,
  Minus,
  Plus,
  Rows3,
  Split,
  ZoomIn,
} from "lucide-react";
import type { Mark } from "../../chart/kit/answer/intent.js";
import { usesField } from "../../chart/view/views.js";
import type { Edit } from "../../draft/edit/edits.js";
import { groupColumn } from "../../query/group/groupSpec.js";
import type { ExploreState, ViewId } from "../../query/state/exploreState.js";
import { beforeAndAfter } from "../annotation/beforeAndAfter.js";
import type { PanelLimits } from "../panel.js";
import { choicesOf, type MarkChoices } from "./markChoices.js";

/** An entry that edits the state. */
export interface EditEntry {
  readonly id: string;
  readonly Icon: LucideIcon;
  readonly words: string;
  readonly isEnabled: boolean;
  readonly edit: Edit;
}

const onlyAndNot = ({ selection, hasRows, hasFilters }: MarkChoices): readonly EditEntry[] => [
  {
    ...{ id: "only-this", Icon: Plus, words: "Only this", isEnabled: hasRows },
    edit: { kind: "only this", selection },
  },
  {
    ...{ id: "not-this", Icon: Minus, words: "Not this", isEnabled: hasFilters },
    edit: { kind: "not this", selection },
  },
];

const comparisons = ({ selection, reason, hasFilters }: MarkChoices): readonly EditEntry[] => [
  {
    ...{ id: "compare-rest", Icon: GitCompareArrows, isEnabled: hasFilters },
    words: "Compare this with the rest",
    edit: { kind: "compare with rest", selection },
  },
  {
    ...{ id: "compare-week", Icon: CalendarClock, isEnabled: reason === null },
    words: "Compare with last week",
    edit: { kind: "compare with earlier", selection, offset: "7d" },
  },
];

/** Of times alone, in a panel among others. */
export function zoomEntries(
  { selection }: MarkChoices,
  zooms: string | undefined,
): readonly EditEntry[] {
  const { filters, range } = selection;
  if (zooms === undefined || range === null || filters.length > 0) return [];
  const edit: Edit = { kind: "zoom", ...range };
  return [{ id: "zoom-all", Icon: ZoomIn, words: `Zoom ${zooms} to this`, isEnabled: true, edit }];
}

/** Of an annotation. */
function momentOf(mark: Mark | null): readonly EditEntry[] {
  if (mark?.momentMs === undefined || mark.rangeOf === undefined) return [];
  const edit = beforeAndAfter(mark.momentMs, mark.rangeOf);
  if (edit === null) return [];
  const words = "Compare before and after";
  return [{ id: "before-after", Icon: FoldHorizontal, words, isEnabled: true, edit }];
}

const otherViews = ({ selection, canDiffer, canSeeRows }: MarkChoices): readonly EditEntry[] => [
  {
    ...{ id: "what-is-different", Icon: Split, isEnabled: canDiffer },
    words: "What is different here?",
    edit: { kind: "what is different", selection },
  },
  {
    ...{ id: "see-rows", Icon: Rows3, words: "See rows", isEnabled: canSeeRows },
    edit: { kind: "see rows", selection },
  },
];

/** The entries of a mark's menu that edit the state, in their groups. */
export interface EditEntries {
  readonly filters: readonly EditEntry[];
  readonly comparisons: readonly EditEntry[];
  readonly views: readonly EditEntry[];
}

export function editEntries(mark: Mark | null, choices: MarkChoices, view: ViewId): EditEntries {
  return {
    filters: onlyAndNot(choices),
    comparisons: usesField(view, "compare") ? [...momentOf(mark), ...comparisons(choices)] : [],
    views: otherViews(choices),
  };
}

/** Within limits what cannot be chosen is left out: its reason would be the host's, not the reader's. */
export const offeredEntries = (
  entries: readonly EditEntry[],
  limits: PanelLimits | undefined,
): readonly EditEntry[] =>
  limits === undefined
    ? entries
    : entries.filter(({ isEnabled, edit }) => isEnabled && limits.allows(edit));

/** Whether a further column can be grouped by. */
export function offersGroup(
  { groupBy, view }: ExploreState,
  limits: PanelLimits | undefined,
): boolean {
  if (limits === undefined) return true;
  const grouped = groupBy.map(groupColumn);
  return usesField(view, "group") && limits.groupColumns.some((name) => !grouped.includes(name));
}

/** Whether the menu of a mark has an entry besides the copy of its value. */
export function hasOffers(mark: Mark, state: ExploreState, limits: PanelLimits): boolean {
  const { filters, comparisons, views } = editEntries(
    mark,
    choicesOf(mark, state.view),
    state.view,
  );
  const entries = [...filters, ...comparisons, ...views];
  return (
    offersGroup(state, limits) ||
    offeredEntries(entries, limits).length > 0 ||
    limits.linkOf(state) !== null
  );
}
