import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { rooms } from './walls/rooms.ts';

/** `npm run lint` runs this check that each folder imports only what `scripts/walls/rooms.ts` allows. */

interface Import {
  readonly from: string;
  /** The path from the root of the project, or the name of a library. */
  readonly to: string;
  readonly isType: boolean;
  /** Whether it is an `import()`, which loads when it is reached. */
  readonly isLate: boolean;
}

const statement = /^(?:import|export)\s+(type\s)?(?:[\w*{][^;'"]*?\s)?from\s+'([^']+)'|^import\s+'([^']+)'/gm;

const late = /\bimport\('([^']+)'\)/g;

function importsOf(from: string, text: string): readonly Import[] {
  const to = (target: string): string =>
    target.startsWith('.') ? posix.join(posix.dirname(from), target) : target;
  return [
    ...[...text.matchAll(statement)].map(([, type, named, bare]) => ({
      from,
      to: to(named ?? bare ?? ''),
      isType: type !== undefined,
      isLate: false,
    })),
    ...[...text.matchAll(late)].map(([, target = '']) => ({
      from,
      to: to(target),
      isType: false,
      isLate: true,
    })),
  ];
}

const names = Object.keys(rooms).sort((a, b) => b.length - a.length);

export function roomOf(path: string): string | undefined {
  const found = names.find((name) => path === name || path.startsWith(`${name}/`));
  return found === 'src/adapters' && path.split('/').length > 3 ? 'src/adapters/*' : found;
}

/** The library of an import: `node` for `node:fs/promises`, `hono` for `hono/cookie`, `@discordjs/rest` for itself. */
function libraryOf(name: string): string {
  if (name.startsWith('node:')) return 'node';
  const [first = '', second = ''] = name.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

const isFile = (path: string): boolean => path.startsWith('src/') || path.startsWith('commands/');

const isWithin = (path: string, entry: string): boolean => path === entry || path.startsWith(`${entry}/`);

const mayImport = (allowed: readonly string[], { to, isType }: Import): boolean =>
  allowed.some((entry) => {
    const [place = '', only] = entry.split(': ');
    return isWithin(to, place) && (only === undefined || isType);
  });

/** The folder of the room's order that a file belongs to; `.` for the room itself. */
function subFolderOf(room: string, order: readonly string[], path: string): string {
  let folder = posix.dirname(path.slice(room.length + 1));
  while (folder.includes('/') && !order.includes(folder)) folder = posix.dirname(folder);
  return folder;
}

function whyNot(each: Import): string | undefined {
  const name = roomOf(each.from);
  const room = name === undefined ? undefined : rooms[name];
  if (name === undefined || room === undefined) return 'is in no folder of scripts/walls/rooms.ts';
  if (!isFile(each.to))
    return (room.libraries ?? []).some((library) => library === '*' || library === libraryOf(each.to))
      ? undefined
      : `${name} may not import it`;
  if (roomOf(each.to) !== name) return mayImport(room.may, each) ? undefined : `${name} may not import it`;
  const { order } = room;
  if (order === undefined) return undefined;
  const [own = '', other = ''] = [each.from, each.to].map((path) => subFolderOf(name, order, path));
  if (own === other) return undefined;
  const missing = [own, other].find((folder) => !order.includes(folder));
  if (missing !== undefined) return `${name} has no order for its folder ${missing}`;
  return order.indexOf(other) < order.indexOf(own) ? undefined : `${own} is below ${other} in ${name}`;
}

/** The folder that counts for cycles: one in the order of its room, such as `src/store/tables`, or else the room. */
function folderOf(path: string): string {
  const room = roomOf(path) ?? '';
  const order = rooms[room]?.order;
  return order === undefined ? room : posix.join(room, subFolderOf(room, order, path));
}

/** The first two parts of a path: `src/store` for `src/store/tables/jobs.ts`, `src` for `src/app.ts`. */
function topFolderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder
    .split('/')
    .slice(0, path.startsWith('src/') ? 2 : 1)
    .join('/');
}

/** Finds cycles of imports, types included, among the places that `placeOf` returns: files or folders. */
function cyclesIn(imports: readonly Import[], placeOf: (path: string) => string): readonly string[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    if (!isFile(to)) continue;
    const place = placeOf(from);
    const other = placeOf(to);
    // A file that imports itself is a cycle, but a folder may import from itself.
    if (place !== other || from === to) next.set(place, (next.get(place) ?? new Set()).add(other));
  }
  const done = new Set<string>();
  const path: string[] = [];
  const cycles: string[] = [];
  const visit = (place: string): void => {
    if (path.includes(place)) cycles.push([...path.slice(path.indexOf(place)), place].join(' → '));
    if (path.includes(place) || done.has(place)) return;
    path.push(place);
    for (const other of next.get(place) ?? []) visit(other);
    path.pop();
    done.add(place);
  };
  for (const place of next.keys()) visit(place);
  return cycles;
}

/** The program's own process loads no libraries that take time and memory and are needed only where pictures are worked on. */
const PROGRAM = 'src/run.ts';
const FOR_WORKERS = ['sharp', '@litertjs/core', 'h264-mp4-encoder'];

/** Finds the imports by which the program would load a library for workers when it starts, as `how it is reached`. */
function loadedAtStart(imports: readonly Import[]): readonly string[] {
  const found: string[] = [];
  const reached = new Map([[PROGRAM, PROGRAM]]);
  for (const [path, way] of reached)
    for (const { from, to, isType, isLate } of imports) {
      if (from !== path || isType || isLate) continue;
      if (isFile(to) && !reached.has(to)) reached.set(to, `${way} → ${to}`);
      if (FOR_WORKERS.includes(libraryOf(to))) found.push(`loaded at the start: ${way} → ${to}`);
    }
  return found;
}

/** Checks files, given as text by path, and returns a line for each forbidden import or cycle. */
export function findOffences(files: ReadonlyMap<string, string>): readonly string[] {
  const imports = [...files].flatMap(([path, text]) => importsOf(path, text));
  const refused = imports.flatMap((each) => {
    const why = whyNot(each);
    return why === undefined ? [] : [`${each.from} imports ${each.to}: ${why}`];
  });
  const itself = (path: string): string => path;
  const cycles = [itself, folderOf, topFolderOf].flatMap((placeOf) => cyclesIn(imports, placeOf));
  return [
    ...refused,
    ...new Set(cycles.map((cycle) => `cycle of imports: ${cycle}`)),
    ...loadedAtStart(imports),
  ];
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const paths = globSync(['src/**/*.ts', 'commands/**/*.ts'], { cwd: root });
  const files = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const offences = findOffences(files);
  for (const line of offences) process.stderr.write(`${line}\n`);
  if (offences.length > 0) process.exitCode = 1;
}
