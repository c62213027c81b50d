import { useEffect, useState } from "react";

/** Counts seconds down, from the instant it is set. */
export function useWait(): readonly [seconds: number, wait: (ms: number) => void] {
  const [untilMs, setUntilMs] = useState(0);
  const [nowMs, setNowMs] = useState(0);
  const seconds = Math.max(0, Math.ceil((untilMs - nowMs) / 1_000));
  const isWaiting = seconds > 0;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => setNowMs(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isWaiting]);
  const wait = (ms: number): void => {
    setNowMs(Date.now());
    setUntilMs(Date.now() + ms);
  };
  return [seconds, wait];
}
