import { useCallback, useEffect, useMemo, useState } from "react";

/** How long kiosk shows a section before the next one. */
const rotateMs = 20_000;

export interface Kiosk {
  readonly isOn: boolean;
  /** The only section that is shown; null: all. */
  readonly section: number | null;
  readonly start: () => void;
  readonly stop: () => void;
}

/** The tiles alone, one section after another; Escape, or leaving full screen, ends it. */
export function useKiosk(sections: number): Kiosk {
  const [at, setAt] = useState<number | null>(null);
  const isOn = at !== null;
  const start = useCallback((): void => {
    setAt(0);
    // A browser may refuse full screen: the tiles still have the whole window.
    document.documentElement.requestFullscreen?.().catch(() => undefined);
  }, []);
  const stop = useCallback((): void => {
    setAt(null);
    if (document.fullscreenElement !== null) void document.exitFullscreen();
  }, []);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setAt((now) => (now ?? 0) + 1), rotateMs);
    const onChange = (): void => {
      if (document.fullscreenElement === null) setAt(null);
    };
    document.addEventListener("fullscreenchange", onChange);
    return () => {
      clearInterval(timer);
      document.removeEventListener("fullscreenchange", onChange);
    };
  }, [isOn]);
  const section = at === null || sections < 2 ? null : at % sections;
  return useMemo(() => ({ isOn, section, start, stop }), [isOn, section, start, stop]);
}
