import { expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { formOf } from '../discord/form-of.ts';
import { swap } from '../stage/lines.ts';
import { photoOf, resultOf } from '../stage/pictures.ts';
import { stage, useStage } from '../stage/stage.ts';

const made = await resultOf('#e0a010');
const photos = await Promise.all(['#c02020', '#20c020', '#2020c0'].map((colour) => photoOf(colour)));

useStage({ result: made });

it.each([
  ['before the first card', 'editMessageText', 'hang', 0],
  ['before the second card', 'sendMessage', 'hang', 0],
  // Telegram cannot be asked whether a message was sent.
  ['when the second card was sent', 'sendMessage', 'mute', 1],
] as const)(
  'an album whose program dies %s makes each job once, with a card each',
  async (_, method, kind, tooMany) => {
    const ann = stage.platforms.telegram.room({ hearsAll: true }).member('Ann album');
    const before = stage.recorder.runs().length;
    const album = Object.fromEntries(photos.map((photo, index) => [`photo${index}`, photo]));
    const question = await ann.sends({ ...swap, photos: album }).says('3 photos at once');
    const results = () => ann.room().filter(({ media }) => media !== undefined);
    const arrived = Promise.withResolvers<void>();
    stage.telegram.fault({ method, kind });
    stage.telegram.onCall((call) => call.method === method && arrived.resolve());
    ann.press(question, question.buttons[0] ?? '');
    await arrived.promise;
    // A kill while it is submitted would leave it uncertain.
    if (method === 'sendMessage') await eventually(() => results().length === 1, 'the first result');
    await stage.restart('kill', {}, async () => stage.telegram.clearFaults());
    await eventually(() => results().length === 3, 'three results');
    expect(ann.room()).toHaveLength(3 + tooMany);
    expect(stage.recorder.runs()).toHaveLength(before + 3);
    const usage = await ann.sends({ command: 'usage' }).says('today');
    expect(usage.text).toMatch(/\b6\b/);
  },
);

it.each([
  ['before the second card', false],
  ['when the second card was sent', true],
])('on Discord, an album whose program dies %s makes each job once, with one card each', async (_, after) => {
  const { discord } = stage;
  const ann = discord.user(`Ann ${after}`);
  const files = photos.map((bytes, index) => ({ name: `${index}.jpg`, type: 'image/jpeg', bytes }));
  const message = discord.user('Bob').post('look', files);
  const before = stage.recorder.runs().length;
  const earlier = new Set(discord.messages(message.channel).map(({ id }) => id));
  const seen = () => discord.messages(message.channel).filter(({ id }) => !earlier.has(id));
  const results = () => seen().filter(({ attachments }) => attachments.length === 1);
  const opened = await formOf(ann, ann.menu('Swap face', message));
  const asked = ann.submit(opened, { 'filter~': '3', gender: 'boy' });
  const labelIn = ({ components }: typeof message) =>
    /All 3 \(\d+ credits\)/.exec(JSON.stringify(components))?.[0];
  const question = await eventually(() => asked.messages().find(labelIn), 'the question');
  const path = /^\/channels\/\d+\/messages$/;
  const posts = (): number =>
    discord.received.filter((each) => each.method === 'POST' && path.test(each.path)).length;
  const posted = posts();
  discord.fault({ method: 'POST', path, kind: 'hang', after });
  ann.press(question, labelIn(question) ?? '');
  await eventually(() => posts() > posted, 'the second card');
  // A kill while it is submitted would leave it uncertain.
  await eventually(() => results().length === 1, 'the first result');
  await stage.restart('kill', {}, async () => discord.clearFaults());
  await eventually(() => results().length === 3, 'three results');
  expect(seen()).toHaveLength(3);
  expect(stage.recorder.runs()).toHaveLength(before + 3);
});
