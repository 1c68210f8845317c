// @module-tag slow
import { describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Message } from '../fakes/discord/world.ts';
import { formOf } from './discord/form-of.ts';
import type { Seen } from './stage/chat.ts';
import { colourOf, photoOf } from './stage/pictures.ts';
import { stage, useStage } from './stage/stage.ts';

const photos = await Promise.all(['#c02020', '#20c020', '#2020c0'].map((colour) => photoOf(colour)));
const isMade = ({ media }: Seen): boolean => media !== undefined;

useStage();

/** The colours of the photos that were sent to the service since then, in no order. */
const sentSince = async (before: number): Promise<readonly string[]> => {
  const runs = stage.recorder.runs().slice(before);
  const bytes = runs.map(({ body }) => Buffer.from(String(body.base64), 'base64'));
  return (await Promise.all(bytes.map(colourOf))).map(String).toSorted();
};
const coloursOf = async (all: readonly Uint8Array[]): Promise<readonly string[]> =>
  (await Promise.all(all.map(colourOf))).map(String).toSorted();

const ALL = /^All 3 \(\d+ credits\)$/;

describe('an album on Telegram', () => {
  const line = {
    command: 'faceswap',
    given: { filter: '3', gender: 'female' },
    photos: Object.fromEntries(photos.map((photo, index) => [`photo${index}`, photo])),
  };

  it('an album on Telegram makes a job of each photo, once, and only for whoever sent it', async () => {
    const room = stage.platforms.telegram.room({ hearsAll: true });
    const ann = room.person('Ann album');
    const bob = room.person('Bob album');
    const before = stage.recorder.runs().length;
    const question = await ann.types(line).says('3 photos at once');
    const [all = '', first = ''] = question.buttons;

    expect(all).toMatch(ALL);
    expect(first).toBe('Only the first');

    const action = ann.actionOf(question, all);
    await bob.presses(question, all).until(({ private: isPrivate }) => isPrivate, 'a note');

    expect(stage.recorder.runs()).toHaveLength(before);

    for (let times = 0; times < 2; times += 1) ann.presses(question, all);
    await eventually(() => room.person('Ann looks').seenByAll().filter(isMade).length === 3, 'three results');

    expect(await sentSince(before)).toEqual(await coloursOf(photos));

    for (const press of [action, action.replace('all', 'first')]) ann.forges(question, press);
    await ann.types({ command: 'jobs' }).until(({ text }) => text.includes('3'), 'the list');

    expect(stage.recorder.runs()).toHaveLength(before + 3);
  });

  it('an album on Telegram survives a restart between the question and the answer; a photo that fails, fails alone and for free', async () => {
    const { telegram } = stage;
    const ann = telegram.person('Ann restarted');
    const [one, two] = photos;

    if (one === undefined || two === undefined) throw new Error('no photos');
    ann.sendsAlbum(ann.chat, [one, Buffer.from('no picture'), two], '/faceswap 3 female');
    const question = await telegram.until(
      () => telegram.fromBot(ann.chat).find(({ text }) => text?.includes('3 photos at once')),
      'the question',
    );
    await stage.restart('kill');
    const label = question.reply_markup?.inline_keyboard?.[0]?.[0]?.text ?? '';
    ann.presses(question, label);
    const seen = () => telegram.fromBot(ann.chat);
    await telegram.until(() => seen().filter(({ photo }) => photo !== undefined).length === 2, 'two results');
    await telegram.until(() => seen().some(({ text }) => text?.includes('refunded')), 'the failure');

    expect(seen()).toHaveLength(3);

    ann.types(ann.chat, '/usage');
    await telegram.until(() => seen().find(({ text }) => text?.includes('of 10000')), 'the usage');
  });
});

it('several pictures of a message make a job each, from its menu on Discord', async () => {
  const files = photos.map((bytes, index) => ({ name: `${index}.jpg`, type: 'image/jpeg', bytes }));
  const { discord } = stage;
  const ann = discord.user('Ann menu album');
  const message = discord.user('Bob menu album').posts('look', files);
  const before = stage.recorder.runs().length;
  const opened = await formOf(ann, ann.usesMenu('Swap face', message));
  const sent = ann.submits(opened, { 'filter~': '3', gender: 'boy' });
  const labelIn = ({ components }: Message) => /All \d \(\d+ credits\)/.exec(JSON.stringify(components))?.[0];
  const question = await eventually(() => sent.messages().find(labelIn), 'the question');

  for (let twice = 0; twice < 2; twice += 1) ann.presses(question, labelIn(question) ?? '');
  const results = () =>
    discord
      .messages(question.channel)
      .filter(({ attachments, author }) => author !== message.author && attachments.length === 1);
  await eventually(() => results().length === 3, 'three results');

  expect(await sentSince(before)).toEqual(await coloursOf(photos));
});
