import { Redo2, Undo2 } from "lucide-react";
import { Fragment } from "react";
import { distinctKeys } from "../../../format/name.js";
import { Button } from "../../../ui/button/Button.js";
import { useExplore } from "../explore.js";
import styles from "./Breadcrumb.module.css";
import { type Step, stepsOf } from "./steps.js";

export interface BreadcrumbProps {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** The way from all rows to these: a step per filter, each leads back to itself. */
export function Breadcrumb({ canUndo, canRedo, onUndo, onRedo }: BreadcrumbProps) {
  const { state, dispatch } = useExplore();
  const steps = stepsOf(state.filters);
  const keys = distinctKeys(steps.map(({ label }) => label));
  const step = ({ label, count }: Step, isLast: boolean) => (
    <button
      type="button"
      className={styles.step}
      aria-current={isLast ? "step" : undefined}
      title={isLast ? label : `Back to ${label}`}
      onClick={() => dispatch({ kind: "keep steps", count })}
    >
      {label}
    </button>
  );
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
            {step(one, i === steps.length - 1)}
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
