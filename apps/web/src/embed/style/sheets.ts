const sheets: CSSStyleSheet[] = [];
const roots = new Set<ShadowRoot>();

/** Adds a style sheet to the shadow trees of all charts, those of later ones too. Called by the modules that the build makes of CSS files. @public */
export function addStyles(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  sheets.push(sheet);
  for (const root of roots) root.adoptedStyleSheets.push(sheet);
}

/** Lets a shadow tree have all style sheets, until the returned function is called. */
export function adoptStyles(root: ShadowRoot): () => void {
  root.adoptedStyleSheets = [...sheets];
  roots.add(root);
  return () => {
    roots.delete(root);
  };
}
