import { ChevronDown, ListOrdered, Pause, Radio } from "lucide-react";
import { useState } from "react";
import { distinctKeys } from "../../../format/name.js";
import { rangeInWords } from "../../../format/rangeInWords.js";
import { FormQueryProvider } from "../../../panel/FormQueryProvider.js";
import { FilterAdder } from "../../../panel/form/filter/FilterAdder.js";
import { FilterChipView } from "../../../panel/form/filter/FilterChipView.js";
import { useChipOrder } from "../../../panel/form/part/chipOrder.js";
import { rememberTime } from "../../../panel/form/time/recentTimes.js";
import { TimePicker } from "../../../panel/form/time/TimePicker.js";
import { filterLabel } from "../../../query/filter/operators.js";
import { Button } from "../../../ui/button/Button.js";
import { Select } from "../../../ui/button/Select.js";
import { Popup } from "../../../ui/popup/Popup.js";
import { useBoard } from "../board/boardContext.js";
import { chooseVariable } from "../model/barState.js";
import styles from "./bar.module.css";
import { useBarForm } from "./useBarForm.js";
import { VariableAdder, VariablePicker } from "./VariablePicker.js";

const compareOptions = [
  { value: "", label: "no comparison" },
  { value: "previous", label: "vs previous period" },
  { value: "1h", label: "vs 1 hour earlier" },
  { value: "1d", label: "vs 1 day earlier" },
  { value: "7d", label: "vs 1 week earlier" },
  { value: "28d", label: "vs 4 weeks earlier" },
];

export interface BoardBarProps {
  /** The order of “what moved” is shown. */
  readonly isMoved: boolean;
  readonly onMoved: (isMoved: boolean) => void;
}

/** What applies to every tile: time, comparison, zone, live, filters and variables. */
export function BoardBar({ isMoved, onMoved }: BoardBarProps) {
  const form = useBarForm();
  const { bar, board, onBar, isArranging } = useBoard();
  return (
    <FormQueryProvider value={form}>
      <div className={styles.bar} data-testid="board-bar">
        <TimeButton form={form} />
        <LiveButton form={form} />
        <CompareSelect form={form} />
        {bar.variables.map((choice) => (
          <VariablePicker
            key={choice.name}
            choice={choice}
            onChoose={(values) => onBar(chooseVariable(bar, { ...choice, values }))}
          />
        ))}
        {isArranging && (board.variables ?? []).length < 20 && <VariableAdder />}
        <Filters form={form} />
        <span className={styles.grow} />
        <Button
          aria-pressed={isMoved}
          data-testid="what-moved"
          title={
            bar.compare === null
              ? "Compares with last week, and shows the tiles that moved most first ( m )"
              : "The tiles that moved most first ( m )"
          }
          onClick={() => onMoved(!isMoved)}
        >
          <ListOrdered size={14} /> what moved
        </Button>
      </div>
    </FormQueryProvider>
  );
}

interface PartProps {
  readonly form: ReturnType<typeof useBarForm>;
}

function TimeButton({ form }: PartProps) {
  const { state, timeZone, dispatch } = form;
  const [open, setOpen] = useState(false);
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      label="Time range"
      trigger={
        <Button data-testid="board-time" title={`${state.from} – ${state.to} (${timeZone}) ( t )`}>
          {rangeInWords(state.from, state.to, timeZone)}
          <ChevronDown size={14} />
        </Button>
      }
    >
      <TimePicker
        onChoose={(range) => {
          rememberTime(range);
          dispatch({ kind: "set time", ...range });
          setOpen(false);
        }}
      />
    </Popup>
  );
}

function LiveButton({ form: { state, dispatch } }: PartProps) {
  const { live } = state;
  return (
    <Button
      aria-pressed={live}
      data-testid="board-live"
      title={live ? "Pause: keep these answers ( l )" : "Live: ask again every 5 seconds ( l )"}
      onClick={() => dispatch({ kind: "set live", live: !live })}
    >
      {live ? <Pause size={14} /> : <Radio size={14} />} live
    </Button>
  );
}

function CompareSelect({ form: { state, dispatch } }: PartProps) {
  return (
    <Select
      label="Compare with"
      testId="board-compare"
      value={state.compare?.offset ?? ""}
      options={compareOptions}
      onChange={(offset) =>
        dispatch({
          kind: "set compare",
          compare: offset === "" ? null : { offset, filter: null },
        })
      }
    />
  );
}

function Filters({ form: { state, dispatch } }: PartProps) {
  const keys = distinctKeys(state.filters.map(({ filter }) => filterLabel(filter)));
  const order = useChipOrder("filter", state.filters.length, (from, to) =>
    dispatch({ kind: "move filter", from, to }),
  );
  return (
    <span className={styles.chips} data-testid="board-filters" {...order.list}>
      {state.filters.map((chip, index) => (
        <FilterChipView
          key={keys[index]}
          chip={chip}
          index={index}
          share={null}
          drag={order.chip(index)}
        />
      ))}
      <FilterAdder
        label="Add a filter for all tiles ( / )"
        testId="board-add-filter"
        onAdd={(filter) => dispatch({ kind: "add filter", filter })}
      />
    </span>
  );
}
