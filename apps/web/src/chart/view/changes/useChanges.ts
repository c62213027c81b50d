import { bigintAsText, HadalError, type WhatChanged, type WhatChangedRequest } from "@hadal/sdk";
import { useEffect, useState } from "react";
import type { ViewProps } from "../../kit/props/viewProps.js";

export interface Changes {
  /** The newest answer, whole or not; the old one stays until the first of the new. */
  readonly answer: WhatChanged | null;
  readonly problem: HadalError | null;
}

/** Sends each new request, and again after each newer result; aborts when the view is closed. */
export function useChanges(
  whatChanged: ViewProps["whatChanged"],
  request: WhatChangedRequest | null,
  asOf: number,
): Changes {
  const [changes, setChanges] = useState<Changes>({ answer: null, problem: null });
  const text = JSON.stringify(request, bigintAsText);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the request is the same while its text is; `asOf` asks again
  useEffect(() => {
    if (request === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    const show = (answer: WhatChanged): void => {
      if (!signal.aborted) setChanges({ answer, problem: null });
    };
    whatChanged(request, { signal, onPartial: show }).then(show, (error: unknown) => {
      if (signal.aborted) return;
      if (!(error instanceof HadalError)) throw error;
      setChanges(({ answer }) => ({ answer, problem: error }));
    });
    return () => controller.abort();
  }, [whatChanged, text, asOf]);
  return changes;
}
