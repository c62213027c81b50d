import { X } from "lucide-react";
import type { CSSProperties } from "react";
import { FormPanel, type FormPanelProps } from "../../panel/form/FormPanel.js";
import { Button } from "../../ui/button/Button.js";
import styles from "./ExploreScreen.module.css";
import { useFormWidth } from "./useFormWidth.js";

export interface FormSideProps extends FormPanelProps {
  /** On a narrow screen the form is a drawer. */
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The form with an adjustable width; a drawer on a narrow screen. */
export function FormSide({ open, onClose, ...panel }: FormSideProps) {
  const { width, min, max, separator } = useFormWidth();
  return (
    <>
      <aside
        className={styles.form}
        data-print="no"
        data-open={open}
        style={{ "--form-width": `${width}px` } as CSSProperties}
        aria-label="Query"
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
      {/* biome-ignore lint/a11y/useSemanticElements: it can be dragged, which an hr cannot */}
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
