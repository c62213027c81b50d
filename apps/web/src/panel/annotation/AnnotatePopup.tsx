import { Popover } from "@base-ui/react/popover";
import { documentTitleMax, HadalError } from "@hadal/sdk";
import { useState } from "react";
import { formatInstant } from "../../format/time.js";
import { Button } from "../../ui/button/Button.js";
import { Strip } from "../../ui/page/Strip.js";
import popup from "../../ui/popup/Popup.module.css";
import { usePageRoot } from "../../ui/root/pageRoot.js";
import { usePanel } from "../panel.js";
import { annotationChanges } from "./annotationChanges.js";

export interface AnnotatePopupProps {
  readonly anchor: { getBoundingClientRect(): DOMRect };
  readonly momentMs: number;
  readonly onClose: () => void;
}

/** The title of an annotation, saved for the table that is shown. */
export function AnnotatePopup({ anchor, momentMs, onClose }: AnnotatePopupProps) {
  const { session, state, timeZone } = usePanel();
  const root = usePageRoot();
  const [title, setTitle] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    try {
      const tables = [state.table];
      await session.client.annotations.create({ time: momentMs, title: title.trim(), tables });
      annotationChanges.setState(({ count }) => ({ count: count + 1 }));
      onClose();
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setProblem(error.message);
    }
  };
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal container={root}>
        <Popover.Positioner anchor={anchor} side="bottom" align="start" className={popup.layer}>
          <Popover.Popup
            aria-label="Annotate this moment"
            className={popup.popup}
            data-testid="annotate-popup"
          >
            <form
              onSubmit={(event) => {
                event.preventDefault();
                if (title.trim() !== "") void save();
              }}
            >
              <label>
                What happened at {formatInstant(momentMs, timeZone)}?{" "}
                <input
                  value={title}
                  maxLength={documentTitleMax}
                  data-testid="annotation-title"
                  onChange={(event) => setTitle(event.target.value)}
                />
              </label>{" "}
              <Button type="submit" disabled={title.trim() === ""} data-testid="annotation-save">
                Annotate
              </Button>{" "}
              <a href="/annotations">All annotations</a>
            </form>
            {problem !== null && <Strip tone="bad">{problem}</Strip>}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
