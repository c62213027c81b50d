/** Style of the page that describes the interface; a separate file, since style elements are forbidden. */
export const docsStyle = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #0b6bcb; }
@media (prefers-color-scheme: dark) { :root { --accent: #6cb6ff; } }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
main, header { max-width: 60rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 2rem; }
a { color: var(--accent); }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
section { margin: 2.5rem 0; }
h3 { margin: 0 0 .5rem; font: 600 1rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
h3 b { display: inline-block; min-width: 4.5rem; color: var(--accent); }
h4 { margin: 1rem 0 .25rem; font-size: .875rem; }
code, pre { font: .8125rem/1.5 ui-monospace, monospace; }
code { background: var(--soft); padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--soft); padding: .75rem 1rem; border-radius: 8px; overflow-x: auto; }
pre code { background: none; padding: 0; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
nav ul { columns: 2; padding: 0; list-style: none; }
nav li { break-inside: avoid; }
summary { cursor: pointer; }
@media (max-width: 40rem) { nav ul { columns: 1; } main, header { padding: 0 1rem; } }
`;
