import { History } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import type { Command } from "../../command/command.js";
import { useCommands } from "../../command/useCommands.js";
import { type PastQuestion, readHistory, remember } from "../../draft/history/history.js";
import { printUrl } from "../../draft/url/url.js";
import { formatAgo } from "../../format/ago.js";
import { PickList } from "../../ui/popup/PickList.js";
import { PopupButton } from "../../ui/popup/PopupButton.js";
import { readerStorage } from "../../ui/storage/browserStorage.js";
import { useExplore } from "./explore.js";
import { titleOf } from "./words.js";

export interface HistoryButtonProps {
  readonly onVisit: (url: string) => void;
}

/** A question that stood so long was meant; steps on the way to it are in the browser's own history. */
const settledMs = 2_000;
/** In the palette only the newest: the list has them all. */
const commandsMax = 20;

/** The questions that were asked in this browser, by what they ask. */
export function HistoryButton({ onVisit }: HistoryButtonProps) {
  const { state, timeZone } = useExplore();
  const [past, setPast] = useState<readonly PastQuestion[]>(() => readHistory(readerStorage));
  useEffect(() => {
    const timer = setTimeout(() => {
      const title = titleOf(state, timeZone).replace(/ · Hadal$/, "");
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
    <PopupButton label="Past questions" testId="history" align="end" icon={<History size={16} />}>
      {(close) => (
        <PastQuestions
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

interface PastQuestionsProps {
  readonly past: readonly PastQuestion[];
  readonly onPick: (url: string) => void;
}

/** Mounted when the list opens: how long ago is of that moment. */
function PastQuestions({ past, onPick }: PastQuestionsProps) {
  const items = past.map(({ url, title, atMs }) => ({
    key: url,
    label: title,
    note: formatAgo(Date.now() - atMs),
  }));
  return (
    <PickList
      label="Past questions"
      testId="history-list"
      placeholder="search past questions…"
      empty="No past question has that in it."
      wide
      items={items}
      onPick={onPick}
    />
  );
}
