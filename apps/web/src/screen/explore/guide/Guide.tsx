import { X } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../ui/Button.js";
import { readerStorage } from "../../../ui/browserStorage.js";
import { useExplore } from "../explore.js";
import styles from "./Guide.module.css";
import { canGuide, guideSteps } from "./guideSteps.js";

const rememberedAs = "hadal guide";

/** Offers newcomers five steps through an incident of the demo table; once refused or gone through, never again. */
export function Guide() {
  const { state, columns, dispatch } = useExplore();
  const [isOver, setIsOver] = useState(() => readerStorage.getItem(rememberedAs) !== null);
  /** null: only offered. */
  const [at, setAt] = useState<number | null>(null);
  if (isOver || !canGuide(state.table, columns)) return null;
  const end = (): void => {
    readerStorage.setItem(rememberedAs, "over");
    setIsOver(true);
  };
  const go = (index: number): void => {
    const step = guideSteps[index];
    if (step === undefined) end();
    else {
      setAt(index);
      dispatch({ kind: "open", state: step.apply(state) });
    }
  };
  const step = at === null ? undefined : guideSteps[at];
  return (
    <section className={styles.guide} aria-label="Guided incident" data-testid="guide">
      {step === undefined || at === null ? (
        <>
          <span className={styles.text}>New here? Five steps from a spike to its cause.</span>
          <Button data-testid="guide-start" onClick={() => go(0)}>
            Show me
          </Button>
        </>
      ) : (
        <>
          <span className={styles.text} role="status">
            <b>
              {at + 1} of {guideSteps.length} · {step.title}.
            </b>{" "}
            {step.text}
          </span>
          <Button data-testid="guide-next" onClick={() => go(at + 1)}>
            {at + 1 === guideSteps.length ? "Done" : "Next"}
          </Button>
        </>
      )}
      <Button look="quiet" aria-label="No more of this" title="No more of this" onClick={end}>
        <X size={14} />
      </Button>
    </section>
  );
}
