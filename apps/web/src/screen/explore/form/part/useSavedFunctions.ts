import type { FunctionKind, UserFunction } from "@hadal/sdk";
import { useEffect, useState } from "react";
import { useExplore } from "../../explore.js";

const none: readonly UserFunction[] = [];

/** Functions that were saved, and the examples; none until they are read, or where the server has none. */
export function useSavedFunctions(kind: FunctionKind): readonly UserFunction[] {
  const { session } = useExplore();
  const [known, setKnown] = useState(none);
  useEffect(() => {
    let current = true;
    session.client.functions().then(
      (all) => current && setKnown(all.filter((one) => one.kind === kind)),
      // The form works without them; the server rejects a query that names an unknown one.
      () => current && setKnown(none),
    );
    return () => {
      current = false;
    };
  }, [session, kind]);
  return known;
}
