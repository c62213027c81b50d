import type { ColumnInfo } from "@hadal/sdk";
import { useCallback, useMemo, useState } from "react";
import { createColorBook } from "../../chart/kit/paint/color.js";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import type { Session } from "../../session/session.js";
import { AnswerPane } from "../answer/AnswerPane.js";
import { useColumns } from "../ask/useColumns.js";
import { useQuestion } from "../ask/useQuestion.js";
import { type AskedQuery, PanelProvider } from "../panel.js";
import styles from "./embed.module.css";

export interface EmbedPreviewProps {
  readonly session: Session;
  /** What a visitor sees first. */
  readonly state: ExploreState;
  readonly ofTable: readonly ColumnInfo[];
  readonly themeName: string;
}

/** The chart as visitors see it first. Their menu is in the embed itself, once it is made. */
export function EmbedPreview({ session, state, ofTable, themeName }: EmbedPreviewProps) {
  const [asked, setAsked] = useState(0);
  const timeZone = state.timeZone ?? ownTimeZone();
  const columns = useColumns(session, state, ofTable);
  const question = useQuestion(session, { state, asked, timeZone, columns });
  const colors = useMemo(() => createColorBook(), []);
  const dive = useCallback(() => setAsked((count) => count + 1), []);
  const { probe, main } = question;
  const panel = useMemo<AskedQuery>(
    () => ({
      ...{ session, state, table: null, timeZone, dive, probe, dispatch: () => undefined },
      ...{ columns: columns ?? [], problem: main.problem },
    }),
    [session, state, timeZone, dive, probe, columns, main.problem],
  );
  return (
    <section className={styles.preview} aria-label="Preview" data-testid="embed-preview">
      <PanelProvider value={panel}>
        <AnswerPane
          question={question}
          colors={colors}
          themeName={themeName}
          onIntent={(intent) => intent.kind === "again" && dive()}
          remedyOf={() => null}
        />
      </PanelProvider>
    </section>
  );
}
