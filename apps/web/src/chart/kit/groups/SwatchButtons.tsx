import { Eye, EyeOff } from "lucide-react";
import type { MouseEvent } from "react";
import { colorOfHue, symbolOf } from "../paint/color.js";
import styles from "./GroupTable.module.css";

/** Which lines of a chart its legend shows, and how to choose. */
export interface LineToggles {
  readonly isDrawn: (key: string) => boolean;
  readonly isAlone: (key: string) => boolean;
  readonly onIsolate: (key: string) => void;
  readonly onToggle: (key: string) => void;
}

export interface SwatchButtonsProps {
  readonly lineKey: string;
  readonly name: string;
  readonly hue: number;
  readonly toggles: LineToggles;
}

export interface SwatchProps {
  readonly hue: number;
  readonly isHidden?: boolean;
}

/** The colour of a line, in the shape of its symbol. */
export const Swatch = ({ hue, isHidden = false }: SwatchProps) => (
  <i
    className={styles.swatch}
    data-symbol={symbolOf(hue)}
    data-hidden={isHidden}
    style={{ background: colorOfHue(hue) }}
  />
);

/** The colour of a line: shows it alone, with Shift, Ctrl or Cmd hides it, as the eye beside it does. */
export function SwatchButtons({ lineKey, name, hue, toggles }: SwatchButtonsProps) {
  const [isDrawn, isAlone] = [toggles.isDrawn(lineKey), toggles.isAlone(lineKey)];
  const pick = (event: MouseEvent<HTMLButtonElement>): void => {
    // The cell around it opens the menu of the group.
    event.stopPropagation();
    const hides = event.shiftKey || event.ctrlKey || event.metaKey;
    if (hides) toggles.onToggle(lineKey);
    else toggles.onIsolate(lineKey);
  };
  return (
    <span className={styles.toggles}>
      <button
        type="button"
        className={styles.toggle}
        data-testid="isolate-line"
        aria-pressed={isAlone}
        aria-label={`Show ${name} alone`}
        title={isAlone ? "Show all lines" : "Show this line alone ( ⇧ hides it )"}
        onClick={pick}
      >
        <Swatch hue={hue} isHidden={!isDrawn} />
      </button>
      <button
        type="button"
        className={styles.toggle}
        data-testid="hide-line"
        data-quiet={isDrawn}
        aria-pressed={!isDrawn}
        aria-label={`Hide ${name}`}
        title={isDrawn ? "Hide this line" : "Show this line"}
        // The colour does the same with Shift: one stop of the Tab key to a line.
        tabIndex={-1}
        onClick={(event) => {
          event.stopPropagation();
          toggles.onToggle(lineKey);
        }}
      >
        {isDrawn ? <Eye size={14} /> : <EyeOff size={14} />}
      </button>
    </span>
  );
}
