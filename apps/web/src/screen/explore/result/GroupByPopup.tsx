import { useMemo } from "react";
import { groupColumn } from "../../../query/groupSpec.js";
import { type FloatAnchor, Floating } from "../../../ui/Floating.js";
import popup from "../../../ui/Popup.module.css";
import { useExplore } from "../explore.js";
import { ColumnPick } from "../form/ColumnPick.js";

export interface GroupByPopupProps {
  readonly anchor: FloatAnchor;
  readonly onClose: () => void;
}

/** By which column the answer is split further, chosen where the reader has just clicked. */
export function GroupByPopup({ anchor, onClose }: GroupByPopupProps) {
  const { state, dispatch } = useExplore();
  const anchorRef = useMemo(() => ({ current: anchor }), [anchor]);
  return (
    <Floating
      role="dialog"
      label="Group by a column"
      testId="group-by-menu"
      className={popup.popup}
      anchorRef={anchorRef}
      onClose={onClose}
    >
      <ColumnPick
        label="Group by"
        testId="menu-group-column"
        picked={state.groupBy.map(groupColumn)}
        allows={({ type }) => type === "int" || type === "string"}
        onPick={(group) => {
          dispatch({ kind: "group by", group });
          onClose();
        }}
      />
    </Floating>
  );
}
