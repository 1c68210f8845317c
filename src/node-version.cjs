/**
 * Loaded before each program (`node --require`): an older Node would end with a stack instead of a sentence, because it cannot run
 * TypeScript, or has no AsyncDisposableStack, or a SQLite that numbers parameters in another way.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 8)) {
  console.error(
    `Darkroom needs Node 24.8 or newer, and this is ${process.versions.node}. Install a newer one, or run npm ci without --omit=dev, which brings one along, and then npm start.`,
  );
  process.exit(1);
}
