import { expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { hidden, sharedIn } from '../stage/lines.ts';
import { resultOf } from '../stage/pictures.ts';
import { stage, useStage } from '../stage/stage.ts';

const made = await resultOf('#e0a010');

useStage({ result: made });

it.each([
  ['discord', 'has', 1],
  ['discord', 'has not', 0],
  ['telegram', 'has', 1],
  ['telegram', 'has not', 0],
] as const)(
  'a program that dies while it shares on %s, which %s got the message',
  async (name, _got, count) => {
    const ann = stage.platforms[name].room().member('Ann kill');
    const result = await hidden(ann);
    const press = ann.dataOf(result, 'Share').replace(/^a:/, '');
    const arrived = Promise.withResolvers<void>();
    if (name === 'discord') {
      const path = /^\/channels\/\d+\/messages$/;
      stage.discord.fault({ method: 'POST', path, kind: 'hang', after: count === 1 });
      const posts = (): number =>
        stage.discord.received.filter((each) => each.method === 'POST' && path.test(each.path)).length;
      const before = posts();
      void eventually(() => posts() > before, 'the request').then(() => arrived.resolve());
    } else {
      stage.telegram.fault({ method: 'sendPhoto', kind: count === 1 ? 'mute' : 'hang' });
      stage.telegram.onCall(({ method }) => method === 'sendPhoto' && arrived.resolve());
    }
    ann.press(result, 'Share');
    await arrived.promise;
    await eventually(() => sharedIn(ann).length === count, 'the message');
    await stage.restart('kill', {}, async () => stage[name].clearFaults());
    await ann.forge(result, press).says('may have been interrupted');
    expect(sharedIn(ann)).toHaveLength(count);
    for (const seen of sharedIn(ann)) ann.press(seen, 'Delete');
    await eventually(() => sharedIn(ann).length === 0, 'the shared result to go');
  },
);
