import { useMemo } from "react";
import { usePageRoot } from "../../../ui/root/pageRoot.js";
import { type ChartTheme, readChartTheme } from "./theme.js";

/** The page's tokens for charts, read again when the theme changes. */
export function useChartTheme(themeName: string): ChartTheme {
  const root = usePageRoot();
  // The compiler cannot see that the tokens depend on the name.
  ("use no memo");
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read from the page changes with the name
  return useMemo(() => readChartTheme(root), [root, themeName]);
}
