import type { DocumentSummary } from "@hadal/sdk";
import { useEffect, useRef, useState } from "react";
import { bodyOf } from "../../draft/saved/savedState.js";
import type { Session } from "../../session/session.js";

/** A browser sends six requests to a server at a time: the others stay free. */
const requestsMax = 3;

const keyOf = ({ id, version }: DocumentSummary): string => `${id} ${version}`;

/** The table of each shown query, once it is read; null: it cannot be. */
export function useTablesOf({ client }: Session, shown: readonly DocumentSummary[]) {
  const [tables, setTables] = useState<ReadonlyMap<string, string | null>>(new Map());
  const asked = useRef(new Set<string>());
  useEffect(() => {
    const waiting = shown.filter((one) => !asked.current.has(keyOf(one)));
    const readNext = async (): Promise<void> => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        const key = keyOf(one);
        asked.current.add(key);
        const table = await client.documents.find(one.id).then(
          (document) => bodyOf(document).query.table,
          () => null,
        );
        setTables((known) => new Map(known).set(key, table));
      }
    };
    for (let i = 0; i < requestsMax; i += 1) void readNext();
    return () => void waiting.splice(0);
  }, [client, shown]);
  return (one: DocumentSummary): string | null | undefined => tables.get(keyOf(one));
}
