/** Strangers on three programs with one PostgreSQL, of which one is killed: one notice for each, twenty in all, one decision. */
import { expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { postgresUrl } from '../../fakes/postgres.ts';
import { settings } from '../stage/lines.ts';
import { stagePrograms } from './scale/stage-programs.ts';

const PROGRAMS = 3;
const STRANGERS = 24;
const MOST_NOTICES = 20;
const POLITE = 'This bot works only where its owner has approved it';

it.skipIf(postgresUrl === undefined)(
  'each community is asked for once, whichever process hears of it',
  async () => {
    await using opened = new AsyncDisposableStack();
    const { chat, start } = await stagePrograms(opened);
    const owner = chat.room().member('Olga').directly();
    const programs = await start(PROGRAMS, { COMMUNITIES: 'approved', OWNERS: owner.key });

    const rooms = Array.from({ length: STRANGERS }, () => chat.room());
    const strangers = rooms.map((room, n) => room.member(`Ann ${n}`));
    await Promise.all(strangers.map((each) => each.sends({ command: 'usage' }).says(POLITE)));
    const notices = () => owner.inbox().filter(({ buttons }) => buttons.includes('Approve'));
    const more = () => owner.inbox().filter(({ text }) => text.includes('more ask to use this bot today'));
    await eventually(() => notices().length >= MOST_NOTICES && more().length >= 3, 'the notices');
    await programs.kill(0);
    for (const each of strangers) each.sends({ command: 'jobs' });
    await programs.ready();
    // 1, 2 and 4 more, and nothing twice.
    expect(more()).toHaveLength(3);
    const idOf = (text: string): string => /telegram:-\d+/.exec(text)?.[0] ?? '';
    const named = notices().map(({ text }) => idOf(text));
    expect(named).toHaveLength(MOST_NOTICES);
    expect(new Set(named).size).toBe(MOST_NOTICES);

    const [first] = notices();
    if (first === undefined) throw new Error('There is no notice.');
    // Pressed twice: one decision and one welcome, and every process obeys it.
    for (let times = 0; times < 2; times += 1) owner.press(first, 'Approve');
    await eventually(() => owner.again(first)?.text.includes('Approved by Olga.'), 'the decision');
    const at = rooms.findIndex(({ community }) => community === idOf(first.text));
    const ann = strangers[at];
    await eventually(
      () => ann?.room().some(({ text }) => text.includes('has approved this chat')),
      'the welcome',
    );
    await eventually(
      async () =>
        ann
          ?.sends({ command: 'usage' })
          .says('You used 0')
          .catch(() => false),
      'an answer',
    );
    expect(ann?.room().filter(({ text }) => text.includes('has approved this chat'))).toHaveLength(1);
    const trail = await owner
      .sends(settings('approve', { community: idOf(first.text) }))
      .says('was approved already');
    expect(trail.text).toContain(idOf(first.text));
    expect(programs.errors()).toEqual([]);
  },
);
