import { HadalError, type Result } from "@hadal/sdk";
import { Share2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { frozenRange } from "../../draft/edit/shiftTime.js";
import { printColors } from "../../draft/url/colorUrl.js";
import { printUrl } from "../../draft/url/url.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import { PopupButton } from "../../ui/popup/PopupButton.js";
import { useExplore } from "./explore.js";
import { noPictureOf } from "./picture/noPictureOf.js";
import styles from "./ShareButton.module.css";

export interface ShareButtonProps {
  /** What is on the screen; null: nothing yet. */
  readonly result: Result | null;
  /** As they are on the screen: a link shows them again. */
  readonly colors: () => ReadonlyMap<string, number>;
}

/** The question as an address, and its answer as a file. */
export function ShareButton({ result, colors }: ShareButtonProps) {
  const { session, state, timeZone } = useExplore();
  const [outcome, setOutcome] = useState<ReactNode>(null);
  const pathOf = (linked: ExploreState): string =>
    `/explore?${printUrl(linked)}${printColors(colors())}`;
  const copy = async (work: () => Promise<string> | string): Promise<void> => {
    try {
      const text = await work();
      setOutcome(await copyText(text));
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setOutcome(error.message);
    }
  };
  return (
    <PopupButton
      label="Share"
      title="Share this question or its answer"
      testId="share"
      align="end"
      icon={<Share2 size={16} />}
      onOpenChange={() => setOutcome(null)}
    >
      {() => (
        <div className={styles.menu}>
          <Item
            name="Copy link"
            note="the whole question; times stay relative"
            testId="share-link"
            onClick={() => void copy(() => location.origin + pathOf(state))}
          />
          <Item
            name="Copy short link"
            note="kept on this server"
            testId="share-short"
            onClick={() =>
              void copy(
                async () =>
                  `${location.origin}/s/${(await session.client.saveLink(pathOf(state))).id}`,
              )
            }
          />
          <Item
            name="Copy frozen link"
            note="these very times, whenever it is opened"
            testId="share-frozen"
            onClick={() =>
              void copy(() => location.origin + pathOf(frozen(state, result?.asOf, timeZone)))
            }
          />
          <hr className={styles.rule} />
          <Item
            name="Save as CSV"
            note="all digits, ISO times, error bars; imports again"
            testId="share-csv"
            disabled={result === null}
            onClick={() => {
              if (result !== null) void saveCsv(state.table, result);
            }}
          />
          <PictureItems
            state={state}
            disabled={result === null}
            onOutcome={(text) => setOutcome(text)}
          />
          <p className={styles.outcome} role="status" data-testid="share-outcome">
            {outcome}
          </p>
        </div>
      )}
    </PopupButton>
  );
}

interface PictureItemsProps {
  readonly state: ExploreState;
  readonly disabled: boolean;
  readonly onOutcome: (text: string) => void;
}

/** The answer as it is on the screen; what is only text is not offered as a picture, and says so. */
function PictureItems({ state, disabled, onOutcome }: PictureItemsProps) {
  const reason = noPictureOf(state);
  const save = async (kind: "svg" | "png"): Promise<void> => {
    // Drawing in vectors is for those who want it: it is loaded then.
    const { drawPng, drawSvg } = await import("./picture/drawPicture.js");
    const lines = [document.title, statusText()];
    const picture = kind === "svg" ? await drawSvg(lines) : await drawPng(lines);
    if (picture === null) onOutcome("There is nothing to draw yet.");
    else {
      const type = kind === "svg" ? "image/svg+xml" : "image/png";
      saveFile(`${state.table}.${kind}`, picture, type);
    }
  };
  return (
    <>
      <Item
        name="Save as SVG"
        note={reason ?? "in vectors, as it is on the screen"}
        testId="share-svg"
        disabled={disabled || reason !== null}
        onClick={() => void save("svg")}
      />
      <Item
        name="Save as PNG"
        note={reason ?? "in pixels, as it is on the screen"}
        testId="share-png"
        disabled={disabled || reason !== null}
        onClick={() => void save("png")}
      />
    </>
  );
}

interface ItemProps {
  readonly name: string;
  readonly note: string;
  readonly testId: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

function Item({ name, note, testId, disabled = false, onClick }: ItemProps) {
  return (
    <button
      type="button"
      className={styles.item}
      data-testid={testId}
      disabled={disabled}
      onClick={onClick}
    >
      {name}
      <span className={styles.note}>{note}</span>
    </button>
  );
}

/** The times that the answer on the screen is about. */
function frozen(state: ExploreState, asOf: number | undefined, timeZone: string): ExploreState {
  const range = frozenRange(state, { nowMs: asOf ?? Date.now(), timeZone });
  return { ...state, ...range, live: false };
}

/** Browsers give the clipboard to safe origins only: elsewhere the text is there to be copied by hand. */
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
        aria-label="To copy"
        onFocus={(event) => event.target.select()}
      />
    );
  }
}

/** What the line above the answer says of it. */
const statusText = (): string =>
  [...(document.querySelector('[data-testid="status-line"]')?.children ?? [])]
    .map(({ textContent }) => textContent)
    .filter((text) => text !== "")
    .join(" · ");

async function saveCsv(table: string, result: Result): Promise<void> {
  // Only those who save it load what prints it.
  const { printCsv } = await import("../../format/csv.js");
  saveFile(`${table}.csv`, printCsv(result), "text/csv");
}

function saveFile(name: string, content: string | Blob, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
