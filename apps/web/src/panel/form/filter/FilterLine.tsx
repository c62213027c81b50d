import { type FormEvent, type KeyboardEvent, useState } from "react";
import { parseFilterLine, printFilterLine } from "../../../query/filter/filterLine.js";
import { messageColumns } from "../../../query/filter/messageColumns.js";
import { GrammarError } from "../../../query/filter/token.js";
import { Fault } from "../../../ui/field/Fault.js";
import { useFormQuery } from "../../formQuery.js";
import styles from "../part/form.module.css";

const syntax = `status>=500, service:web,cart, -country:DE, latency_us>250ms, message~expression, column:* for any value; words search the messages, "several words" in quotes`;

/** All active filters as one line. Enter turns it into chips, Escape restores it. */
export function FilterLine() {
  const { state, columns, dispatch } = useFormQuery();
  const [typed, setTyped] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const inForce = state.filters.filter(({ off }) => !off).map(({ filter }) => filter);
  const words = messageColumns(columns).length > 0 ? ' "time out"' : "";
  const leave = (): void => {
    setTyped(null);
    setFault(null);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    if (typed === null) return;
    try {
      dispatch({ kind: "set filters", filters: parseFilterLine(typed, columns) });
      leave();
    } catch (error) {
      if (!(error instanceof GrammarError)) throw error;
      setFault(error.message);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || typed === null) return;
    event.stopPropagation();
    leave();
  };
  return (
    <form onSubmit={submit}>
      <input
        className={`${styles.input} ${styles.filterLine}`}
        aria-label="Filters as a line"
        aria-invalid={fault !== null}
        title={syntax}
        placeholder={`status>=500 -country:DE${words}`}
        data-testid="filter-line"
        // The printed text depends on the types of the columns.
        disabled={columns.length === 0}
        value={typed ?? printFilterLine(inForce, columns)}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setTyped(event.target.value);
          setFault(null);
        }}
        onKeyDown={onKeyDown}
      />
      <Fault text={fault} />
    </form>
  );
}
