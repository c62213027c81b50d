import type { Filter } from "@hadal/sdk";
import { useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { applyEdit } from "../../../draft/edit/edits.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { initialState } from "../../../query/state/exploreState.js";
import type { Session } from "../../../session/session.js";
import { FormQueryProvider } from "../../FormQueryProvider.js";
import type { FormQuery } from "../../formQuery.js";
import { FiltersField } from "./FiltersField.js";

export interface RowFilterProps {
  readonly label?: string;
  readonly session: Session;
  /** A table that exists. */
  readonly table: string;
  readonly filter: readonly Filter[];
  readonly onChange: (filter: readonly Filter[]) => void;
}

/** The filters of Explore on their own, for the rows that others may read. Values are suggested from the last day. */
export function RowFilter({ label, session, table, filter, onChange }: RowFilterProps) {
  const [column, setColumn] = useState<string | null>(null);
  const addRef = useRef<HTMLButtonElement>(null);
  const detail = useStore(session).details.get(table) ?? null;
  useEffect(() => void session.loadTable(table), [session, table]);
  const form = useMemo<FormQuery>(() => {
    const filters = filter.map((one) => ({ filter: one, off: false }));
    const state = { ...initialState(table), from: "-1d", filters };
    return {
      ...{ session, state, table: detail, columns: detail?.columns ?? [] },
      ...{ timeZone: ownTimeZone(), problem: null, probe: { kind: "none" } },
      dispatch(edit) {
        // A filter that is turned off would let every row through.
        const kept = applyEdit(state, edit).filters.filter(({ off }) => !off);
        onChange(kept.map((chip) => chip.filter));
      },
      dive: () => undefined,
      faultAt: () => null,
    };
  }, [session, table, filter, detail, onChange]);
  return (
    <FormQueryProvider value={form}>
      <FiltersField
        label={label}
        addRef={addRef}
        settled={false}
        column={column}
        onColumn={setColumn}
      />
    </FormQueryProvider>
  );
}
