import { Command, Keyboard, Moon, Sun } from "lucide-react";
import { Suspense } from "react";
import { useStore } from "zustand";
import { printKey } from "../command/command.js";
import type { Session } from "../session/session.js";
import { Button } from "../ui/button/Button.js";
import { lazyPart } from "../ui/lazy/lazyPart.js";
import { Slot } from "../ui/page/Slot.js";
import styles from "./app.module.css";
import { keyboard } from "./platform.js";
import type { Route } from "./route.js";
import { screens } from "./screens.js";
import { theme, toggleTheme } from "./theme.js";

const WhoMenu = lazyPart(async () => (await import("../screen/signin/WhoMenu.js")).WhoMenu);

export interface HeaderProps {
  readonly session: Session;
  readonly shown: Route["screen"];
  /** The address of the current query. */
  readonly exploreUrl: string;
  readonly onPalette: () => void;
  readonly onKeys: () => void;
}

export function Header({ session, shown, exploreUrl, onPalette, onKeys }: HeaderProps) {
  const { me } = useStore(session.who);
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
        title={`Commands ( ${printKey("mod+k", keyboard)} )`}
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
      <Suspense>{me?.kind === "user" && <WhoMenu who={session.who} me={me} />}</Suspense>
    </header>
  );
}

interface ScreenLinksProps extends Pick<HeaderProps, "shown" | "exploreUrl"> {
  /** A narrow window shows the links at the bottom. */
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
