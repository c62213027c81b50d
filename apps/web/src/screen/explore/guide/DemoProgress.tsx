import type { DemoInfo } from "@hadal/sdk";
import { formatCompact } from "../../../format/number.js";
import { Meter } from "../../../ui/button/Meter.js";
import styles from "./Guide.module.css";

/** How much of the demo's history is there; what is there can be asked meanwhile. */
export function DemoProgress({ demo }: { readonly demo: DemoInfo }) {
  const percent = Math.floor(demo.fraction * 100);
  return (
    <section className={styles.guide} aria-label="The demo's history" data-testid="demo-progress">
      <Meter label="History written" share={demo.fraction} warnFrom={2} />
      <span className={styles.text} role="status">
        {demo.problem === null
          ? `${percent} % of the demo’s ten days are written (${formatCompact(demo.rows)} rows), the last hours first. What is there is shown.`
          : `The demo has ended at ${percent} % of its history: ${demo.problem}`}
      </span>
    </section>
  );
}
