import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { javascript } from "@codemirror/lang-javascript";
import type { EditorView } from "@codemirror/view";
import type { ColumnInfo } from "@hadal/sdk";
import { CodeEditor, type CodeFault } from "../../ui/code/CodeEditor.js";

const language = javascript();

export interface SourceEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly columns: readonly ColumnInfo[];
  readonly faults: readonly CodeFault[];
  readonly onRun: () => void;
}

/** A JavaScript editor that completes the columns after `row.` and marks faults. */
export function SourceEditor({ value, onChange, columns, faults, onRun }: SourceEditorProps) {
  return (
    <CodeEditor
      label="Source of the function"
      testId="code-editor"
      value={value}
      language={language}
      faults={faults}
      complete={(context) => completeColumns(context, columns)}
      isProgram
      onChange={onChange}
      onSubmit={onRun}
    />
  );
}

/** Completes the columns after `row.`; a name that needs quotes becomes `row["…"]`. */
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
