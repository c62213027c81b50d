import type { PreviewNumbers } from "../../../chart/spec/previewNumbers.js";
import { previewHeight, previewWidth, type ViewPreview } from "../../../chart/spec/previews.js";
import styles from "./ViewPicker.module.css";

/** A small preview of the answer in this view; null when the view has no preview. */
export function previewOf(preview: ViewPreview | undefined, numbers: PreviewNumbers) {
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
