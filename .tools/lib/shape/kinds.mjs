import ts from "typescript";
import { visit } from "./functions.mjs";

/**
 * Kinds that a file names in the cases of a `switch` and in comparisons such as `node.kind ===
 * "cast"`: `{ path, kinds }`. A registry may name many; another file that does is a second place to
 * change.
 */
export function listKinds({ path, tree }) {
  const kinds = new Set();
  visit(tree, (node) => {
    if (ts.isCaseClause(node) && ts.isStringLiteral(node.expression)) {
      kinds.add(node.expression.text);
    }
    if (ts.isBinaryExpression(node) && isComparison(node) && ts.isStringLiteral(node.right)) {
      if (/\b(kind|fn|view|format)$/.test(node.left.getText())) kinds.add(node.right.text);
    }
  });
  return { path, kinds: [...kinds] };
}

const comparisons = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
];

const isComparison = ({ operatorToken }) => comparisons.includes(operatorToken.kind);
