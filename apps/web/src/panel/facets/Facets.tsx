import { Suspense, useState } from "react";
import { lazyPart } from "../../ui/lazy/lazyPart.js";
import { useFormQuery } from "../formQuery.js";
import type { FacetListProps } from "./FacetList.js";

const FacetList = lazyPart(async () => (await import("./FacetList.js")).FacetList);

/** The table's columns. They wait for the first answer or error, which matters more. */
export function Facets(props: FacetListProps) {
  const { problem } = useFormQuery();
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
