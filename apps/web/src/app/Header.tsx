import { Command, Keyboard, Moon, Sun } from "lucide-react";
import { useStore } from "zustand";
import { Button } from "../ui/button/Button.js";
import { Slot } from "../ui/page/Slot.js";
import styles from "./app.module.css";
import { isMac } from "./platform.js";
import type { Route } from "./route.js";
import { screens } from "./screens.js";
import { theme, toggleTheme } from "./theme.js";

export interface HeaderProps {
  readonly shown: Route["screen"];
  /** Where the present question is; the way back to it from other screens. */
  readonly exploreUrl: string;
  readonly onPalette: () => void;
  readonly onKeys: () => void;
}

export function Header({ shown, exploreUrl, onPalette, onKeys }: HeaderProps) {
  const themeName = useStore(theme).name;
  return (
    <header data-print="no" className={styles.header}>
      <a href="/" className={styles.brand} aria-label="Hadal">
        <img src="/favicon.svg" alt="" width={20} height={20} />
        <span className={styles.wideOnly}>Hadal</span>
      </a>
      <ScreenLinks shown={shown} exploreUrl={exploreUrl} place="top" />
      <Slot name="start" className={styles.slot} />
      <span className={styles.grow} />
      <Slot name="end" className={styles.slot} />
      <Button
        look="quiet"
        data-testid="palette-button"
        aria-label="Commands"
        title={`Commands ( ${isMac ? "⌘" : "Ctrl"} K )`}
        onClick={onPalette}
      >
        <Command size={16} />
      </Button>
      <Button
        look="quiet"
        aria-label="Keys"
        title="Keys ( ? )"
        className={styles.wideOnly ?? ""}
        onClick={onKeys}
      >
        <Keyboard size={16} />
      </Button>
      <Button
        look="quiet"
        data-testid="theme"
        aria-label={themeName === "dark" ? "Light theme" : "Dark theme"}
        title={themeName === "dark" ? "Light theme" : "Dark theme"}
        onClick={toggleTheme}
      >
        {themeName === "dark" ? <Sun size={16} /> : <Moon size={16} />}
      </Button>
    </header>
  );
}

interface ScreenLinksProps extends Pick<HeaderProps, "shown" | "exploreUrl"> {
  /** On a narrow window they are at the bottom, within reach of a thumb. */
  readonly place: "top" | "bottom";
}

export function ScreenLinks({ shown, exploreUrl, place }: ScreenLinksProps) {
  return (
    <nav className={styles.screens} data-place={place} aria-label="Screens">
      {screens.map(({ screen, name, path, Icon }) => (
        <a
          key={screen}
          href={screen === "explore" ? exploreUrl : path}
          aria-current={screen === shown ? "page" : undefined}
        >
          {place === "bottom" && <Icon size={18} aria-hidden="true" />}
          {name}
        </a>
      ))}
    </nav>
  );
}
