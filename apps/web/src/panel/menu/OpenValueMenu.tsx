import { Menu } from "@base-ui/react/menu";
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
import { useState } from "react";
import type { Mark } from "../../chart/kit/answer/intent.js";
import { usesField } from "../../chart/view/views.js";
import { applyEdit, type Edit } from "../../draft/edit/edits.js";
import { printUrl } from "../../draft/url/url.js";
import { shortenName } from "../../format/name.js";
import { usePanel } from "../panel.js";
import { GroupByPopup } from "./GroupByPopup.js";
import { choicesOf, type MarkChoices } from "./markChoices.js";
import styles from "./ValueMenu.module.css";

export interface ValueMenuProps {
  readonly mark: Mark | null;
  readonly onClose: () => void;
}

/** The one menu on every mark, cell and legend entry: the same words in the same order. */
export function OpenValueMenu({ mark, onClose }: ValueMenuProps) {
  const [grouped, setGrouped] = useState<Mark | null>(null);
  return (
    <>
      <Menu.Root open={mark !== null} onOpenChange={(open) => !open && onClose()} modal={false}>
        <Menu.Portal>
          <Menu.Positioner
            anchor={mark === null ? null : anchorAt(mark)}
            side="bottom"
            align="start"
            sideOffset={2}
            className={styles.layer}
          >
            <Menu.Popup
              className={styles.menu}
              data-testid="value-menu"
              aria-label="What to do with this value"
            >
              <ValueMenuItems mark={mark} onGroupBy={() => setGrouped(mark)} />
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {grouped !== null && (
        <GroupByPopup anchor={anchorAt(grouped)} onClose={() => setGrouped(null)} />
      )}
    </>
  );
}

const anchorAt = (mark: Mark) => ({
  getBoundingClientRect: () => new DOMRect(mark.x, mark.y, 0, 0),
});

/** Why some of the menu cannot be done, in few words; a longer reason stands above. */
function whyNot({ reason, hasFilters, hasRows }: MarkChoices): string | null {
  if (reason !== null || hasFilters) return null;
  return hasRows ? "of values, not of times" : "these are all rows";
}

/** An entry that changes the question. */
interface EditEntry {
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

interface EditItemsProps {
  readonly entries: readonly EditEntry[];
  /** Why some are not enabled, where few words say it. */
  readonly why: string | null;
}

function EditItems({ entries, why }: EditItemsProps) {
  const { dispatch } = usePanel();
  return entries.map(({ id, Icon, words, isEnabled, edit }) => (
    <Menu.Item
      key={id}
      className={styles.item}
      disabled={!isEnabled}
      data-testid={id}
      onClick={() => dispatch(edit)}
    >
      <Icon size={14} /> {words}
      {!isEnabled && why !== null && <span className={styles.note}>{why}</span>}
    </Menu.Item>
  ));
}

interface ValueMenuItemsProps {
  readonly mark: Mark | null;
  readonly onGroupBy: () => void;
}

function ValueMenuItems({ mark, onGroupBy }: ValueMenuItemsProps) {
  const { state } = usePanel();
  const choices = choicesOf(mark, state.view);
  const { selection, reason, hasRows, label } = choices;
  const compares = usesField(state.view, "compare");
  const text = mark?.text ?? "";
  const only = applyEdit(state, { kind: "only this", selection });
  const why = whyNot(choices);
  return (
    <>
      <div className={styles.head}>{shortenName(label, 60)}</div>
      {reason !== null && (
        <div className={styles.reason} data-testid="no-filter">
          {reason}
        </div>
      )}
      <EditItems entries={onlyAndNot(choices)} why={why} />
      <Menu.Item className={styles.item} data-testid="group-by" onClick={onGroupBy}>
        <Group size={14} /> Group by…
      </Menu.Item>
      {compares && <EditItems entries={comparisons(choices)} why={why} />}
      <EditItems entries={otherViews(choices)} why={why} />
      <Menu.Item
        className={styles.item}
        data-testid="copy-value"
        onClick={() => void navigator.clipboard?.writeText(text)}
      >
        <Copy size={14} /> Copy value
        <span className={styles.note}>{shortenName(text, 18)}</span>
      </Menu.Item>
      <Menu.Item
        className={styles.item}
        data-testid="open-tab"
        disabled={!hasRows}
        render={<a href={`/explore?${printUrl(only)}`} target="_blank" rel="noreferrer" />}
      >
        <ExternalLink size={14} /> Open in new tab
      </Menu.Item>
    </>
  );
}
