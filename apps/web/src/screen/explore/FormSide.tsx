import { X } from "lucide-react";
import type { CSSProperties } from "react";
import { Button } from "../../ui/button/Button.js";
import styles from "./ExploreScreen.module.css";
import { FormPanel, type FormPanelProps } from "./form/FormPanel.js";
import { useFormWidth } from "./useFormWidth.js";

export interface FormSideProps extends FormPanelProps {
  /** On a narrow screen the form is a drawer. */
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The form, as wide as the reader likes it; a drawer where there is no room beside the answer. */
export function FormSide({ open, onClose, ...panel }: FormSideProps) {
  const { width, min, max, separator } = useFormWidth();
  return (
    <>
      <aside
        className={styles.form}
        data-print="no"
        data-open={open}
        style={{ "--form-width": `${width}px` } as CSSProperties}
        aria-label="Question"
      >
        <Button
          look="quiet"
          className={styles.closeDrawer ?? ""}
          aria-label="Close the form"
          onClick={onClose}
        >
          <X size={16} />
        </Button>
        <FormPanel {...panel} />
      </aside>
      {/* biome-ignore lint/a11y/useSemanticElements: a line that can be dragged, not a break in a text */}
      <div
        role="separator"
        data-print="no"
        aria-label="Width of the form"
        aria-orientation="vertical"
        aria-valuenow={width}
        aria-valuemin={min}
        aria-valuemax={max}
        tabIndex={0}
        className={styles.separator}
        {...separator}
      />
      {open && (
        <button
          type="button"
          className={styles.veil}
          aria-label="Close the form"
          onClick={onClose}
        />
      )}
    </>
  );
}
