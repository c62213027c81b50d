import type { FunctionKind, UserFunction } from "@hadal/sdk";
import { useEffect, useState } from "react";
import { useFormQuery } from "../../formQuery.js";

const none: readonly UserFunction[] = [];

/** The functions of a kind, saved and examples; empty until loaded, or after an error. */
export function useSavedFunctions(kind: FunctionKind): readonly UserFunction[] {
  const { session } = useFormQuery();
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
