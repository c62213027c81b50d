import type { ClusterPlan } from "@hadal/sdk";
import styles from "./planner.module.css";
import { drawTree, type TreeRow } from "./treeDrawing.js";

const rowHeight = 44;

/** The levels of the tree, drawn. */
export function PlanTree({ plan }: { readonly plan: ClusterPlan }) {
  const rows = drawTree(plan);
  return (
    <div className={styles.tree}>
      <ol className={styles.levels} data-testid="plan-levels">
        {rows.map(({ label }) => (
          <li key={label} style={{ height: rowHeight }}>
            {label}
          </li>
        ))}
      </ol>
      <svg
        className={styles.drawing}
        height={rows.length * rowHeight}
        role="img"
        aria-label={`The tree: ${rows.map(({ label }) => label).join(", ")}`}
      >
        {rows.map((row, index) => (
          <Edges key={row.label} {...{ row, index }} />
        ))}
        {rows.map((row, index) => (
          <Nodes key={row.label} {...{ row, index }} isLast={index === rows.length - 1} />
        ))}
      </svg>
    </div>
  );
}

interface EdgesProps {
  readonly row: TreeRow;
  readonly index: number;
}

const heightOf = (index: number): number => (index + 0.5) * rowHeight;

function Edges({ row: { places, parents }, index }: EdgesProps) {
  const [y1, y2] = [heightOf(index - 1), heightOf(index)];
  return parents.map((parent, i) => (
    <line
      key={places[i]}
      className={styles.edge}
      {...{ x1: `${parent}%`, y1, x2: `${places[i]}%`, y2 }}
    />
  ));
}

function Nodes({ row: { places }, index, isLast }: EdgesProps & { readonly isLast: boolean }) {
  return places.map((place) => (
    <circle
      key={place}
      className={isLast ? styles.leaf : styles.node}
      {...{ cx: `${place}%`, cy: heightOf(index), r: isLast ? 3 : 5 }}
    />
  ));
}
