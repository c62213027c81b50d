import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** The family of both files. */
export const fontFamily = "Inter";

/** Files of the font; from this weight on the bold one is used. */
export const fontFiles = {
  regular: require.resolve("@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf"),
  bold: require.resolve("@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf"),
} as const;
export const boldFrom = 600;
