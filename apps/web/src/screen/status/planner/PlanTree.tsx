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
          <Row key={row.label} row={row} index={index} isLast={index === rows.length - 1} />
        ))}
      </svg>
    </div>
  );
}

interface RowProps {
  readonly row: TreeRow;
  readonly index: number;
  readonly isLast: boolean;
}

function Row({ row: { places, parents }, index, isLast }: RowProps) {
  const y = (index + 0.5) * rowHeight;
  return (
    <>
      {places.map((place, i) => {
        const parent = parents[i];
        return (
          parent !== undefined && (
            <line
              key={place}
              className={styles.edge}
              {...{ x1: `${parent}%`, y1: y - rowHeight, x2: `${place}%`, y2: y }}
            />
          )
        );
      })}
      {places.map((place) => (
        <circle
          key={place}
          className={isLast ? styles.leaf : styles.node}
          {...{ cx: `${place}%`, cy: y, r: isLast ? 3 : 5 }}
        />
      ))}
    </>
  );
}
