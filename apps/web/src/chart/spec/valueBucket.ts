import { exactNumber, type NumberBucket } from "@hadal/sdk";
import { binEdges, suitableScale } from "../../query/group/bins.js";
import { spreadOf } from "./spreadProbe.js";
import type { BuildContext } from "./viewSpec.js";

/** The group of the chosen column by about this many bins, from the probe. */
export function valueBucket(
  { option, probed, columns }: Pick<BuildContext, "option" | "probed" | "columns">,
  wanted: number,
  column = option("value"),
  scaleName = "scale",
): NumberBucket {
  const spread = spreadOf(probed, column);
  const as = `bin of ${column}`;
  if (spread === null) return { bucket: column, scale: "log", as };
  const chosen = option(scaleName);
  const scale = chosen === "log" || chosen === "linear" ? chosen : suitableScale(spread);
  const info = columns.find(({ name }) => name === column);
  const edges = binEdges(spread, {
    scale,
    wanted,
    decimals: info?.decimals ?? 0,
    unit: info?.unit,
  });
  return {
    bucket: column,
    edges: edges.map((edge) => exactNumber(typeof edge === "bigint" ? String(edge) : edge)),
    as,
  };
}
