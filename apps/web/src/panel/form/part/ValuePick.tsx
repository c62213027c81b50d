import type { ColumnInfo } from "@hadal/sdk";
import { useState } from "react";
import { formatShare } from "../../../format/change.js";
import { formatLack } from "../../../format/lack.js";
import { formatCompact } from "../../../format/number.js";
import { type PickItem, PickList } from "../../../ui/popup/PickList.js";
import { useFormQuery } from "../../formQuery.js";
import { useColumnValues } from "./useColumnValues.js";

export interface ValuePickProps {
  readonly column: ColumnInfo;
  readonly tokens: readonly string[];
  readonly onPick: (value: string) => void;
  readonly onText: (text: string) => void;
  /** Receives the text while it is typed. */
  readonly onTyping: (text: string) => void;
  readonly onEmptyEnter: (() => void) | undefined;
}

const valuesShown = 50;

/** The values of a column with their shares; other values can be typed. */
export function ValuePick({
  column,
  tokens,
  onPick,
  onText,
  onTyping,
  onEmptyEnter,
}: ValuePickProps) {
  const [prefix, setPrefix] = useState("");
  const { variables = [] } = useFormQuery();
  const { values, total, completeness, problem } = useColumnValues(column, prefix, valuesShown);
  const items = (values ?? []).flatMap(({ value, count }) => {
    if (value === null) return [];
    const share = total === null || total === 0 ? null : count / total;
    return {
      key: String(value),
      label: value === "" ? "(empty)" : String(value),
      note: share === null ? formatCompact(count) : formatShare(share),
      share: share ?? 0,
      picked: tokens.includes(String(value)),
    };
  });
  const named = variables
    .filter((name) => name.toLowerCase().includes(prefix.trim().toLowerCase()))
    .map(
      (name): PickItem => ({
        key: name,
        label: name,
        note: "variable",
        picked: tokens.includes(name),
      }),
    );
  const waiting = values === null;
  return (
    <PickList
      label={`Value of ${column.name}`}
      testId="filter-value"
      placeholder="value… (several: a, b, c)"
      empty={problem?.message ?? (waiting ? "Counting values…" : "Type a value and press Enter.")}
      items={[...named, ...items]}
      note={completeness === null ? null : formatLack(completeness)}
      onSearch={(text) => {
        setPrefix(text);
        onTyping(text);
      }}
      onEmptyEnter={onEmptyEnter}
      onPick={onPick}
      onText={onText}
    />
  );
}
