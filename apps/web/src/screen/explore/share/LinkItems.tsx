import { HadalError } from "@hadal/sdk";
import type { ReactNode } from "react";
import { frozenRange } from "../../../draft/edit/shiftTime.js";
import { printColors } from "../../../draft/url/colorUrl.js";
import { printUrl } from "../../../draft/url/url.js";
import { useFormQuery } from "../../../panel/formQuery.js";
import type { ExploreState } from "../../../query/state/exploreState.js";
import styles from "./ShareButton.module.css";
import { ShareItem } from "./ShareItem.js";

export interface LinkItemsProps {
  /** The time of the answer on the screen; null: none yet. */
  readonly asOf: number | null;
  readonly colors: () => ReadonlyMap<string, number>;
  readonly onOutcome: (outcome: ReactNode) => void;
}

/** Menu items that copy a link to the query. */
export function LinkItems({ asOf, colors, onOutcome }: LinkItemsProps) {
  const { session, state, timeZone } = useFormQuery();
  const pathOf = (linked: ExploreState): string =>
    `/explore?${printUrl(linked)}${printColors(colors())}`;
  const copy = async (linkOf: () => Promise<string> | string): Promise<void> => {
    try {
      onOutcome(await copyText(await linkOf()));
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      onOutcome(error.message);
    }
  };
  const shortLink = async (): Promise<string> => {
    const { id } = await session.client.saveLink(pathOf(state));
    return `${location.origin}/s/${id}`;
  };
  return (
    <>
      <ShareItem
        name="Copy link"
        note="the whole query; relative times stay relative"
        testId="share-link"
        onClick={() => void copy(() => location.origin + pathOf(state))}
      />
      <ShareItem
        name="Copy short link"
        note="stored on this server"
        testId="share-short"
        onClick={() => void copy(shortLink)}
      />
      <ShareItem
        name="Copy frozen link"
        note="with the times of this answer"
        testId="share-frozen"
        onClick={() => void copy(() => location.origin + pathOf(frozen(state, asOf, timeZone)))}
      />
    </>
  );
}

/** The state with the absolute time range of the answer on the screen. */
function frozen(state: ExploreState, asOf: number | null, timeZone: string): ExploreState {
  const range = frozenRange(state, { nowMs: asOf ?? Date.now(), timeZone });
  return { ...state, ...range, live: false };
}

/** The clipboard needs a secure origin; elsewhere a field shows the text to copy. */
async function copyText(text: string): Promise<ReactNode> {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    return (
      <input
        className={styles.text}
        readOnly
        value={text}
        aria-label="Text to copy"
        onFocus={(event) => event.target.select()}
      />
    );
  }
}
