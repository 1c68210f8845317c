import { beforeEach, expect, test } from 'vitest';
import { PhotoGone } from '../../../src/adapters/adapter.ts';
import { attachmentRef } from '../../../src/adapters/discord/payloads/photo-ref.ts';
import type { Place } from '../../../src/command/place.ts';
import type { View } from '../../../src/command/view.ts';
import {
  card,
  picture,
  room,
  showCard,
  stage,
  texts,
  until,
  useStage,
  view,
} from '../../fakes/discord/stage.ts';

/**
 * Discord hides channels that a bot may not see: their names are `___hidden___`, their overrides invented, and the bot can neither
 * read nor write there. Commands still arrive from there, with the channel as it is, and their tokens answer them.
 */
const HIDDEN = '___hidden___';
const MINUTE = 60_000;
useStage();

beforeEach(() => {
  const channel = stage.fake.world.channels.get(stage.fake.channel);
  if (channel !== undefined) channel.isHidden = true;
});

const here = (): Place => {
  const { guild, channel } = stage.fake;
  return { platform: 'discord', community: `discord:${guild.id}`, channel, direct: false };
};

test('a command in a hidden channel is answered there, and its place is that channel', async () => {
  const ref = await showCard();
  expect(stage.desk.heard[0]?.place).toEqual(here());
  expect(texts(room())).toEqual(['Place in line: 2']);
  expect((await stage.adapter.draw(ref, picture(new Uint8Array([1])), 'final')).state).toBe('drawn');
});

test('a card in a hidden channel has a link, for those who may see it', async () => {
  const ref = await showCard();
  const [shown] = room();
  const { guild, channel } = stage.fake;
  const link = `https://discord.com/channels/${guild.id}/${channel}/${shown?.id}`;

  expect(stage.adapter.link?.(ref, here())).toBe(link);
});

test('a hidden channel is named by a mention, which Discord shows to those who may see it', async () => {
  const named: View = view('Only here:', { lines: [['Only here: ', { channel: stage.fake.channel }]] });
  stage.desk.replies({ kind: 'message', audience: 'everyone', view: named });
  await stage.fake.user('ann').types('/settings channels').answered();

  await until(() => expect(room()).toHaveLength(1));
  expect(room()[0]?.content).toBe(`Only here: <#${stage.fake.channel}>`);
  expect(JSON.stringify(room())).not.toContain(HIDDEN);
});

test('a log channel that was hidden counts as gone', async () => {
  expect(await stage.adapter.say({ place: here() }, view('A line of the log'))).toEqual({ state: 'gone' });
});

test('a result whose token expired in a hidden channel is to be shown elsewhere', async () => {
  const ref = await showCard();
  await stage.clock.advance(16 * MINUTE);
  const drawn = await stage.adapter.draw(ref, picture(new Uint8Array([1])), 'final');

  expect(drawn).toEqual({ state: 'gone' });
});

test('a further card in a hidden channel is sent with the token of the press', async () => {
  await showCard();
  const [shown] = room();
  if (shown === undefined) throw new Error('no card');
  const reply = Promise.withResolvers<ReturnType<typeof card>>();
  stage.desk.replies(() => reply.promise);
  const buttons = [[{ action: 'again:1', label: 'Again' }]];
  await stage.adapter.draw(stage.desk.cards[0]?.card ?? expect.fail(), view('Result', { buttons }), 'final');
  const press = stage.fake.user('ann').presses(shown, 'Again');
  await stage.clock.advance(2_000);
  await press.answered();
  reply.resolve(card('Once more'));
  await until(() => expect(texts(room())).toEqual(['Result', 'Once more']));
});

test('a photo in a message of a hidden channel is gone once its address cannot be renewed', async () => {
  const { cdnHost, channel } = stage.fake;
  const url = `http://${cdnHost}/attachments/1/2/me.png?ex=1`;
  const ref = {
    from: 'discord',
    ref: attachmentRef({ url, channel, message: '900000000000000009' }),
  } as const;
  const photo = stage.adapter.photo(ref, 4, new AbortController().signal);

  await expect(photo).rejects.toThrow(PhotoGone);
});
