/** A word longer than a line is cut. */
const lettersMax = 400;

/** The lines of a text, broken between words. */
export function wrapText(
  text: string,
  widthPx: number,
  widthOf: (text: string) => number,
): string[] {
  return text.split("\n").flatMap((paragraph) => {
    const lines: string[] = [];
    let line = "";
    for (const word of paragraph.split(/\s+/).map((one) => one.slice(0, lettersMax))) {
      const longer = line === "" ? word : `${line} ${word}`;
      if (line !== "" && widthOf(longer) > widthPx) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    return [...lines, line];
  });
}
