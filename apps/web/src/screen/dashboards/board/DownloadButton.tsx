import { type DocumentImageFormat, documentImageFormats, HadalError } from "@hadal/sdk";
import { Download } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import { Button } from "../../../ui/button/Button.js";
import { PickList } from "../../../ui/popup/PickList.js";
import { Popup } from "../../../ui/popup/Popup.js";
import { saveFile } from "../../../ui/storage/saveFile.js";
import styles from "./board.module.css";
import { useBoard } from "./boardContext.js";

const types: Readonly<
  Record<DocumentImageFormat, { readonly type: string; readonly note: string }>
> = {
  png: { type: "image/png", note: "pixels, for mail and chat" },
  pdf: { type: "application/pdf", note: "one page, text can be searched" },
  svg: { type: "image/svg+xml", note: "vectors" },
};

const items = (["png", "pdf", "svg"] satisfies DocumentImageFormat[]).map((key) => ({
  ...{ key, label: key.toUpperCase(), note: types[key].note },
}));

const isFormat = (key: string): key is DocumentImageFormat =>
  documentImageFormats.some((format) => format === key);

/** The board as a file that the server draws, with the bar as it is now. */
export function DownloadButton() {
  const { store, session, barSearch, timeZone, themeName } = useBoard();
  const { document, title, isChanged } = useStore(store);
  const [open, setOpen] = useState(false);
  const [isDrawing, setDrawing] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const download = async (format: DocumentImageFormat): Promise<void> => {
    setOpen(false);
    setDrawing(true);
    setProblem(null);
    try {
      const theme = themeName === "dark" ? "dark" : "light";
      const wanted = { format, bar: barSearch, timeZone, theme } as const;
      const bytes = await session.client.documents.image(document.id, wanted);
      saveFile(`${title}.${format}`, new Blob([bytes as BlobPart]), types[format].type);
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setProblem(error.message);
    } finally {
      setDrawing(false);
    }
  };
  const why = isChanged ? "Save first: the picture is of the dashboard as it is saved" : null;
  return (
    <>
      {(problem !== null || isDrawing) && (
        <span className={styles.quiet} role="status" data-testid="download-state">
          {problem === null ? "drawing…" : `No picture: ${problem}`}
        </span>
      )}
      <Popup
        open={open}
        onOpenChange={setOpen}
        label="Download"
        align="end"
        trigger={
          <Button
            look="quiet"
            data-testid="board-download"
            aria-label="Download a picture"
            title={why ?? "Download a picture or a PDF"}
            disabled={why !== null || isDrawing}
          >
            <Download size={16} />
          </Button>
        }
      >
        <PickList
          label="Kind of file"
          placeholder="PNG, PDF, SVG…"
          testId="download-list"
          empty="There is no such kind."
          items={items}
          onPick={(key) => void (isFormat(key) && download(key))}
        />
      </Popup>
    </>
  );
}
