import ts from "typescript";

/** Every function with a body: `{ path, line, name, lineCount, parameterCount, booleans }`. */
export function measureFunctions({ path, tree }) {
  const found = [];
  visit(tree, (node) => {
    if (!ts.isFunctionLike(node) || node.body === undefined) return;
    const line = lineAt(tree, node.getStart());
    const parameters = node.parameters.filter((one) => one.name.getText() !== "this");
    found.push({
      path,
      line,
      name: nameOf(node),
      lineCount: lineAt(tree, node.end) - line + 1,
      parameterCount: parameters.length,
      booleans: parameters.filter(isBoolean).map((one) => one.name.getText()),
    });
  });
  return found;
}

/** Members and constructor parameters with TypeScript's `private`; a constructor has no `#` form. */
export function listPrivates({ path, tree }) {
  const found = [];
  visit(tree, (node) => {
    const isPrivate = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
    if (isPrivate && !ts.isConstructorDeclaration(node)) {
      found.push({ path, line: lineAt(tree, node.getStart()), name: node.name?.getText() ?? "" });
    }
  });
  return found;
}

function isBoolean({ type, initializer }) {
  const flags = [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword];
  if (initializer !== undefined && flags.includes(initializer.kind)) return true;
  return /^(bool|boolean)( \| undefined)?$/.test(type?.getText() ?? "");
}

/** Its own name, or that of the variable, property or call that it is given to. */
function nameOf(node) {
  if (node.name !== undefined) return node.name.getText();
  if (ts.isConstructorDeclaration(node)) return "constructor";
  const { parent } = node;
  if (parent.name !== undefined) return parent.name.getText();
  if (ts.isCallExpression(parent)) return `${parent.expression.getText().split("\n")[0]}(…)`;
  return "(no name)";
}

export function visit(node, see) {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

const lineAt = (tree, position) => tree.getLineAndCharacterOfPosition(position).line + 1;
