/** Origins of a text, each once: a slash at the end, capitals and a usual port are dropped; what is none stays as it is. */
export const readHosts = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(originOf),
  ),
];

function originOf(text: string): string {
  if (!URL.canParse(text)) return text;
  const { origin, pathname, search, hash, username } = new URL(text);
  const isBare = pathname === "/" && `${search}${hash}${username}` === "" && origin !== "null";
  return isBare ? origin : text;
}
