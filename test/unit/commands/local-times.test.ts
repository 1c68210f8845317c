import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { SIMPLE_SETTINGS } from '../../../src/command/community-settings.ts';
import { ann, createFakeChat, photo, textOf } from '../../fakes/call.ts';

/**
 * Every time that an answer shows is one of the community's time zone. In Kiritimati it is fourteen hours later than in UTC, so that
 * neither day nor hour are the same.
 */

const at = Date.UTC(2026, 0, 5, 12, 34);
const utc = { day: '2026-01-05', hour: '12:34' };
const local = { day: '2026-01-06', hour: '02:34' };

const chatInKiritimati = async () => {
  const chat = createFakeChat();
  chat.state.now = at;
  chat.state.moderators.add('web:ann');
  chat.state.settings = { blocked: [], bannedWords: [], timeZone: 'Pacific/Kiritimati' };
  chat.state.trail = [{ at, who: 'ann', what: 'made a face swap' }];
  const iso = new Date(at).toISOString();
  const campaigns = [{ label: 'Noir', from: at, until: at, by: ann, state: 'coming' }] as const;
  const history = [{ label: 'Pop Art', removedAt: iso }];
  const times = { createdAt: iso, updatedAt: iso, history, campaigns };
  chat.state.aliases = [{ id: 'a', model: 'face', name: 'halloween', ...times }];
  await chat.type('/face save me', photo);
  return chat;
};

/** Files in which days are those of UTC, whatever the zone of a community. */
const IN_UTC = [
  // The days of statistics are counted and named without a time.
  'commands/settings/stats.ts',
  'src/app/community/stats-port.ts',
  // Credits are counted by days of UTC.
  'src/community/stats/community-stats.ts',
];

test('only the code of local times writes or reads a time of UTC in commands, cards and answers', () => {
  const folder = join(import.meta.dirname, '../../..');
  const files = globSync(
    '{commands,src/{cards,command,community},src/app/{notices,jobs,community,photos}}/**/*.ts',
    { cwd: folder },
  );
  expect(files.length).toBeGreaterThan(100);

  const found = files.filter((file) =>
    /\b(?:localTime|localDay|timeIn|readMoment)\(\s*'UTC'/.test(readFileSync(join(folder, file), 'utf8')),
  );
  expect(found.toSorted(), 'times are those of the community, as `timeZone` of its settings says').toEqual(
    IN_UTC.toSorted(),
  );
});

test('every time in the answer to an example is one of the community’s time zone', async () => {
  const wrong: string[] = [];
  const right: string[] = [];
  // The example that changes the time zone shows the hour in the new one.
  const another = SIMPLE_SETTINGS.timeZone.example;
  const lines = ['/settings log', ...commands.flatMap(({ examples }) => examples)];

  for (const line of lines.filter((each) => each !== another)) {
    const chat = await chatInKiritimati();
    await chat.type(line);
    const said = `${chat.last === undefined ? '' : textOf(chat.last)} `;
    const shows = (times: readonly string[]) => times.some((time) => said.includes(time));
    if (shows(Object.values(utc))) wrong.push(`${line}: ${said}`);
    if (shows(Object.values(local))) right.push(line);
  }
  expect(wrong).toEqual([]);
  for (const line of ['/settings log', '/face list', '/alias list', '/alias show halloween'])
    expect(right).toContain(line);
});
