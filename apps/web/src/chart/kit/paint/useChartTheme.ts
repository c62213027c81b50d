import { useMemo } from "react";
import { type ChartTheme, readChartTheme } from "./theme.js";

/** The page's tokens for charts, read anew when the theme's name changes. */
export function useChartTheme(themeName: string): ChartTheme {
  // The compiler does not see that the tokens go with the name.
  "use no memo";
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read from the page changes with the name
  return useMemo(() => readChartTheme(document.body), [themeName]);
}
