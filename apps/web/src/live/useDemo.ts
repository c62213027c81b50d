import { type DemoInfo, type HadalClient, HadalError } from "@hadal/sdk";
import { useEffect, useState } from "react";

const askEveryMs = 1_000;

/** Progress of the demo's history, polled until it is complete; null: there is none, or it is not wanted. */
export function useDemo(
  client: HadalClient,
  { isWanted }: { readonly isWanted: boolean },
): DemoInfo | null {
  const [demo, setDemo] = useState<DemoInfo | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let isOver = false;
    const ask = async (): Promise<void> => {
      const found = await client.status().then((status) => status.demo, whenAway);
      if (isOver) return;
      if (found !== "away") setDemo(found);
      if (found === "away" || isLoading(found)) timer = setTimeout(() => void ask(), askEveryMs);
    };
    void ask();
    return () => {
      isOver = true;
      if (timer !== null) clearTimeout(timer);
    };
  }, [client, isWanted]);
  return isWanted ? demo : null;
}

/** Whether more of its history will arrive. */
export const isLoading = (demo: DemoInfo | null): boolean =>
  demo !== null && demo.fraction < 1 && demo.problem === null;

function whenAway(error: unknown): "away" {
  if (error instanceof HadalError) return "away";
  throw error;
}
