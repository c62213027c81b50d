import { Menu } from "@base-ui/react/menu";
import { Bell, Copy, ExternalLink, Flag, Group } from "lucide-react";
import { useState } from "react";
import type { Mark } from "../../chart/kit/answer/intent.js";
import { applyEdit } from "../../draft/edit/edits.js";
import { printUrl } from "../../draft/url/url.js";
import { shortenName } from "../../format/name.js";
import { usePageRoot } from "../../ui/root/pageRoot.js";
import { AnnotatePopup } from "../annotation/AnnotatePopup.js";
import { usePanel } from "../panel.js";
import { GroupByPopup } from "./GroupByPopup.js";
import { choicesOf, type MarkChoices } from "./markChoices.js";
import {
  type EditEntry,
  editEntries,
  offeredEntries,
  offersGroup,
  zoomEntries,
} from "./menuEntries.js";
import styles from "./ValueMenu.module.css";

export interface ValueMenuProps {
  readonly mark: Mark | null;
  readonly onClose: () => void;
}

/** The menu of every mark, cell and legend entry, always in the same order. */
export function OpenValueMenu({ mark, onClose }: ValueMenuProps) {
  const root = usePageRoot();
  const [grouped, setGrouped] = useState<Mark | null>(null);
  const [annotated, setAnnotated] = useState<Mark | null>(null);
  return (
    <>
      <Menu.Root open={mark !== null} onOpenChange={(open) => !open && onClose()} modal={false}>
        <Menu.Portal container={root}>
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
              <ValueMenuItems
                mark={mark}
                onGroupBy={() => setGrouped(mark)}
                onAnnotate={() => setAnnotated(mark)}
              />
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {grouped !== null && (
        <GroupByPopup anchor={anchorAt(grouped)} onClose={() => setGrouped(null)} />
      )}
      {annotated?.range !== undefined && (
        <AnnotatePopup
          anchor={anchorAt(annotated)}
          momentMs={annotated.range.fromMs}
          onClose={() => setAnnotated(null)}
        />
      )}
    </>
  );
}

const anchorAt = (mark: Mark) => ({
  getBoundingClientRect: () => new DOMRect(mark.x, mark.y, 0, 0),
});

/** Of one moment: the list of alerts has the rest. */
const alertsMax = 5;

/** Why some entries are disabled, in few words; a longer reason is shown above. */
function whyNot({ reason, hasFilters, hasRows }: MarkChoices): string | null {
  if (reason !== null || hasFilters) return null;
  return hasRows ? "of values, not of times" : "these are all rows";
}

interface EditItemsProps {
  readonly entries: readonly EditEntry[];
  /** Why some are disabled, if it can be said in few words. */
  readonly why: string | null;
}

function EditItems({ entries, why }: EditItemsProps) {
  const { dispatch, limits } = usePanel();
  return offeredEntries(entries, limits).map(({ id, Icon, words, isEnabled, edit }) => (
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
  readonly onAnnotate: () => void;
}

function ValueMenuItems({ mark, onGroupBy, onAnnotate }: ValueMenuItemsProps) {
  const { state, limits, zooms } = usePanel();
  const choices = choicesOf(mark, state.view);
  const { reason, label } = choices;
  const entries = editEntries(mark, choices, state.view);
  const text = mark?.text ?? "";
  const why = whyNot(choices);
  return (
    <>
      <div className={styles.head}>{shortenName(label, 60)}</div>
      {reason !== null && (
        <div className={styles.reason} data-testid="no-filter">
          {reason}
        </div>
      )}
      {limits === undefined && <AlertItems alerts={mark?.alerts ?? []} />}
      <EditItems entries={[...zoomEntries(choices, zooms), ...entries.filters]} why={why} />
      {offersGroup(state, limits) && (
        <Menu.Item className={styles.item} data-testid="group-by" onClick={onGroupBy}>
          <Group size={14} /> Group by…
        </Menu.Item>
      )}
      <EditItems entries={entries.comparisons} why={why} />
      <EditItems entries={entries.views} why={why} />
      {mark?.range !== undefined && limits === undefined && (
        <Menu.Item className={styles.item} data-testid="annotate" onClick={onAnnotate}>
          <Flag size={14} /> Annotate this moment
        </Menu.Item>
      )}
      <Menu.Item
        className={styles.item}
        data-testid="copy-value"
        onClick={() => void navigator.clipboard?.writeText(text)}
      >
        <Copy size={14} /> Copy value
        <span className={styles.note}>{shortenName(text, 18)}</span>
      </Menu.Item>
      <OpenItem choices={choices} />
    </>
  );
}

/** A rule that fired several times is named once. */
function AlertItems({ alerts }: { readonly alerts: NonNullable<Mark["alerts"]> }) {
  const titles = new Map(alerts.map(({ id, title }) => [id, title]));
  return [...titles].slice(0, alertsMax).map(([id, title]) => (
    <Menu.Item
      key={id}
      className={styles.item}
      data-testid="open-alert"
      render={<a href={`/alerts/${encodeURIComponent(id)}`} />}
    >
      <Bell size={14} /> {shortenName(title, 40)}
    </Menu.Item>
  ));
}

/** The rows of the mark in Explore. */
function OpenItem({ choices: { selection, hasRows } }: { readonly choices: MarkChoices }) {
  const { state, limits } = usePanel();
  const only = applyEdit(state, { kind: "only this", selection });
  const link = limits === undefined ? `/explore?${printUrl(only)}` : limits.linkOf(only);
  if (link === null) return null;
  return (
    <Menu.Item
      className={styles.item}
      data-testid="open-tab"
      disabled={!hasRows}
      render={<a href={link} target="_blank" rel="noreferrer" />}
    >
      <ExternalLink size={14} /> {limits === undefined ? "Open in new tab" : "Open in Hadal"}
    </Menu.Item>
  );
}
