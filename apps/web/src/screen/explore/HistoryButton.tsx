import { History } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import type { Command } from "../../command/command.js";
import { useCommands } from "../../command/useCommands.js";
import { type PastQuestion, readHistory, remember } from "../../draft/history/history.js";
import { printUrl } from "../../draft/url/url.js";
import { formatAgo } from "../../format/ago.js";
import { useFormQuery } from "../../panel/formQuery.js";
import { PickList } from "../../ui/popup/PickList.js";
import { PopupButton } from "../../ui/popup/PopupButton.js";
import { readerStorage } from "../../ui/storage/browserStorage.js";
import { windowTitle } from "./windowTitle.js";

export interface HistoryButtonProps {
  readonly onVisit: (url: string) => void;
}

/** A query that stays unchanged for this long is added to the list. */
const settledMs = 2_000;
/** The palette offers only the newest queries; the list has all of them. */
const commandsMax = 20;
const savedFirst = 5;

/** The queries that ran in this browser, and the saved ones, by title. */
export function HistoryButton({ onVisit }: HistoryButtonProps) {
  const { session, state, timeZone } = useFormQuery();
  const [past, setPast] = useState<readonly PastQuestion[]>(() => readHistory(readerStorage));
  useEffect(() => {
    const timer = setTimeout(() => {
      const title = windowTitle(state, timeZone).replace(/ · Hadal$/, "");
      remember(readerStorage, { url: `/explore?${printUrl(state)}`, title, atMs: Date.now() });
      setPast(readHistory(readerStorage));
    }, settledMs);
    return () => clearTimeout(timer);
  }, [state, timeZone]);
  const commands = useMemo<Command[]>(
    () =>
      past.slice(0, commandsMax).map(({ url, title }) => ({
        id: `recent ${url}`,
        group: "Recent queries",
        label: title,
        run: () => onVisit(url),
      })),
    [past, onVisit],
  );
  useCommands(commands);
  return (
    <PopupButton
      label="Past and saved queries"
      testId="history"
      align="end"
      icon={<History size={16} />}
      onOpenChange={(open) => {
        if (open) void session.savedQueries.load();
      }}
    >
      {(close) => (
        <PastQueries
          past={past}
          onPick={(url) => {
            close();
            onVisit(url);
          }}
        />
      )}
    </PopupButton>
  );
}

interface PastQueriesProps {
  readonly past: readonly PastQuestion[];
  readonly onPick: (url: string) => void;
}

/** Mounted when the list opens, so that the ages are current. */
function PastQueries({ past, onPick }: PastQueriesProps) {
  const { list } = useStore(useFormQuery().session.savedQueries);
  const saved = (list ?? []).map(({ id, title, changedBy }) => ({
    key: `/saved/${id}`,
    label: title,
    note: changedBy === null ? "saved" : `saved by ${changedBy}`,
  }));
  const own = past.map(({ url, title, atMs }) => ({
    key: url,
    label: title,
    note: formatAgo(Date.now() - atMs),
  }));
  // The search finds every one; above the past queries stand only the newest saved ones.
  const items = [...saved.slice(0, savedFirst), ...own, ...saved.slice(savedFirst)];
  return (
    <PickList
      label="Past and saved queries"
      testId="history-list"
      placeholder="search past and saved queries…"
      empty="No past or saved query matches."
      wide
      items={items}
      onPick={onPick}
    />
  );
}
