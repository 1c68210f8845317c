/** `npx node scripts/rooms-table.ts` writes the table of import rules in CONTRIBUTING.md from `scripts/walls/rooms.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Room, rooms } from './walls/rooms.ts';

const MARKS = /(<!-- rooms -->\n)[\s\S]*(<!-- \/rooms -->)/;

const code = (text: string): string => `\`${text}\``;

/** What a folder may import, for people: without `src/`, and the shared files of adapters together. */
function allowed(name: string, { may }: Room): string {
  if (name === 'src') return 'everything';
  const isSharedFile = (entry: string): boolean => /^src\/adapters\/[\w-]+\.ts$/.test(entry);
  const isAdapter = name.startsWith('src/adapters/');
  const places = may.filter((entry) => !isAdapter || !isSharedFile(entry));
  const named = places.map((entry) => {
    const [place = '', only] = entry.split(': ');
    const short = code(place.replace(/^src\//, ''));
    return only === undefined ? short : `${short} (${only})`;
  });
  const shared = places.length < may.length ? ['the shared files of `adapters`'] : [];
  return [...named, ...shared].join(', ') || 'no other folder';
}

function packages({ libraries = [] }: Room): string {
  const names = libraries.map((library) => (library === 'node' ? 'Node' : library));
  return names.join(', ').replace(/^\*$/, 'any') || 'none';
}

/** Makes the text of CONTRIBUTING.md with an up-to-date table. */
export function withRoomsTable(page: string): string {
  if (!MARKS.test(page))
    throw new Error('CONTRIBUTING.md has lost the marks around its table of import rules');
  const rows = Object.entries(rooms).map(([name, room]) => {
    const about = room.about === undefined ? '' : ` (${room.about})`;
    return `| ${code(name)}${about} | ${allowed(name, room)} | ${packages(room)} |\n`;
  });
  const table = `| folder | may import of this project | packages |\n|---|---|---|\n${rows.join('')}`;
  return page.replace(MARKS, (_, open: string, close: string) => `${open}${table}${close}`);
}

if (import.meta.main) {
  const page = join(import.meta.dirname, '../CONTRIBUTING.md');
  writeFileSync(page, withRoomsTable(readFileSync(page, 'utf8')));
}
