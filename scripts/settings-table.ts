/** `npx node scripts/settings-table.ts` writes docs/settings.md and .env.example from the declarations of the settings. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aboutSetting, fileNameOf, secretNames, settingNames } from '../src/config/settings.ts';

const root = join(import.meta.dirname, '..');
const MARKS = /(<!-- settings -->\n)[\s\S]*(<!-- \/settings -->)/;

/** Makes the text of docs/settings.md with an up-to-date table. */
export function withSettingsTable(page: string): string {
  if (!MARKS.test(page)) throw new Error('docs/settings.md has lost the marks around its table of settings');
  const rows = settingNames.map((name) => {
    const { unset, meaning } = aboutSetting(name);
    return `| \`${name}\` | ${unset} | ${meaning} |\n`;
  });
  const table = `| name | default | meaning |\n|---|---|---|\n${rows.join('')}`;
  return page.replace(MARKS, (_, open: string, close: string) => `${open}${table}${close}`);
}

/** Makes the text of .env.example, which has every setting, commented out, with its default and meaning. */
export function envExample(): string {
  const entries = settingNames.map((name) => {
    const { unset, meaning, allowed } = aboutSetting(name);
    const [, preset] = /^`([^`]*)`$/.exec(unset) ?? [];
    const note = preset === undefined && unset !== 'unset' ? ` (${unset})` : '';
    return `# ${plain(meaning)}${plain(note)}\n# Give ${allowed}.\n#${name}=${preset ?? ''}\n`;
  });
  return `# Copy to .env and take the # away from the settings you want. The environment wins over this file.
# A secret can be given as NAME_FILE instead, the path of a file that holds it: ${secretNames.map(fileNameOf).join(', ')}.\n\n${entries.join('\n')}`;
}

const plain = (text: string): string => text.replaceAll('`', '');

if (import.meta.main) {
  const page = join(root, 'docs/settings.md');
  writeFileSync(page, withSettingsTable(readFileSync(page, 'utf8')));
  writeFileSync(join(root, '.env.example'), envExample());
}
