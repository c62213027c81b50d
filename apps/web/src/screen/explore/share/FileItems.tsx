import type { Result } from "@hadal/sdk";
import { useFormQuery } from "../../../panel/formQuery.js";
import { noPictureReason } from "../../../panel/picture/noPictureReason.js";
import { saveFile } from "../../../ui/storage/saveFile.js";
import { ShareItem } from "./ShareItem.js";

export interface FileItemsProps {
  /** The result on the screen; null: none yet. */
  readonly result: Result | null;
  readonly onOutcome: (text: string) => void;
}

/** Menu items that save the answer as CSV or as a picture. A view of text alone has no picture. */
export function FileItems({ result, onOutcome }: FileItemsProps) {
  const { state } = useFormQuery();
  const noPicture = noPictureReason(state);
  const savePicture = async (kind: "svg" | "png"): Promise<void> => {
    // The drawing code is loaded on demand.
    const { drawPng, drawSvg } = await import("../../../panel/picture/drawPicture.js");
    const pictured = {
      answer: document.querySelector<HTMLElement>('[data-testid="result"]'),
      root: document.body,
      lines: [document.title, statusText()],
    };
    const picture = kind === "svg" ? await drawSvg(pictured) : await drawPng(pictured);
    if (picture === null) onOutcome("There is no chart to save yet.");
    else {
      const type = kind === "svg" ? "image/svg+xml" : "image/png";
      saveFile(`${state.table}.${kind}`, picture, type);
    }
  };
  return (
    <>
      <ShareItem
        name="Save as CSV"
        note="all digits, ISO times, error bars; can be imported again"
        testId="share-csv"
        disabled={result === null}
        onClick={() => {
          if (result !== null) void saveCsv(state.table, result);
        }}
      />
      <ShareItem
        name="Save as SVG"
        note={noPicture ?? "vectors, as on the screen"}
        testId="share-svg"
        disabled={result === null || noPicture !== null}
        onClick={() => void savePicture("svg")}
      />
      <ShareItem
        name="Save as PNG"
        note={noPicture ?? "pixels, as on the screen"}
        testId="share-png"
        disabled={result === null || noPicture !== null}
        onClick={() => void savePicture("png")}
      />
    </>
  );
}

/** The text of the status line above the answer. */
const statusText = (): string =>
  [...(document.querySelector('[data-testid="status-line"]')?.children ?? [])]
    .map(({ textContent }) => textContent)
    .filter((text) => text !== "")
    .join(" · ");

async function saveCsv(table: string, result: Result): Promise<void> {
  // The CSV code is loaded on demand.
  const { printCsv } = await import("../../../format/csv.js");
  saveFile(`${table}.csv`, printCsv(result), "text/csv");
}
