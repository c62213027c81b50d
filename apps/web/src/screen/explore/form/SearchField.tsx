import { type FormEvent, useState } from "react";
import { messageColumns, searchFilter } from "../../../query/messageColumns.js";
import { useExplore } from "../explore.js";
import { Field } from "./Field.js";
import styles from "./form.module.css";

/** Free text, looked for in the columns that hold messages; Enter makes it a filter like any other. */
export function SearchField() {
  const { columns, dispatch } = useExplore();
  const [text, setText] = useState("");
  const searched = messageColumns(columns);
  if (searched.length === 0) return null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    if (text === "") return;
    dispatch({ kind: "add filter", filter: searchFilter(searched, text) });
    setText("");
  };
  return (
    <Field label="Search">
      <form onSubmit={submit} className={styles.line}>
        <input
          type="search"
          className={`${styles.input} ${styles.grow}`}
          aria-label={`Search in ${searched.join(", ")}`}
          placeholder={`in ${searched.join(", ")}`}
          data-testid="search-text"
          value={text}
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </Field>
  );
}
