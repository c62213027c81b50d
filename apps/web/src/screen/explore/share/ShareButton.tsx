import type { Result } from "@hadal/sdk";
import { Share2 } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { useFormQuery } from "../../../panel/formQuery.js";
import { useWhyNot } from "../../../session/useWhyNot.js";
import { lazyPart } from "../../../ui/lazy/lazyPart.js";
import { PopupButton } from "../../../ui/popup/PopupButton.js";
import { windowTitle } from "../windowTitle.js";
import { FileItems } from "./FileItems.js";
import { LinkItems } from "./LinkItems.js";
import styles from "./ShareButton.module.css";
import { ShareItem } from "./ShareItem.js";

const AlertSheet = lazyPart(
  async () => (await import("../../../panel/alert/AlertSheet.js")).AlertSheet,
);
const EmbedSheet = lazyPart(
  async () => (await import("../../../panel/embed/EmbedSheet.js")).EmbedSheet,
);

export interface ShareButtonProps {
  /** The result on the screen; null: none yet. */
  readonly result: Result | null;
  /** The colors on the screen; a link keeps them. */
  readonly colors: () => ReadonlyMap<string, number>;
  readonly themeName: string;
}

/** The query as a link or as a part of another page, its answer as a file. */
export function ShareButton({ result, colors, themeName }: ShareButtonProps) {
  const { session, state, timeZone } = useFormQuery();
  const [outcome, setOutcome] = useState<ReactNode>(null);
  const [opened, setOpened] = useState<"alert" | "embed" | null>(null);
  const whyNotEmbed = useWhyNot(session, "embed");
  const whyNotSave = useWhyNot(session, "save");
  const title = shortTitle(windowTitle(state, timeZone));
  const close = (): void => setOpened(null);
  return (
    <>
      <PopupButton
        label="Share"
        title="Share this query or its answer"
        testId="share"
        align="end"
        icon={<Share2 size={16} />}
        onOpenChange={() => setOutcome(null)}
      >
        {(closeMenu) => (
          <div className={styles.menu}>
            <LinkItems asOf={result?.asOf ?? null} colors={colors} onOutcome={setOutcome} />
            <hr className={styles.rule} />
            <ShareItem
              name="Alert me…"
              note={whyNotSave ?? "when a number of this query is out of the ordinary"}
              testId="share-alert"
              disabled={whyNotSave !== null}
              onClick={() => {
                closeMenu();
                setOpened("alert");
              }}
            />
            <ShareItem
              name="Embed…"
              note={whyNotEmbed ?? "in another page, for visitors without an account"}
              testId="share-embed"
              disabled={whyNotEmbed !== null}
              onClick={() => {
                closeMenu();
                setOpened("embed");
              }}
            />
            <hr className={styles.rule} />
            <FileItems result={result} onOutcome={setOutcome} />
            <p className={styles.outcome} role="status" data-testid="share-outcome">
              {outcome}
            </p>
          </div>
        )}
      </PopupButton>
      <Suspense>
        {opened === "embed" && (
          <EmbedSheet {...{ session, state, themeName, title }} onClose={close} />
        )}
        {opened === "alert" && (
          <AlertSheet
            session={session}
            start={{ kind: "state", state, title }}
            onClose={close}
            onSaved={({ id }) => location.assign(`/alerts/${encodeURIComponent(id)}`)}
          />
        )}
      </Suspense>
    </>
  );
}

/** Without the range, which moves on, and the name of the program. */
const shortTitle = (title: string): string => title.split(" · ").slice(0, 2).join(" · ");
