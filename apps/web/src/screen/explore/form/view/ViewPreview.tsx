import type { PreviewNumbers } from "../../../../chart/spec/previewNumbers.js";
import { previewHeight, previewWidth } from "../../../../chart/spec/previews.js";
import type { ViewSpec } from "../../../../chart/spec/viewSpec.js";
import styles from "./ViewPicker.module.css";

/** The current answer about as this view would show it; null where a few numbers are not enough. */
export function previewOf({ preview }: ViewSpec, numbers: PreviewNumbers) {
  const path = preview?.pathOf(numbers) ?? null;
  if (path === null) return null;
  return (
    <svg
      className={styles.preview}
      viewBox={`0 0 ${previewWidth} ${previewHeight}`}
      data-filled={preview?.isFilled}
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}
