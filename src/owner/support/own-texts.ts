import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the program itself says: a text that stands in its source is nobody's name, prompt, address or secret. */
export interface OwnTexts {
  /** Whether it stands in quotes there. */
  isOwn(text: string): boolean;
  isFile(path: string): boolean;
}

const ROOT = join(import.meta.dirname, '../../..');

export function readOwnTexts(): OwnTexts {
  const files = ['src', 'commands'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name).replaceAll('\\', '/')),
  );
  const source = files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
  const known = new Set(files);
  return {
    isOwn: (text) =>
      text !== '' && ["'", '"', '`'].some((quote) => source.includes(`${quote}${text}${quote}`)),
    isFile: (path) => known.has(path),
  };
}
