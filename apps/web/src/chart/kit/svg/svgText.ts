/** What XML has no way to say: most control characters and halves of surrogate pairs. */
const unspeakable = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** A text that a document of XML can hold; what it cannot is shown as missing. */
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
