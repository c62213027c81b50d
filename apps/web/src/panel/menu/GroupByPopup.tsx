import { Popover } from "@base-ui/react/popover";
import { groupColumn } from "../../query/group/groupSpec.js";
import popup from "../../ui/popup/Popup.module.css";
import { usePageRoot } from "../../ui/root/pageRoot.js";
import { usePanel } from "../panel.js";
import { ColumnPick } from "./ColumnPick.js";
import { groupEdit } from "./groupEdit.js";

export interface GroupByPopupProps {
  readonly anchor: { getBoundingClientRect(): DOMRect };
  readonly onClose: () => void;
}

/** Choice of a further group column, at the position of the click. */
export function GroupByPopup({ anchor, onClose }: GroupByPopupProps) {
  const { state, columns, dispatch } = usePanel();
  const root = usePageRoot();
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal container={root}>
        <Popover.Positioner anchor={anchor} side="bottom" align="start" className={popup.layer}>
          <Popover.Popup
            aria-label="Group by a column"
            className={popup.popup}
            data-testid="group-by-menu"
          >
            <ColumnPick
              label="Group by"
              testId="menu-group-column"
              picked={state.groupBy.map(groupColumn)}
              onPick={(name) => {
                dispatch(groupEdit(state.table, columns, name));
                onClose();
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
