import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import type { ColumnInfo } from "@hadal/sdk";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import styles from "./functions.module.css";

/** Where in the source something is wrong; line and column count from 1. */
export interface SourceFault {
  readonly line: number;
  readonly column: number;
  readonly detail: string;
}

export interface CodeEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly columns: readonly ColumnInfo[];
  readonly faults: readonly SourceFault[];
  readonly onRun: () => void;
}

/** JavaScript with the columns of the table behind `row.`, and faults where they are. */
export function CodeEditor(props: CodeEditorProps) {
  const hostRef = useRef<HTMLDivElement>(null);
  const viewRef = useRef<EditorView | null>(null);
  const current = useRef(props);
  current.current = props;

  useEffect(() => {
    const host = hostRef.current;
    if (host === null) return;
    // The page's policy forbids style elements; in a tree of its own the editor uses style sheets instead.
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    const view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: current.current.value,
        extensions: extensionsOf(() => current.current),
      }),
    });
    viewRef.current = view;
    return () => {
      view.destroy();
      viewRef.current = null;
    };
  }, []);

  useEffect(() => {
    const view = viewRef.current;
    if (view === null) return;
    const found = props.faults.map((fault) => diagnosticOf(fault, view.state));
    view.dispatch(setDiagnostics(view.state, found));
  }, [props.faults]);

  return <div ref={hostRef} className={styles.editor} data-editor data-testid="code-editor" />;
}

function extensionsOf(now: () => CodeEditorProps): Extension[] {
  return [
    lineNumbers(),
    history(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    javascript(),
    syntaxHighlighting(highlight),
    autocompletion({ override: [(context) => completeColumns(context, now().columns)] }),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": "Source of the function", tabindex: "0" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) now().onChange(update.state.doc.toString());
    }),
    keymap.of([
      {
        key: "Mod-Enter",
        run: () => {
          now().onRun();
          return true;
        },
      },
      ...completionKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    look,
  ];
}

/** Behind `row.` the columns; names that need quotes come as `row["…"]`. */
function completeColumns(
  context: CompletionContext,
  columns: readonly ColumnInfo[],
): CompletionResult | null {
  const typed = context.matchBefore(/\brow\??\.[\p{L}\p{N}_$]*/u);
  if (typed === null) return null;
  const dot = typed.from + typed.text.indexOf(".");
  return {
    from: dot + 1,
    options: columns.map(({ name, type, decimals }) => ({
      label: name,
      type: "property",
      detail: decimals > 0 ? "decimal" : type,
      ...(/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)
        ? {}
        : {
            apply: (view: EditorView, _completion: unknown, _from: number, to: number) =>
              view.dispatch({ changes: { from: dot, to, insert: `[${JSON.stringify(name)}]` } }),
          }),
    })),
  };
}

function diagnosticOf({ line, column, detail }: SourceFault, { doc }: EditorState): Diagnostic {
  const at = doc.line(Math.min(Math.max(1, line), doc.lines));
  const from = Math.min(at.from + Math.max(0, column - 1), at.to);
  const word = /^[\p{L}\p{N}_$]+/u.exec(doc.sliceString(from, at.to))?.[0].length ?? 1;
  return { from, to: Math.min(from + word, doc.length), severity: "error", message: detail };
}

// Shadow trees inherit the page's variables: the editor changes its theme with it.
const highlight = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--series-4)" },
  { tag: [tags.string, tags.regexp], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--more)" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName)],
    color: "var(--accent)",
  },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", backgroundColor: "var(--ground)", color: "var(--ink)" },
  // The frame around it shows the focus.
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "20px" },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--quiet)", border: "none" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    {
      backgroundColor: "var(--accent-wash)",
    },
  ".cm-tooltip": {
    backgroundColor: "var(--ground)",
    border: "1px solid var(--hairline)",
    color: "var(--ink)",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--touched)",
    color: "var(--ink)",
  },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--bad)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
  },
});
