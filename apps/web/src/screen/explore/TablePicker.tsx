import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import { formatCompact } from "../../format/number.js";
import { useFormQuery } from "../../panel/formQuery.js";
import { openingState } from "../../query/state/opening.js";
import { Button } from "../../ui/button/Button.js";
import { PickList } from "../../ui/popup/PickList.js";
import { Popup } from "../../ui/popup/Popup.js";
import styles from "./ExploreScreen.module.css";

/** The table of the query; another table starts with its first query. */
export function TablePicker() {
  const { session, state, dispatch } = useFormQuery();
  const { tables } = useStore(session);
  const [open, setOpen] = useState(false);
  const choose = async (name: string): Promise<void> => {
    setOpen(false);
    if (name === state.table) return;
    const detail = await session.loadTable(name);
    if (detail !== null) dispatch({ kind: "open", state: openingState(detail, Date.now(), state) });
  };
  return (
    <Popup
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        // A first row may have created a table: the list is read again each time it opens.
        if (next) void session.loadTables();
      }}
      label="Table"
      trigger={
        <Button
          className={styles.table ?? ""}
          data-testid="table-picker"
          data-key-target="table"
          title="Table ( d )"
        >
          <span className={styles.clip}>{state.table}</span>
          <ChevronDown size={14} />
        </Button>
      }
    >
      <PickList
        label="Table"
        testId="table-list"
        placeholder="table…"
        awaited={tables === null}
        empty={tables === null ? "Loading tables…" : "No table name matches."}
        items={(tables ?? []).map((table) => ({
          key: table.name,
          label: table.name,
          ...(table.rows === undefined ? {} : { note: `${formatCompact(table.rows)} rows` }),
          picked: table.name === state.table,
        }))}
        onPick={(name) => void choose(name)}
      />
    </Popup>
  );
}
