import { createElement, useEffect, useState } from "react";
import styles from "./embed.module.css";

export interface EmbedElementProps {
  readonly src: string;
  readonly token: string;
  readonly title: string;
}

/** The element itself, by the script that other pages load too. */
export function EmbedElement({ src, token, title }: EmbedElementProps) {
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    // Not a part of this bundle: its address is the same for every page.
    import(/* @vite-ignore */ `${src}/embed/hadal-chart.js`).catch((error: Error) =>
      setProblem(error.message),
    );
  }, [src]);
  return (
    <section className={styles.element} aria-label={`Embed: ${title}`} data-testid="embed-element">
      {problem === null ? createElement("hadal-chart", { src, token }) : <p>{problem}</p>}
    </section>
  );
}
