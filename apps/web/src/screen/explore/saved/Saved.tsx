import { Suspense, useState } from "react";
import { useStore } from "zustand";
import type { ExploreStore } from "../../../draft/history/store.js";
import { useFormQuery } from "../../../panel/formQuery.js";
import { lazyPart } from "../../../ui/lazy/lazyPart.js";
import { saveRequest } from "./saveRequest.js";

const SavedQuery = lazyPart(async () => (await import("./SavedQuery.js")).SavedQuery);

/** The line of the saved query and the dialogs that save; loaded when there is one or one is wanted. */
export function Saved({ store }: { readonly store: ExploreStore }) {
  const { saved } = useFormQuery().state;
  const { kind } = useStore(saveRequest);
  const [used, setUsed] = useState(false);
  if (!used && (saved !== null || kind !== null)) setUsed(true);
  return <Suspense>{used && <SavedQuery store={store} />}</Suspense>;
}
