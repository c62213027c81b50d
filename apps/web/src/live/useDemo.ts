import { type DemoInfo, type HadalClient, HadalError } from "@hadal/sdk";
import { useEffect, useState } from "react";

const askEveryMs = 1_000;

/** How far the demo's history has come, asked until it is whole; null: there is none, or it is not wanted. */
export function useDemo(client: HadalClient, isWanted: boolean): DemoInfo | null {
  const [demo, setDemo] = useState<DemoInfo | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let isOver = false;
    const ask = async (): Promise<void> => {
      const found = await client.status().then(({ demo: told }) => told, whenAway);
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

/** Whether more of its history will come. */
export const isLoading = (demo: DemoInfo | null): boolean =>
  demo !== null && demo.fraction < 1 && demo.problem === null;

function whenAway(error: unknown): "away" {
  if (error instanceof HadalError) return "away";
  throw error;
}
