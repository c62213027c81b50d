import type { FilterValue } from "@hadal/sdk";
import { ChevronDown, Plus } from "lucide-react";
import { useState } from "react";
import { shortenName } from "../../../format/name.js";
import { formatCompact } from "../../../format/number.js";
import { Button } from "../../../ui/button/Button.js";
import { PickList } from "../../../ui/popup/PickList.js";
import { Popup } from "../../../ui/popup/Popup.js";
import { useBoard } from "../board/boardContext.js";
import type { VariableChoice } from "../model/barState.js";
import { useValueCount, useValues, type ValueCount, valuesMax } from "./useValues.js";

export interface VariablePickerProps {
  readonly choice: VariableChoice;
  readonly onChoose: (values: readonly FilterValue[] | null) => void;
}

/** A variable: one value, several, or all. */
export function VariablePicker({ choice, onChoose }: VariablePickerProps) {
  const [open, setOpen] = useState(false);
  const { name, values } = choice;
  const words = values === null ? "all" : values.map(String).join(", ") || "none";
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      label={name}
      trigger={
        <Button data-testid="variable" data-variable={name} title={`${name}: ${words}`}>
          {shortenName(name, 24)}: {shortenName(words, 32)} <ChevronDown size={14} />
        </Button>
      }
    >
      <ValueList choice={choice} onChoose={onChoose} />
    </Popup>
  );
}

const allKey = "all";

function ValueList({ choice, onChoose }: VariablePickerProps) {
  const { board, store, isArranging } = useBoard();
  const [text, setText] = useState("");
  const variable = (board.variables ?? []).find(({ name }) => name === choice.name);
  const { table = "", column = "" } = variable ?? {};
  const found = useValues(table, column, text);
  const count = useValueCount(table, column);
  const chosen = choice.values ?? [];
  const isChosen = (value: FilterValue): boolean => chosen.includes(value);
  const listed = [
    ...chosen.map((value) => ({ value, count: null })),
    ...(found.values ?? []).filter(({ value }) => !isChosen(value)),
  ];
  const items = listed.map(({ value, count }) => ({
    key: `value ${JSON.stringify(value)}`,
    label: String(value),
    picked: isChosen(value),
    ...(count !== null && { note: formatCompact(count) }),
  }));
  const pick = (key: string): void => {
    if (key === allKey) {
      onChoose(null);
      return;
    }
    const value = JSON.parse(key.slice("value ".length)) as FilterValue;
    const next = isChosen(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
    onChoose(next.length === 0 ? null : next);
  };
  return (
    <>
      <PickList
        label={choice.name}
        placeholder={`values of ${variable?.column ?? choice.name}…`}
        testId="variable-values"
        awaited={found.values === null}
        empty={found.problem ?? (found.values === null ? "Counting values…" : "No value matches.")}
        note={countWords(count, text)}
        onSearch={setText}
        items={[{ key: allKey, label: "all", picked: choice.values === null }, ...items]}
        onPick={pick}
      />
      {isArranging && (
        <Button
          look="quiet"
          data-testid="remove-variable"
          onClick={() => {
            const variables = (board.variables ?? []).filter(({ name }) => name !== choice.name);
            store.edit({ kind: "set bar", board: { ...board, variables } });
          }}
        >
          Remove this variable
        </Button>
      )}
    </>
  );
}

/** What the list does not show; null: it shows all. */
function countWords(count: ValueCount | null, text: string): string | null {
  if (count === null || text !== "") return null;
  const { distinct, isExact } = count;
  if (distinct !== null && distinct <= valuesMax) return null;
  const many =
    distinct === null
      ? "More values than can be counted"
      : `${isExact ? "" : "About "}${formatCompact(distinct)} values`;
  return `${many}; the ${valuesMax} most frequent are shown. Type the first letters of another.`;
}

/** Makes a variable of a column. */
export function VariableAdder() {
  const { board, store, tables } = useBoard();
  const [open, setOpen] = useState(false);
  const known = new Set((board.variables ?? []).map(({ name }) => name));
  const items = [...tables].flatMap(([table, columns]) =>
    columns
      .filter(({ name }) => name !== "time" && !known.has(name))
      .map(({ name }) => ({ key: JSON.stringify([table, name]), label: name, note: table })),
  );
  const add = (key: string): void => {
    const [table = "", column = ""] = JSON.parse(key) as string[];
    const variables = [...(board.variables ?? []), { name: column, table, column, values: null }];
    store.edit({ kind: "set bar", board: { ...board, variables } });
    setOpen(false);
  };
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      label="Add a variable"
      trigger={
        <Button look="quiet" data-testid="add-variable" title="A picker over a column's values">
          <Plus size={14} /> variable
        </Button>
      }
    >
      <PickList
        label="Column"
        placeholder="column…"
        testId="variable-columns"
        empty="No column matches."
        items={items}
        onPick={add}
      />
    </Popup>
  );
}
