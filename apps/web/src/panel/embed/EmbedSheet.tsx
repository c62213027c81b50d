import { type ColumnInfo, type CreatedEmbed, HadalError } from "@hadal/sdk";
import { useMemo, useState } from "react";
import { useStore } from "zustand";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import type { Session } from "../../session/session.js";
import { Button } from "../../ui/button/Button.js";
import { Strip } from "../../ui/page/Strip.js";
import { Sheet } from "../../ui/popup/Sheet.js";
import { allowedInWords } from "./allowedInWords.js";
import { CreatedView } from "./CreatedView.js";
import { EmbedFields } from "./EmbedFields.js";
import { EmbedPreview } from "./EmbedPreview.js";
import styles from "./embed.module.css";
import {
  draftOfForm,
  type EmbedFaults,
  faultsOfForm,
  faultsOfProblem,
  formOfState,
  previewState,
} from "./embedForm.js";

export interface EmbedSheetProps {
  readonly session: Session;
  /** The query that visitors see first. */
  readonly state: ExploreState;
  readonly title: string;
  readonly themeName: string;
  readonly onClose: () => void;
}

const noColumns: readonly ColumnInfo[] = [];

/** Makes an embed of a query: what it allows, what it looks like, and the code for a page. */
export function EmbedSheet({ session, state, title, themeName, onClose }: EmbedSheetProps) {
  const [created, setCreated] = useState<Created | null>(null);
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={created === null ? "Embed in another page" : "The embed is ready"}
      width={created === null ? 980 : 860}
      testId="embed-sheet"
    >
      {created === null ? (
        <NewEmbed {...{ session, state, title, themeName }} onCreate={setCreated} />
      ) : (
        <CreatedView {...{ session, onClose }} {...created} />
      )}
    </Sheet>
  );
}

/** An embed with the title that it was given. */
interface Created {
  readonly created: CreatedEmbed;
  readonly title: string;
}

interface NewEmbedProps extends Omit<EmbedSheetProps, "onClose"> {
  readonly onCreate: (created: Created) => void;
}

function NewEmbed({ session, state, title, themeName, onCreate }: NewEmbedProps) {
  const columns = useStore(session).details.get(state.table)?.columns ?? noColumns;
  const [form, setForm] = useState(() =>
    formOfState(state, {
      ...{ title, columns, nowMs: Date.now() },
      timeZone: state.timeZone ?? ownTimeZone(),
    }),
  );
  const { faults, problem, isCreating, create } = useCreating({ session, state, form, onCreate });
  const shown = useMemo(() => previewState(state, form), [state, form]);
  return (
    <div className={styles.columns}>
      <EmbedFields {...{ session, columns, form, faults }} table={state.table} onChange={setForm} />
      <div className={styles.side}>
        <EmbedPreview {...{ session, themeName }} state={shown} ofTable={columns} />
        <ul className={styles.allowed} aria-label="What visitors may do" data-testid="embed-words">
          {allowedInWords(form).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {form.hosts.trim() === "" && (
          <p className={styles.quiet}>
            Without a page that may show it, only pictures of it can be used.
          </p>
        )}
        {problem !== null && (
          <Strip tone="bad" testId="embed-problem">
            {problem}
          </Strip>
        )}
        <div className={styles.actions}>
          <a className={styles.link} href="/embeds">
            All embeds
          </a>
          <Button
            look="main"
            data-testid="create-embed"
            disabled={isCreating}
            onClick={() => void create()}
          >
            Create embed
          </Button>
        </div>
      </div>
    </div>
  );
}

type CreatingOf = Pick<NewEmbedProps, "session" | "state" | "onCreate"> & {
  readonly form: ReturnType<typeof formOfState>;
};

/** Faults are shown once someone has tried to create it, and then while they last. */
function useCreating({ session, state, form, onCreate }: CreatingOf) {
  const [tried, setTried] = useState(false);
  const [isCreating, setCreating] = useState(false);
  const [refused, setRefused] = useState<{ of: unknown; problem: HadalError } | null>(null);
  const own = useMemo(() => (tried ? faultsOfForm(form, state) : {}), [tried, form, state]);
  const problem = refused?.of === form ? refused.problem : null;
  const ofServer: EmbedFaults = problem === null ? {} : faultsOfProblem(problem);
  const faults = { ...ofServer, ...own };
  const create = async (): Promise<void> => {
    setTried(true);
    if (Object.keys(faultsOfForm(form, state)).length > 0) return;
    setCreating(true);
    try {
      const draft = draftOfForm(form, state);
      onCreate({ created: await session.client.embeds.create(draft), title: draft.title });
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setRefused({ of: form, problem: error });
    } finally {
      setCreating(false);
    }
  };
  const text = faults.query ?? (Object.keys(faults).length === 0 ? problem?.message : null) ?? null;
  return { faults, problem: text, isCreating, create };
}
