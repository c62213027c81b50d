import styles from "./linkTabs.module.css";

export interface LinkTabsProps {
  /** `tab`: what the address names. */
  readonly tabs: readonly { readonly tab: string; readonly name: string; readonly path: string }[];
  /** The one that is shown. */
  readonly tab: string;
}

/** The parts of a screen, each with an address of its own. */
export function LinkTabs({ tabs, tab }: LinkTabsProps) {
  return (
    <nav className={styles.tabs} aria-label="Parts of this screen">
      {tabs.map((one) => (
        <a key={one.tab} href={one.path} aria-current={one.tab === tab ? "page" : undefined}>
          {one.name}
        </a>
      ))}
    </nav>
  );
}
