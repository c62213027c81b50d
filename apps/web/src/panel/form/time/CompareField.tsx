import type { Filter } from "@hadal/sdk";
import { durationInWords } from "../../../format/duration.js";
import { formatRange } from "../../../format/time.js";
import { filterLabel } from "../../../query/filter/operators.js";
import type { CompareState, TimeSpan } from "../../../query/state/exploreState.js";
import { Chip } from "../../../ui/button/Chip.js";
import { Select, type SelectOption } from "../../../ui/button/Select.js";
import { Fault } from "../../../ui/field/Fault.js";
import { useFormQuery } from "../../formQuery.js";
import { useReachWords } from "../../status/useReachWords.js";
import { FilterAdder } from "../filter/FilterAdder.js";
import { Field } from "../part/Field.js";
import styles from "../part/form.module.css";

const otherRows = "rows";
const timesOfBrush = "part";
const options: readonly SelectOption[] = [
  { value: "off", label: "off" },
  { value: "previous", label: "previous period" },
  { value: "1h", label: "1 hour earlier" },
  { value: "1d", label: "1 day earlier" },
  { value: "7d", label: "1 week earlier" },
  { value: "28d", label: "4 weeks earlier" },
  { value: otherRows, label: "other rows…" },
];

export interface CompareFieldProps {
  /** The time of the answer; null: none yet. */
  readonly asOfMs: number | null;
}

/** What the query is compared with: another time, other rows, or both (from the address). */
export function CompareField({ asOfMs }: CompareFieldProps) {
  const { state, timeZone, dispatch, faultAt } = useFormQuery();
  const { compare, view } = state;
  const part = view === "changes" ? state.part : null;
  const set = (next: CompareState | null) => dispatch({ kind: "set compare", compare: next });
  // Side B starts as a copy of the active filters.
  const active = state.filters.filter((chip) => !chip.off).map((chip) => chip.filter);
  const choose = (value: string): void => {
    if (value === timesOfBrush) return;
    if (value === "off") set(null);
    else if (value !== otherRows) set({ offset: value, filter: null });
    else set({ offset: null, filter: active });
  };
  return (
    <Field label="Compare">
      <Select
        label="Compare with"
        testId="compare-picker"
        value={
          part !== null ? timesOfBrush : compare === null ? "off" : (compare.offset ?? otherRows)
        }
        options={part === null ? optionsWith(compare) : [...options, partOption(part, timeZone)]}
        onChange={choose}
      />
      {part === null && compare?.filter != null && (
        <div className={styles.chips}>
          {compare.filter.map((filter, index) => (
            <Chip
              key={filterLabel(filter)}
              testId="compare-chip"
              title={filterLabel(filter)}
              fault={faultAt(`compare ${index}`)}
              onRemove={() => set({ ...compare, filter: without(compare.filter ?? [], index) })}
            >
              {filterLabel(filter)}
            </Chip>
          ))}
          {compare.filter.length === 0 && <span className={styles.hint}>all rows</span>}
          <FilterAdder
            label="Add to the other rows"
            testId="add-compare-filter"
            onAdd={(filter) => set({ ...compare, filter: [...(compare.filter ?? []), filter] })}
          />
        </div>
      )}
      {compare !== null && view === "rows" && (
        <p className={styles.hint}>Raw rows are not compared.</p>
      )}
      {asOfMs !== null && view !== "rows" && <Reach asOfMs={asOfMs} />}
      <Fault text={faultAt("compare")} />
    </Field>
  );
}

function Reach({ asOfMs }: { readonly asOfMs: number }) {
  const lacking = useReachWords(asOfMs);
  if (lacking === null) return null;
  return (
    <p className={styles.hint} data-testid="compare-reach">
      {sentenceOf(lacking)}
    </p>
  );
}

/** The options, and an offset of the address that is not one of them. */
function optionsWith(compare: CompareState | null): readonly SelectOption[] {
  const offset = compare?.offset ?? null;
  if (offset === null || options.some(({ value }) => value === offset)) return options;
  return [...options, { value: offset, label: `${durationInWords(offset)} earlier` }];
}

const partOption = ({ fromMs, toMs }: TimeSpan, timeZone: string): SelectOption => ({
  value: timesOfBrush,
  label: `${formatRange(fromMs, toMs, timeZone)} with the rest`,
});

const sentenceOf = (words: string): string => `${words[0]?.toUpperCase()}${words.slice(1)}.`;

const without = (filters: readonly Filter[], index: number): Filter[] =>
  filters.filter((_, i) => i !== index);
