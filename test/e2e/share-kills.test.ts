import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Member, Seen } from './stage/chat.ts';
import { swap } from './stage/lines.ts';
import { resultOf } from './stage/pictures.ts';
import { createStage, type Stage } from './stage/stage.ts';

const made = await resultOf('#e0a010');

let stage: Stage;
beforeAll(async () => {
  stage = await createStage({
    script: { jobs: () => ({ queuedMs: 0, runningMs: 40, result: made }) },
  });
});
afterAll(() => stage.close());

const hidden = (member: Member): Promise<Seen> =>
  member
    .sends({ ...swap, given: { ...swap.given, private: 'yes' } })
    .until(({ media }) => media !== undefined, 'the private result');

const sharedIn = (member: Member): readonly Seen[] =>
  member.room().filter(({ text }) => text.includes('Shared by'));
const shared = (member: Member): Promise<Seen> => eventually(() => sharedIn(member)[0], 'the shared result');

it.each(['discord', 'telegram'] as const)(
  'a program that dies while it shares on %s sends one message',
  async (name) => {
    const ann = stage.platforms[name].room().member('Ann kill');
    const result = await hidden(ann);
    const press = ann.dataOf(result, 'Share').replace(/^a:/, '');
    if (name === 'discord')
      stage.discord.fault({ method: 'POST', path: /^\/channels\/\d+\/messages$/, kind: 'hang', after: true });
    else stage.telegram.fault({ method: 'sendPhoto', kind: 'mute' });
    ann.press(result, 'Share');
    await shared(ann);
    await stage.restart('kill', {}, async () => {
      if (name === 'discord') stage.discord.clearFaults();
      else stage.telegram.clearFaults();
    });
    await ann.forge(result, press).says('may have been interrupted');
    expect(sharedIn(ann)).toHaveLength(1);
    const [seen] = sharedIn(ann);
    if (seen !== undefined) ann.press(seen, 'Delete');
    await eventually(() => sharedIn(ann).length === 0, 'the shared result to go');
  },
);
