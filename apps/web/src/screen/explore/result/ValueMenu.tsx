import { Menu } from "@base-ui/react/menu";
import { timeColumn } from "@hadal/sdk";
import { Check, ChevronRight, Copy, Group, Minus, Plus, Rows3 } from "lucide-react";
import type { Mark } from "../../../chart/intent.js";
import { labelOfGroup } from "../../../chart/series.js";
import { shortenName } from "../../../format/name.js";
import type { Selection } from "../../../query/edits.js";
import { filtersOfGroup } from "../../../query/groupFilter.js";
import { type GroupSpec, groupName } from "../../../query/groupSpec.js";
import { useExplore } from "../explore.js";
import styles from "./ValueMenu.module.css";

export interface ValueMenuProps {
  readonly mark: Mark | null;
  readonly onClose: () => void;
}

/** The one menu on every mark, cell and legend entry: the same words in the same order. */
export function ValueMenu({ mark, onClose }: ValueMenuProps) {
  const anchor =
    mark === null ? null : { getBoundingClientRect: () => new DOMRect(mark.x, mark.y, 0, 0) };
  return (
    <Menu.Root open={mark !== null} onOpenChange={(open) => !open && onClose()} modal={false}>
      <Menu.Portal>
        <Menu.Positioner
          anchor={anchor}
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
            <ValueMenuItems mark={mark} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** The rows behind a mark, as filters and times. */
function selectionOf(mark: Mark | null, groupBy: readonly GroupSpec[]): Selection {
  const filters = mark?.filters ?? filtersOfGroup(mark?.group ?? [], groupBy);
  return { filters, range: mark?.range ?? null };
}

function ValueMenuItems({ mark }: Pick<ValueMenuProps, "mark">) {
  const { state, dispatch } = useExplore();
  const selection = selectionOf(mark, state.groupBy);
  const label = mark?.label ?? labelOfGroup(mark?.group ?? []);
  const text = mark?.text ?? "";
  const hasRows = selection.filters.length > 0;
  const item = (testId: string, enabled: boolean, onClick: () => void) => ({
    className: styles.item,
    disabled: !enabled,
    "data-testid": testId,
    onClick,
  });
  return (
    <>
      {hasRows && <div className={styles.head}>{shortenName(label, 40)}</div>}
      <Menu.Item {...item("only-this", hasRows, () => dispatch({ kind: "only this", selection }))}>
        <Plus size={14} /> Only this
      </Menu.Item>
      <Menu.Item {...item("not-this", hasRows, () => dispatch({ kind: "not this", selection }))}>
        <Minus size={14} /> Not this
      </Menu.Item>
      <GroupByItem />
      <Menu.Item
        {...item("see-rows", state.view !== "rows", () =>
          dispatch({ kind: "see rows", selection }),
        )}
      >
        <Rows3 size={14} /> See rows
      </Menu.Item>
      <Menu.Item {...item("copy-value", true, () => void navigator.clipboard?.writeText(text))}>
        <Copy size={14} /> Copy value
        <span className={styles.note}>{shortenName(text, 18)}</span>
      </Menu.Item>
    </>
  );
}

function GroupByItem() {
  const { state, table, dispatch } = useExplore();
  const grouped = state.groupBy.map(groupName);
  const columns = (table?.columns ?? []).filter(
    ({ name, type }) => name !== timeColumn && (type === "string" || type === "int"),
  );
  return (
    <Menu.SubmenuRoot>
      <Menu.SubmenuTrigger className={styles.item} data-testid="group-by">
        <Group size={14} /> Group by…
        <ChevronRight size={14} className={styles.end} />
      </Menu.SubmenuTrigger>
      <Menu.Portal>
        <Menu.Positioner className={styles.layer} sideOffset={2}>
          <Menu.Popup className={styles.menu} data-testid="group-by-menu">
            {columns.map(({ name }) => (
              <Menu.Item
                key={name}
                className={styles.item}
                disabled={grouped.includes(name)}
                onClick={() => dispatch({ kind: "group by", group: name })}
              >
                <span className={styles.name}>{name}</span>
                {grouped.includes(name) && <Check size={13} className={styles.end} />}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.SubmenuRoot>
  );
}
