/**
 * Characters that XML cannot contain (most control characters and lone surrogates), and those that reorder the letters
 * around them: a name could read as another.
 */
const unspeakable =
  /[^\t\n\r\u{20}-\u{2029}\u{202F}-\u{2065}\u{206A}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** A text for XML, with a replacement character for each of these. */
export const speakableText = (text: string): string => text.replace(unspeakable, "\u{FFFD}");

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text as content or attribute of XML. */
export const escapeXml = (text: string): string =>
  speakableText(text).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
