/**
 * `npx node scripts/way-page.ts` brings the sentences of docs/way-of-a-command.md up to date. Which files a command passes is measured:
 * `npm run bench -- way-of-command page` writes the whole page.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const PAGE = join(root, 'docs/way-of-a-command.md');
const ROW = /^\| `([^`]+)` \| .* \|$/gm;

/** A command says itself what it is for. */
const OF_COMMAND = /defineCommand(?:Group)?\(\{\n {2}name: '\w+',\n {2}description: '([^']+)'/;

/** The beginning of an exported function or class. */
const DOES = /^export (?:async function|function|class|const create\w+)/;

/** The beginning of a factory, and of a type, each with its name. */
const MAKES = /^export (?:async function|function|const) create(\w+)/;
const TYPE = /^export (?:interface|type) (\w+)/;

/** Whether a name is that of the file: `WorkerPool` in `worker-pool.ts`. */
const isNamesake = (name: string | undefined, file: string): boolean =>
  name?.toLowerCase() === basename(file, '.ts').replaceAll('-', '');

/** The comments of a file, with the line that follows each. */
function commentsIn(text: string): readonly { readonly said: string; readonly next: string }[] {
  return text
    .split('/**')
    .slice(1)
    .map((part) => {
      const [said = '', after = ''] = part.split('*/', 2);
      return { said, next: after.split('\n', 2)[1] ?? '' };
    });
}

/**
 * What a file does: the first sentence of the comment about it, or about its factory, or about the type that has its name, or else about
 * the first function or other thing that it exports.
 */
function sentenceOf(file: string): string | undefined {
  if (!existsSync(join(root, file))) return undefined;
  const text = readFileSync(join(root, file), 'utf8');
  const comments = commentsIn(text);
  const found =
    comments.find(({ next }) => next === '') ??
    comments.find(({ next }) => isNamesake(MAKES.exec(next)?.[1], file)) ??
    comments.find(({ next }) => MAKES.test(next)) ??
    comments.find(({ next }) => isNamesake(TYPE.exec(next)?.[1], file)) ??
    comments.find(({ next }) => DOES.test(next)) ??
    comments.find(({ next }) => next.startsWith('export '));
  const comment = found?.said ?? OF_COMMAND.exec(text)?.[1];
  const said = comment
    ?.replaceAll(/\n\s*\* ?/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return said?.split(/(?<=\.) (?=[A-Z])/, 1)[0];
}

/** Brings the sentences of the page up to date; a file without one has an empty cell, which a test refuses. */
export const withFileSentences = (page: string): string =>
  page.replace(
    ROW,
    (_, file: string) => `| \`${file}\` | ${(sentenceOf(file) ?? '').replaceAll('|', '\\|')} |`,
  );

/** A command, and the files that ran while it was answered. */
export interface Way {
  readonly title: string;
  readonly files: readonly string[];
}

/** Writes the page of what was measured. */
export function writeWayPage(ways: readonly Way[], measured: string): void {
  const tables = ways.map(({ title, files }) =>
    [
      `## ${title}: ${files.length} files`,
      '',
      '| file | what it does |',
      '|---|---|',
      ...files.map((file) => `| \`${file}\` |  |`),
      '',
    ].join('\n'),
  );
  const head = `# The files that a command passes

Measured on ${measured} with \`npm run bench -- way-of-command page\`, which asks V8 which functions of the real program ran between an event and its end.
[Architecture](architecture.md#how-many-files-a-command-passes) says what is counted, and has the order for those who read. Files that run while nothing happens are left out.
Each sentence is that of the file itself; \`npx node scripts/way-page.ts\` brings them up to date, and a test demands it.
`;
  writeFileSync(PAGE, withFileSentences([head, ...tables].join('\n')));
}

if (import.meta.main) writeFileSync(PAGE, withFileSentences(readFileSync(PAGE, 'utf8')));
