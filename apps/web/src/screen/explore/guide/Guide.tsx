import { HadalError } from "@hadal/sdk";
import { Compass, X } from "lucide-react";
import { useMemo, useState } from "react";
import type { Command } from "../../../command/command.js";
import { useCommands } from "../../../command/useCommands.js";
import { isLoading, useDemo } from "../../../live/useDemo.js";
import { useFormQuery } from "../../../panel/formQuery.js";
import { Button } from "../../../ui/button/Button.js";
import { IntoSlot } from "../../../ui/page/Slot.js";
import { readerStorage } from "../../../ui/storage/browserStorage.js";
import { DemoProgress } from "./DemoProgress.js";
import { findIncident } from "./findIncident.js";
import styles from "./Guide.module.css";
import { canGuide, type GuideStep, guideSteps } from "./guideSteps.js";

const rememberedAs = "hadal guide";

/** Five steps through the newest incident of the demo. Once closed, it opens on request. */
export function Guide() {
  const { session, state, columns } = useFormQuery();
  const isDemo = canGuide(state.table, columns);
  const demo = useDemo(session.client, { isWanted: isDemo });
  const [isOver, setIsOver] = useState(() => readerStorage.getItem(rememberedAs) !== null);
  if (demo !== null && (isLoading(demo) || demo.problem !== null))
    return <DemoProgress demo={demo} />;
  if (!isDemo) return null;
  if (isOver) return <GuideButton onOpen={() => setIsOver(false)} />;
  const end = (): void => {
    readerStorage.setItem(rememberedAs, "over");
    setIsOver(true);
  };
  return <OpenGuide onEnd={end} />;
}

/** A button and a command that open the closed guide. */
function GuideButton({ onOpen }: { readonly onOpen: () => void }) {
  const commands = useMemo<Command[]>(
    () => [{ id: "guide", group: "Everywhere", label: "Open the guided incident", run: onOpen }],
    [onOpen],
  );
  useCommands(commands);
  return (
    <IntoSlot name="end">
      <Button
        look="quiet"
        data-testid="guide-open"
        aria-label="Guided incident"
        title="Guided incident"
        onClick={onOpen}
      >
        <Compass size={16} />
      </Button>
    </IntoSlot>
  );
}

function OpenGuide({ onEnd }: { readonly onEnd: () => void }) {
  const { steps, at, offer, start, go } = useGuide(onEnd);
  const step = at === null ? undefined : steps[at];
  return (
    <section
      data-print="no"
      className={styles.guide}
      aria-label="Guided incident"
      data-testid="guide"
    >
      <span className={styles.text} role="status">
        {step === undefined || at === null ? (
          offer
        ) : (
          <>
            <b>
              {at + 1} of {steps.length} · {step.title}.
            </b>{" "}
            {step.text}
          </>
        )}
      </span>
      {at === null ? (
        <Button data-testid="guide-start" onClick={() => void start()}>
          Show me
        </Button>
      ) : (
        <Button data-testid="guide-next" onClick={() => go(at + 1, steps)}>
          {at + 1 === steps.length ? "Done" : "Next"}
        </Button>
      )}
      <Button look="quiet" aria-label="Close the guide" title="Close the guide" onClick={onEnd}>
        <X size={14} />
      </Button>
    </section>
  );
}

/** The steps of the guide: none before `start` has found an incident. */
function useGuide(onEnd: () => void) {
  const { session, state, dispatch } = useFormQuery();
  const [steps, setSteps] = useState<readonly GuideStep[]>([]);
  /** null: offered, not started. */
  const [at, setAt] = useState<number | null>(null);
  const [offer, setOffer] = useState("New here? Five steps from a spike to its cause.");
  const go = (index: number, all: readonly GuideStep[]): void => {
    const step = all[index];
    if (step === undefined) onEnd();
    else {
      setAt(index);
      dispatch({ kind: "open", state: step.apply(state) });
    }
  };
  const start = async (): Promise<void> => {
    setOffer("Looking for the newest incident…");
    try {
      const incident = await findIncident(session.client, state.table);
      if (incident === null) setOffer("The last four hours have no incident. Try again later.");
      else {
        const found = guideSteps(incident);
        setSteps(found);
        go(0, found);
      }
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setOffer(error.message);
    }
  };
  return { steps, at, offer, start, go };
}
