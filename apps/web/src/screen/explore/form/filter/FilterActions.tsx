import { Braces, Contrast, Copy, EyeOff, Group, Pin, SquareSplitHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { usesField } from "../../../../chart/view/views.js";
import { groupEdit } from "../../../../panel/menu/groupEdit.js";
import { columnsOfFilter, conditionOf, inverted } from "../../../../query/filter/filterTree.js";
import { filterLabel, valuesOf } from "../../../../query/filter/operators.js";
import type { FilterChip } from "../../../../query/state/exploreState.js";
import { Button } from "../../../../ui/button/Button.js";
import { useExplore } from "../../explore.js";
import styles from "../part/form.module.css";

export interface FilterActionsProps {
  readonly chip: FilterChip;
  readonly index: number;
  readonly asSql: boolean;
  readonly onSql: () => void;
  readonly onDone: () => void;
}

/** What can be done with a filter besides changing it. */
export function FilterActions({ chip, index, asSql, onSql, onDone }: FilterActionsProps) {
  const { state, columns, dispatch } = useExplore();
  const { filter, off, pinned } = chip;
  const [name] = columnsOfFilter(filter);
  const act = (action: () => void) => () => {
    action();
    onDone();
  };
  const toSideB = (): void => {
    const { compare } = state;
    // Side B starts as a copy of what is asked, which has this filter in it.
    const asked = state.filters.filter((one) => !one.off || one === chip).map((one) => one.filter);
    const next = compare?.filter == null ? asked : [...compare.filter, filter];
    dispatch({ kind: "set compare", compare: { offset: compare?.offset ?? null, filter: next } });
  };
  const groupBy = (): void => {
    if (name !== undefined) dispatch(groupEdit(state.table, columns, name));
  };
  const copy = (): void => {
    const condition = conditionOf(filter);
    const text = condition === null ? "" : valuesOf(condition).map(String).join("\n");
    void navigator.clipboard?.writeText(text === "" ? filterLabel(filter) : text);
  };
  return (
    <div className={styles.actions} role="toolbar" aria-label="This filter">
      <Action
        name={off ? "Use again" : "Lay aside"}
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
        name={
          pinned === true ? "Unpin" : "Pin: stays when filters are cleared or the table changes"
        }
        testId="filter-pin"
        pressed={pinned === true}
        icon={<Pin size={14} />}
        onClick={act(() => dispatch({ kind: "pin filter", index, pinned: pinned !== true }))}
      />
      {usesField(state.view, "compare") && (
        <Action
          name="Copy to side B of the comparison"
          testId="filter-side-b"
          icon={<SquareSplitHorizontal size={14} />}
          onClick={act(toSideB)}
        />
      )}
      {usesField(state.view, "group") && name !== undefined && (
        <Action
          name={`Group by ${name}`}
          testId="filter-group"
          icon={<Group size={14} />}
          onClick={act(groupBy)}
        />
      )}
      <Action name="Copy its values" icon={<Copy size={14} />} onClick={act(copy)} />
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
