import { Braces, Contrast, Copy, EyeOff, Group, Pin, SquareSplitHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { usesField } from "../../../chart/view/views.js";
import { columnsOfFilter, inverted } from "../../../query/filter/filterTree.js";
import type { FilterChip } from "../../../query/state/exploreState.js";
import { Button } from "../../../ui/button/Button.js";
import { useFormQuery } from "../../formQuery.js";
import { groupEdit } from "../../menu/groupEdit.js";
import styles from "../part/form.module.css";
import { compareWith, valuesText } from "./filterReuse.js";

export interface FilterActionsProps {
  readonly chip: FilterChip;
  readonly index: number;
  readonly asSql: boolean;
  readonly onSql: () => void;
  readonly onDone: () => void;
}

/** The actions on a filter, apart from editing it. */
export function FilterActions({ chip, index, asSql, onSql, onDone }: FilterActionsProps) {
  const act = (action: () => void) => () => {
    action();
    onDone();
  };
  return (
    <div className={styles.actions} role="toolbar" aria-label="This filter">
      <StateActions chip={chip} index={index} act={act} />
      <ReuseActions chip={chip} act={act} />
      <Action
        name="Edit as SQL"
        testId="filter-sql"
        pressed={asSql}
        icon={<Braces size={14} />}
        onClick={onSql}
      />
    </div>
  );
}

interface ActionsProps {
  readonly chip: FilterChip;
  /** Makes a click handler that runs the action and closes the menu. */
  readonly act: (action: () => void) => () => void;
}

/** Turns the filter off, inverts it or pins it. */
function StateActions({ chip, index, act }: ActionsProps & Pick<FilterActionsProps, "index">) {
  const { dispatch } = useFormQuery();
  const { filter, off, pinned } = chip;
  const isPinned = pinned === true;
  return (
    <>
      <Action
        name={off ? "Turn on" : "Turn off"}
        testId="filter-off"
        pressed={off}
        icon={<EyeOff size={14} />}
        onClick={act(() => dispatch({ kind: "switch filter", index, off: !off }))}
      />
      <Action
        name="Invert"
        testId="filter-invert"
        icon={<Contrast size={14} />}
        onClick={act(() => dispatch({ kind: "replace filter", index, filter: inverted(filter) }))}
      />
      <Action
        name={isPinned ? "Unpin" : "Pin: keep when filters are cleared or the table changes"}
        testId="filter-pin"
        pressed={isPinned}
        icon={<Pin size={14} />}
        onClick={act(() => dispatch({ kind: "pin filter", index, pinned: !isPinned }))}
      />
    </>
  );
}

/** Uses the filter elsewhere: on side B, as a group, or in the clipboard. */
function ReuseActions({ chip, act }: ActionsProps) {
  const { state, columns, dispatch } = useFormQuery();
  const [name] = columnsOfFilter(chip.filter);
  return (
    <>
      {usesField(state.view, "compare") && (
        <Action
          name="Copy to side B of the comparison"
          testId="filter-side-b"
          icon={<SquareSplitHorizontal size={14} />}
          onClick={act(() => dispatch({ kind: "set compare", compare: compareWith(state, chip) }))}
        />
      )}
      {usesField(state.view, "group") && name !== undefined && (
        <Action
          name={`Group by ${name}`}
          testId="filter-group"
          icon={<Group size={14} />}
          onClick={act(() => dispatch(groupEdit(state.table, columns, name)))}
        />
      )}
      <Action
        name="Copy the values"
        icon={<Copy size={14} />}
        onClick={act(() => void navigator.clipboard?.writeText(valuesText(chip.filter)))}
      />
    </>
  );
}

interface ActionProps {
  readonly name: string;
  readonly icon: ReactNode;
  readonly onClick: () => void;
  readonly pressed?: boolean;
  readonly testId?: string;
}

function Action({ name, icon, onClick, pressed, testId }: ActionProps) {
  return (
    <Button
      look="quiet"
      title={name}
      aria-label={name}
      data-testid={testId}
      onClick={onClick}
      {...(pressed !== undefined && { "aria-pressed": pressed })}
    >
      {icon}
    </Button>
  );
}
