import {
  CalendarClock,
  Copy,
  ExternalLink,
  GitCompareArrows,
  Group,
  type LucideIcon,
  Minus,
  Plus,
  Rows3,
  Split,
} from "lucide-react";
import { useMemo, useState } from "react";
import type { Mark } from "../../../chart/intent.js";
import { labelOfGroup } from "../../../chart/series.js";
import { shortenName } from "../../../format/name.js";
import { applyEdit, type Edit, type Selection } from "../../../query/edits.js";
import { filtersOfGroup } from "../../../query/groupFilter.js";
import type { GroupSpec } from "../../../query/groupSpec.js";
import { printUrl } from "../../../query/url.js";
import { usesField } from "../../../query/views/registry.js";
import { Menu, MenuItem } from "../../../ui/Menu.js";
import { useExplore } from "../explore.js";
import { GroupByPopup } from "./GroupByPopup.js";
import styles from "./ValueMenu.module.css";

export interface ValueMenuProps {
  readonly mark: Mark | null;
  readonly onClose: () => void;
}

/** The one menu on every mark, cell and legend entry: the same words in the same order. */
export function ValueMenu({ mark, onClose }: ValueMenuProps) {
  const [grouped, setGrouped] = useState<Mark | null>(null);
  return (
    <>
      {mark !== null && (
        <OpenMenu
          // Another mark is another menu, at another place.
          key={`${mark.x} ${mark.y} ${mark.text ?? ""}`}
          mark={mark}
          onClose={onClose}
          onGroupBy={() => setGrouped(mark)}
        />
      )}
      {grouped !== null && <GroupedPopup mark={grouped} onClose={() => setGrouped(null)} />}
    </>
  );
}

interface OpenMenuProps {
  readonly mark: Mark;
  readonly onClose: () => void;
  readonly onGroupBy: () => void;
}

function OpenMenu({ mark, onClose, onGroupBy }: OpenMenuProps) {
  const anchorRef = useMemo(() => ({ current: anchorAt(mark) }), [mark]);
  return (
    <Menu
      label="What to do with this value"
      testId="value-menu"
      className={styles.menu}
      anchorRef={anchorRef}
      onClose={onClose}
    >
      <ValueMenuItems mark={mark} onClose={onClose} onGroupBy={onGroupBy} />
    </Menu>
  );
}

function GroupedPopup({ mark, onClose }: Pick<OpenMenuProps, "mark" | "onClose">) {
  const anchor = useMemo(() => anchorAt(mark), [mark]);
  return <GroupByPopup anchor={anchor} onClose={onClose} />;
}

const anchorAt = (mark: Mark) => ({
  getBoundingClientRect: () => new DOMRect(mark.x, mark.y, 0, 0),
});

/** The rows behind a mark, as filters and times. */
function selectionOf(mark: Mark, groupBy: readonly GroupSpec[]): Selection {
  const own = mark.filters ?? filtersOfGroup(mark.group ?? [], groupBy);
  const filters = [...own, ...(mark.also ?? [])];
  const of = mark.rangeOf;
  return { filters, range: mark.range ?? null, ...(of !== undefined && { of }) };
}

function ValueMenuItems({ mark, onClose, onGroupBy }: OpenMenuProps) {
  const { state, dispatch } = useExplore();
  const selection = selectionOf(mark, state.groupBy);
  const hasFilters = selection.filters.length > 0;
  const hasRows = hasFilters || selection.range !== null;
  const canDiffer = hasFilters || selection.of !== undefined;
  const compares = usesField(state.view, "compare");
  const label = mark.label ?? labelOfGroup(mark.group ?? []);
  const text = mark.text ?? "";
  const only = applyEdit(state, { kind: "only this", selection });
  const choose = (run: () => void) => () => {
    onClose();
    run();
  };
  const edit = (testId: string, Icon: LucideIcon, words: string, enabled: boolean, what: Edit) => (
    <MenuItem
      className={styles.item}
      testId={testId}
      disabled={!enabled}
      onChoose={choose(() => dispatch(what))}
    >
      <Icon size={14} /> {words}
    </MenuItem>
  );
  return (
    <>
      {hasRows && <div className={styles.head}>{shortenName(label, 40)}</div>}
      {edit("only-this", Plus, "Only this", hasRows, { kind: "only this", selection })}
      {edit("not-this", Minus, "Not this", hasFilters, { kind: "not this", selection })}
      <MenuItem className={styles.item} testId="group-by" onChoose={choose(onGroupBy)}>
        <Group size={14} /> Group by…
      </MenuItem>
      {compares && (
        <>
          {edit("compare-rest", GitCompareArrows, "Compare this with the rest", hasFilters, {
            kind: "compare with rest",
            selection,
          })}
          {edit("compare-week", CalendarClock, "Compare with last week", true, {
            kind: "compare with earlier",
            selection,
            offset: "7d",
          })}
        </>
      )}
      {edit("what-is-different", Split, "What is different here?", canDiffer, {
        kind: "what is different",
        selection,
      })}
      {edit("see-rows", Rows3, "See rows", state.view !== "rows", { kind: "see rows", selection })}
      <MenuItem
        className={styles.item}
        testId="copy-value"
        onChoose={choose(() => void navigator.clipboard?.writeText(text))}
      >
        <Copy size={14} /> Copy value
        <span className={styles.note}>{shortenName(text, 18)}</span>
      </MenuItem>
      <MenuItem
        className={styles.item}
        testId="open-tab"
        disabled={!hasRows}
        href={`/explore?${printUrl(only)}`}
        onChoose={onClose}
      >
        <ExternalLink size={14} /> Open in new tab
      </MenuItem>
    </>
  );
}
