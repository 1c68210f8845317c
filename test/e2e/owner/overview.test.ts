// @module-tag slow
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { suspiciousStripes } from '../../fakes/content-pictures.ts';
import type { Person } from '../stage/chat.ts';
import { settings, swap } from '../stage/lines.ts';
import { names, stage, useStage } from '../stage/stage.ts';

/** An owner sees and decides everything in a direct chat with the bot, without the console. */

const stripes = await suspiciousStripes();

let owners: Readonly<Record<(typeof names)[number], Person>>;
let env: Readonly<Record<string, string>>;
useStage({
  env: { FACE_CHECK: 'off', CONTENT_CHECK: 'on' },
  jobs: () => ({ queuedMs: 0, runningMs: 40, result: stripes }),
});
beforeAll(async () => {
  owners = {
    discord: stage.platforms.discord.room().person('Olga'),
    telegram: stage.platforms.telegram.room().person('Olga'),
  };
  env = { OWNERS: names.map((name) => owners[name].key).join(',') };
  await stage.restart('stop', env);
});

describe.each(names)('on %s', (name) => {
  it('an owner is told of everything in private, and decides about a held result there, across a kill', async () => {
    const owner = owners[name].at('direct');
    const ann = stage.platforms[name].room().person('Ann');
    const card = await ann.types(swap).says('a moderator looks at it first');

    const overview = await owner.types(settings('stats')).says('How this bot is doing');
    expect(overview.private).toBe(true);
    expect(overview.text).toContain('Everybody together today:');
    const label = overview.buttons.find((each) => each.startsWith('Held results')) ?? '';
    expect(label).not.toBe('');

    await stage.restart('kill', env);

    const entry = await owner.presses(overview, label).says(/Held results: 1 of \d/);
    const held = await owner.presses(entry, 'Look').until(({ media }) => media !== undefined, 'the result');
    await owner.presses(held, 'Remove').says('It was removed');
    await eventually(() => ann.again(card)?.text.includes('A moderator removed this result'), 'the end');

    const after = await owner.presses(entry, 'Overview').says('Nothing waits for your decision.');
    expect(after.id).toBe(overview.id);
  });

  it('a person who does not own the bot is not told of everything', async () => {
    const ann = stage.platforms[name].room().person('Ann');

    await ann.at('direct').types(settings('stats')).says('Only moderators of this community can do this.');
  });
});
