import type { ColumnInfo, HadalError } from "@hadal/sdk";
import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import type { Session } from "../../../session/session.js";

export interface BoardTables {
  /** The columns of each table that was read. */
  readonly tables: ReadonlyMap<string, readonly ColumnInfo[]>;
  /** Why the others could not be read. */
  readonly unread: ReadonlyMap<string, HadalError>;
}

/** The columns of these tables, each read once. */
export function useTables(session: Session, names: readonly string[]): BoardTables {
  const { details } = useStore(session);
  const [failed, setFailed] = useState<ReadonlyMap<string, HadalError>>(new Map());
  const key = JSON.stringify(names);
  useEffect(() => {
    let isCurrent = true;
    for (const name of JSON.parse(key) as string[]) {
      void session.loadTable(name).then((detail) => {
        const { problem } = session.getState();
        if (!isCurrent || detail !== null || problem === null) return;
        setFailed((known) => new Map(known).set(name, problem));
      });
    }
    return () => {
      isCurrent = false;
    };
  }, [session, key]);
  return useMemo(() => {
    const tables = new Map([...details].map(([name, { columns }]) => [name, columns] as const));
    // One that was read since then is shown.
    const unread = new Map([...failed].filter(([name]) => !tables.has(name)));
    return { tables, unread };
  }, [details, failed]);
}
