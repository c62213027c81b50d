import type { DemoInfo } from "@hadal/sdk";
import { formatCompact } from "../../../format/number.js";
import { Meter } from "../../../ui/button/Meter.js";
import styles from "./Guide.module.css";

/** The progress of writing the demo's history; rows already written can be queried. */
export function DemoProgress({ demo }: { readonly demo: DemoInfo }) {
  const percent = Math.floor(demo.fraction * 100);
  return (
    <section className={styles.guide} aria-label="The demo's history" data-testid="demo-progress">
      <Meter label="History written" share={demo.fraction} warnFrom={2} />
      <span className={styles.text} role="status">
        {demo.problem === null
          ? `${percent} % of the demo’s ten days are written (${formatCompact(demo.rows)} rows), the last hours first. Rows already written are shown.`
          : `The demo stopped at ${percent} % of its history: ${demo.problem}`}
      </span>
    </section>
  );
}
