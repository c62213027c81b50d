import {
  autocompletion,
  type CompletionSource,
  closeBrackets,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  type LanguageSupport,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useLayoutEffect, useRef } from "react";

/** An error at a part of the text. */
export interface CodeFault {
  readonly from: number;
  readonly to: number;
  readonly detail: string;
}

export interface CodeEditorProps {
  readonly label: string;
  readonly testId: string;
  readonly value: string;
  readonly language: LanguageSupport;
  readonly faults: readonly CodeFault[];
  /** Completions at the caret. */
  readonly complete?: CompletionSource;
  readonly placeholder?: string;
  /** For programs: line numbers and closing of brackets. */
  readonly isProgram?: boolean;
  readonly onChange: (text: string) => void;
  /** Called on Ctrl+Enter or Cmd+Enter. */
  readonly onSubmit: () => void;
}

/**
 * An editor with colours, completion and marked errors. Tab leaves it; Ctrl+Enter submits.
 * As high as its text, unless `--editor-height` says otherwise.
 */
export function CodeEditor(props: CodeEditorProps) {
  const hostRef = useRef<HTMLDivElement>(null);
  const viewRef = useRef<EditorView | null>(null);
  const now = useRef(props);
  now.current = props;
  const { language, value, faults, label, isProgram } = props;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text goes in by its own effect
  useEffect(() => {
    if (hostRef.current === null) return;
    const view = createView(hostRef.current, now.current, () => now.current);
    viewRef.current = view;
    return () => {
      viewRef.current = null;
      view.destroy();
    };
  }, [language, label, isProgram]);
  // Before the next key: a later update would undo what was typed since.
  useLayoutEffect(() => {
    const view = viewRef.current;
    const shown = view?.state.doc.toString();
    if (view == null || shown === value) return;
    view.dispatch({ changes: { from: 0, to: shown?.length ?? 0, insert: value } });
  }, [value]);
  useEffect(() => {
    const view = viewRef.current;
    if (view === null) return;
    view.dispatch(
      setDiagnostics(
        view.state,
        faults.map((fault) => diagnosticOf(fault, view)),
      ),
    );
  }, [faults]);

  // Keys here are text or the editor's own commands, not commands of the page.
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the editor inside is the control
    <div
      ref={hostRef}
      data-testid={props.testId}
      data-editor
      onKeyDown={(event) => {
        const isText = !event.ctrlKey && !event.metaKey && event.key !== "Escape";
        if (isText || event.isDefaultPrevented()) event.stopPropagation();
      }}
    />
  );
}

/** In a shadow root the styles are constructed sheets, which a strict content security policy allows. */
function createView(
  host: HTMLElement,
  { value, language, label, placeholder: hint, isProgram }: CodeEditorProps,
  now: () => CodeEditorProps,
): EditorView {
  const submit = {
    key: "Mod-Enter",
    run: () => {
      now().onSubmit();
      return true;
    },
  };
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  return new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: value,
      extensions: [
        Prec.highest(keymap.of([submit])),
        history(),
        bracketMatching(),
        autocompletion({
          override: [(context) => now().complete?.(context) ?? null],
          icons: false,
        }),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
        language,
        syntaxHighlighting(colors),
        look,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          "aria-label": label,
          spellcheck: "false",
          tabindex: "0",
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) now().onChange(update.state.doc.toString());
        }),
        ...(hint === undefined ? [] : [placeholder(hint)]),
        ...(isProgram === true ? [lineNumbers(), indentOnInput(), closeBrackets()] : []),
      ],
    }),
  });
}

function diagnosticOf({ from, to, detail }: CodeFault, view: EditorView): Diagnostic {
  const end = view.state.doc.length;
  return { from: Math.min(from, end), to: Math.min(to, end), severity: "error", message: detail };
}

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--accent)" },
  {
    tag: [tags.string, tags.special(tags.string), tags.regexp],
    color: "var(--good)",
  },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--more)" },
  { tag: [tags.propertyName, tags.standard(tags.name)], color: "var(--less)" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
]);

const look = EditorView.theme({
  "&": {
    height: "var(--editor-height, auto)",
    minHeight: "140px",
    maxHeight: "60vh",
    border: "1px solid var(--edge)",
    borderRadius: "var(--radius)",
    background: "var(--ground)",
    color: "var(--ink)",
  },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-1px" },
  ".cm-scroller": { font: "var(--text-value)", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", padding: "6px 0", font: "var(--text-value)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--quiet)", border: "none" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "var(--accent-wash)" },
  ".cm-line": { padding: "0 var(--space-2)" },
  ".cm-placeholder": { color: "var(--quiet)" },
  "&.cm-focused .cm-matchingBracket": { background: "var(--accent-wash)" },
  ".cm-tooltip": {
    border: "1px solid var(--hairline)",
    borderRadius: "var(--radius)",
    background: "var(--ground)",
    color: "var(--ink)",
    boxShadow: "var(--shadow)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { font: "var(--text-value)", maxHeight: "220px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px var(--space-2)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    background: "var(--touched)",
    color: "var(--ink)",
  },
  ".cm-completionDetail": { color: "var(--quiet)", fontStyle: "normal", marginLeft: "12px" },
  ".cm-diagnostic-error": {
    borderLeft: "3px solid var(--bad)",
    font: "var(--text-label)",
    maxWidth: "360px",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
  },
});
