/** The focused element of the tree that the node is in: of a document, or of a shadow tree. */
export function focusedBeside(node: Node): Element | null {
  const root = node.getRootNode();
  return root instanceof ShadowRoot || root instanceof Document ? root.activeElement : null;
}

/** The element that an event began at: outside a shadow tree its target is the tree's host. */
export function originOf(event: Event): Node | null {
  const [first] = event.composedPath();
  return first instanceof Node ? first : null;
}
