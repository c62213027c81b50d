import { Suspense, useState } from "react";
import { lazyPart } from "../../../ui/lazy/lazyPart.js";
import { useExplore } from "../explore.js";
import type { FacetListProps } from "./FacetList.js";

const FacetList = lazyPart(async () => (await import("./FacetList.js")).FacetList);

/** The table's columns, from when the first question is answered or refused: that answer is what one waits for. */
export function Facets(props: FacetListProps) {
  const { problem } = useExplore();
  const isDue = props.settled || problem !== null;
  const [shown, setShown] = useState(isDue);
  if (isDue && !shown) setShown(true);
  if (!shown) return null;
  return (
    <Suspense>
      <FacetList {...props} />
    </Suspense>
  );
}
