// Imported first by every tool: an old Node.js gets one line, not a syntax error of some later
// file.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Hadal needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
