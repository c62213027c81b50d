/** `ops, dev` → `["ops", "dev"]`, each once. */
export const readNames = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean),
  ),
];
