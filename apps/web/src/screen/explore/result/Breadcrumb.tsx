import { Redo2, Undo2 } from "lucide-react";
import { Fragment } from "react";
import { distinctKeys } from "../../../format/name.js";
import { useFormQuery } from "../../../panel/formQuery.js";
import { Button } from "../../../ui/button/Button.js";
import styles from "./Breadcrumb.module.css";
import { type Step, stepsOf } from "./steps.js";

export interface BreadcrumbProps {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** A step per filter, from all rows to the shown ones; a click goes back to that step. */
export function Breadcrumb({ canUndo, canRedo, onUndo, onRedo }: BreadcrumbProps) {
  const { state, dispatch } = useFormQuery();
  const steps = stepsOf(state.filters);
  const keys = distinctKeys(steps.map(({ label }) => label));
  return (
    <nav className={styles.bar} aria-label="Steps" data-testid="breadcrumb">
      <div className={styles.steps}>
        {steps.map((one, i) => (
          <Fragment key={keys[i]}>
            {i > 0 && (
              <span aria-hidden="true" className={styles.arrow}>
                ›
              </span>
            )}
            <StepButton
              step={one}
              current={i === steps.length - 1}
              onBack={() => dispatch({ kind: "keep steps", count: one.count })}
            />
          </Fragment>
        ))}
      </div>
      <Button
        look="quiet"
        disabled={!canUndo}
        aria-label="Undo"
        title="Undo ( Alt ← )"
        onClick={onUndo}
      >
        <Undo2 size={15} />
      </Button>
      <Button
        look="quiet"
        disabled={!canRedo}
        aria-label="Redo"
        title="Redo ( Alt → )"
        onClick={onRedo}
      >
        <Redo2 size={15} />
      </Button>
    </nav>
  );
}

interface StepButtonProps {
  readonly step: Step;
  readonly current: boolean;
  readonly onBack: () => void;
}

function StepButton({ step: { label }, current, onBack }: StepButtonProps) {
  return (
    <button
      type="button"
      className={styles.step}
      aria-current={current ? "step" : undefined}
      title={current ? label : `Back to ${label}`}
      onClick={onBack}
    >
      {label}
    </button>
  );
}
