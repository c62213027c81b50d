import { useMemo } from "react";
import { renderMarkdown } from "./markdown.js";
import styles from "./tile.module.css";

/** Markdown; what looks like HTML is shown as text. */
export function TextTileView({ text }: { readonly text: string }) {
  const html = useMemo(() => ({ __html: renderMarkdown(text) }), [text]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the renderer escapes all HTML of the text
  return <div className={styles.text} data-testid="tile-text" dangerouslySetInnerHTML={html} />;
}
