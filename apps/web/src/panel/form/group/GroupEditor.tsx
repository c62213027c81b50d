import type { ColumnInfo } from "@hadal/sdk";
import { Filter } from "lucide-react";
import { type FormEvent, useState } from "react";
import { formatMeasure } from "../../../format/value.js";
import type { GroupSpec } from "../../../query/group/groupSpec.js";
import {
  type GroupWay,
  makeGroup,
  roundNumber,
  suggestedWidths,
  wayOf,
  waysOf,
} from "../../../query/state/groupChoice.js";
import { Button } from "../../../ui/button/Button.js";
import { Fault } from "../../../ui/field/Fault.js";
import styles from "../part/form.module.css";
import { type Span, useSpan } from "./useSpan.js";

const wayNames: Readonly<Record<GroupWay, string>> = {
  values: "each value",
  elements: "each element",
  log: "ranges 1, 2, 5, 10 …",
  steps: "ranges of one width",
  edges: "ranges between edges",
};

export interface GroupEditorProps {
  readonly column: ColumnInfo;
  readonly spec: GroupSpec;
  readonly onDone: (spec: GroupSpec) => void;
  readonly onFilter: () => void;
}

/** How a column is grouped: by values, elements or ranges, with suggested widths and edges. */
export function GroupEditor({ column, spec, onDone, onFilter }: GroupEditorProps) {
  const [way, setWay] = useState(() => wayOf(spec));
  const [text, setText] = useState(() => textOf(spec));
  const [fault, setFault] = useState<string | null>(null);
  const span = useSpan(column);
  const takesText = way === "steps" || way === "edges";
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const draft = makeGroup(spec, way, text);
    if (draft.ok) onDone(draft.spec);
    else setFault(draft.reason);
  };
  return (
    <form className={styles.editor} onSubmit={submit} data-testid="group-editor">
      <strong className={styles.clip} title={column.name}>
        {column.name}
      </strong>
      <WayChoice column={column} way={way} onChange={setWay} />
      {takesText && (
        <>
          <input
            className={styles.input}
            aria-label={way === "steps" ? "Width" : "Edges"}
            placeholder={way === "steps" ? "width" : "10, 100, 1000"}
            data-testid="group-steps"
            value={text}
            inputMode={way === "steps" ? "decimal" : "text"}
            onChange={(event) => setText(event.target.value)}
          />
          {span !== null && (
            <Suggestions way={way} span={span} column={column} onChoose={setText} />
          )}
        </>
      )}
      <Fault text={fault} />
      <div className={styles.line}>
        <Button look="main" type="submit" className={styles.dive} data-testid="group-apply">
          Apply
        </Button>
        <Button
          title={`Filter by ${column.name}`}
          aria-label="Filter by this column"
          onClick={onFilter}
        >
          <Filter size={14} />
        </Button>
      </div>
    </form>
  );
}

interface WayChoiceProps {
  readonly column: ColumnInfo;
  readonly way: GroupWay;
  readonly onChange: (way: GroupWay) => void;
}

function WayChoice({ column, way, onChange }: WayChoiceProps) {
  const isLists = column.type === "set" || column.type === "vector";
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.hidden}>Group by</legend>
      {waysOf(column).map((one) => (
        <label key={one} className={styles.choice}>
          <input
            type="radio"
            name="way"
            value={one}
            checked={one === way}
            data-testid={`group-way-${one}`}
            onChange={() => onChange(one)}
          />
          {isLists && one === "values" ? "whole lists" : wayNames[one]}
        </label>
      ))}
    </fieldset>
  );
}

interface SuggestionsProps {
  readonly way: GroupWay;
  readonly span: Span;
  readonly column: ColumnInfo;
  readonly onChoose: (text: string) => void;
}

function Suggestions({ way, span, column, onChoose }: SuggestionsProps) {
  const measure = { unit: column.unit };
  if (way === "edges") {
    const edges = [...new Set([span[25], span[50], span[75], span[95]].map(roundNumber))];
    const label = edges.map((edge) => formatMeasure(edge, measure)).join(" · ");
    return (
      <Button look="quiet" onClick={() => onChoose(edges.join(", "))}>
        {label}
      </Button>
    );
  }
  return (
    <div className={styles.chips}>
      {suggestedWidths(span[99] - span[1], column.decimals).map((width) => (
        <Button key={width} look="quiet" onClick={() => onChoose(String(width))}>
          {formatMeasure(width, measure)}
        </Button>
      ))}
    </div>
  );
}

function textOf(spec: GroupSpec): string {
  if (typeof spec === "string" || "element" in spec) return "";
  return spec.edges?.join(", ") ?? (spec.width === undefined ? "" : String(spec.width));
}
