import { randomBytes } from 'node:crypto';
import type { Chat } from 'grammy/types';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import type { StoredMessage } from '../fakes/telegram/world.ts';
import type { Line } from './stage/chat.ts';
import { jobsOf, photo, prompted, swap } from './stage/lines.ts';
import { colourOf, filmOf, photoOf, resultOf } from './stage/pictures.ts';
import { createStage, type Stage } from './stage/stage.ts';

const blue = await photoOf('#2020c0');
const made = await resultOf('#e0a010');
const noise = await sharp(randomBytes(2200 * 2000 * 3), { raw: { width: 2200, height: 2000, channels: 3 } })
  .png()
  .toBuffer();
/** More than Telegram takes from a bot. */
const film = filmOf(51 * 1024 * 1024);
const slow = prompted('slow');

let stage: Stage;
beforeAll(async () => {
  stage = await createStage({
    script: {
      jobs: ({ run, output }) => {
        if (run === '/v2/run/self-prompt') return { queuedMs: 0, runningMs: 1_500, result: made };
        if (run === '/v5/run/multi_swap') return { queuedMs: 0, runningMs: 0, result: noise };
        if (run === '/v1/run/first_last_frame_video') return { queuedMs: 0, runningMs: 0, result: film };
        if (output === 'video') return { queuedMs: 0, runningMs: 0, failure: 'no videos today' };
        return { queuedMs: 0, runningMs: 40, result: made };
      },
    },
  });
});
afterAll(() => stage.close());

const result = ({ media }: { readonly media?: unknown }): boolean => media !== undefined;
/** A result; sheets of filters are photos, too. */
const picture = (messages: readonly StoredMessage[]): StoredMessage | undefined =>
  messages.find(({ photo, caption }) => photo !== undefined && caption?.includes('AI-generated'));
const textOf = ({ text, caption }: StoredMessage): string => text ?? caption ?? '';
const hasButton =
  (label: string) =>
  ({ reply_markup: keyboard }: StoredMessage): boolean =>
    keyboard?.inline_keyboard.flat().some(({ text }) => text === label) ?? false;
const lastFace = async () => {
  const body = stage.recorder.runs('/v6/run/face_swap').at(-1)?.body;
  return { ...body, colour: await colourOf(Buffer.from(String(body?.base64), 'base64')) };
};

it('accepts a command in reply to a photo, in a group, addressed to this bot only', async () => {
  const { telegram } = stage;
  const [ann, bob] = [telegram.person('Ann'), telegram.person('Bob')];
  const group = telegram.group('Club');
  const original = bob.says(group, '', { photo: blue });
  ann.replies(original, '/faceswap@some_other_bot 3 female');
  ann.replies(original, `/faceswap@${telegram.botName} 5 girl`);
  const message = await telegram.until(() => picture(telegram.fromBot(group)), 'the result');
  expect(telegram.fromBot(group)).toHaveLength(1);
  expect(message.caption).toContain('AI-generated');
  expect(await lastFace()).toMatchObject({ filter_id: 5, gender: 3, colour: await colourOf(blue) });
});

it('accepts an uncompressed photo, in a caption or a reply', async () => {
  const { telegram } = stage;
  const ann = telegram.person('Ann document');
  const document = { bytes: blue, name: 'me.jpg', mime: 'image/jpeg' };
  ann.says(ann.chat, '/faceswap 6 boy', { document });
  await telegram.until(() => picture(telegram.fromBot(ann.chat)), 'the result');
  expect(await lastFace()).toMatchObject({ filter_id: 6, colour: await colourOf(blue) });
  const sent = ann.says(ann.chat, '', { document: { ...document, name: 'again.jpg' } });
  ann.replies(sent, '/faceswap 7 boy');
  await eventually(
    () => stage.recorder.runs('/v6/run/face_swap').some(({ body }) => body.filter_id === 7),
    'the reply to reach the service',
  );
});

it('asks what to do with a bare photo in private, until every option is known', async () => {
  const { telegram } = stage;
  const ann = telegram.person('Ann bare');
  ann.says(ann.chat, '', { photo: blue });
  const asked = await telegram.until(() => telegram.fromBot(ann.chat).at(-1), 'a question');
  ann.presses(asked, '/faceswap');
  const filters = await telegram.until(() => telegram.fromBot(ann.chat).find(hasButton('▶')), 'the filters');
  ann.presses(filters, '▶');
  await telegram.until(
    () => telegram.fromBot(ann.chat).some((message) => textOf(message).includes('Page 2')),
    'page 2',
  );
  ann.says(ann.chat, '14');
  const gender = await telegram.until(
    () => telegram.fromBot(ann.chat).find(hasButton('boy')),
    'the last question',
  );
  ann.presses(gender, 'boy');
  await telegram.until(() => picture(telegram.fromBot(ann.chat)), 'the result');
  expect(await lastFace()).toMatchObject({ filter_id: 14, gender: 2 });
});

/** Until all previews have come, a list may be text: it is sent again. */
const sheetFor = (ask: () => void, chat: Chat): Promise<StoredMessage> =>
  eventually(async () => {
    const before = stage.telegram.fromBot(chat).length;
    ask();
    const list = await stage.telegram.until(() => stage.telegram.fromBot(chat)[before], 'a list');
    return list.photo === undefined ? undefined : list;
  }, 'a sheet');

it('a filter is chosen by eye, in a group', async () => {
  const { telegram } = stage;
  const ann = telegram.person('Ann looks');
  const group = telegram.group('Club');
  const sheet = await sheetFor(() => ann.says(group, '/faceswap gender=girl', { photo: blue }), group);
  expect(textOf(sheet)).toContain('in reply to this one');
  expect(textOf(sheet)).toContain('1 Pop Art · 2 Halftone Press');
  ann.presses(sheet, '▶');
  await telegram.until(() => hasButton('26')(sheet) && textOf(sheet).includes('Page 2'), 'page 2');
  expect(sheet.photo).toBeDefined();
  ann.presses(sheet, '26');
  await telegram.until(() => picture(telegram.fromBot(group)), 'the result');
  expect(telegram.messages(group)).not.toContain(sheet);
  expect(await lastFace()).toMatchObject({ filter_id: 26, gender: 3, colour: await colourOf(blue) });
});

it('a filter of /filters is used with the photo that is sent then', async () => {
  const { telegram } = stage;
  const ann = telegram.person('Ann browses');
  const sheet = await sheetFor(() => ann.says(ann.chat, '/filters'), ann.chat);
  ann.replies(sheet, '/faceswap 4 girl');
  const refused = await telegram.until(
    () => telegram.fromBot(ann.chat).find((message) => message.message_id > sheet.message_id),
    'a question',
  );
  // The sheet is nobody's photo.
  expect(textOf(refused)).toContain('photo');
  ann.presses(sheet, '9');
  await telegram.until(
    () => telegram.fromBot(ann.chat).filter((message) => /one more thing/.test(textOf(message))).length > 1,
    'the question of the other filter',
  );
  ann.says(ann.chat, '', { photo: blue });
  const gender = await telegram.until(
    () => telegram.fromBot(ann.chat).find(hasButton('boy')),
    'the last question',
  );
  ann.presses(gender, 'boy');
  await telegram.until(() => picture(telegram.fromBot(ann.chat)), 'the result');
  expect(await lastFace()).toMatchObject({ filter_id: 9, gender: 2, colour: await colourOf(blue) });
  expect(telegram.messages(ann.chat)).toContain(sheet);
});

it('answers in the topic of the command', async () => {
  const { telegram } = stage;
  const ann = telegram.person('Ann topic');
  const forum = telegram.group('Forum', { forum: true });
  const thread = telegram.topic(forum);
  ann.says(forum, '/faceswap 3 female', { photo, thread });
  const message = await telegram.until(() => picture(telegram.fromBot(forum)), 'the result');
  expect(message.message_thread_id).toBe(thread);
});

it('answers private jobs in the private chat, and says how to start it if needed', async () => {
  const room = stage.platforms.telegram.room();
  const ann = room.member('Ann private');
  const shown = await ann
    .sends({ ...swap, given: { ...swap.given, private: 'yes' } })
    .until(result, 'the result');
  expect(shown.private).toBe(true);
  expect(ann.room()).toEqual([]);
  const { telegram } = stage;
  const stranger = telegram.person('Stranger');
  const group = telegram.group('Club');
  stranger.says(group, '/faceswap 3 female private=yes', { photo });
  await telegram.until(
    () => telegram.fromBot(group).some(({ text }) => text?.includes('started a chat with me')),
    'how to start',
  );
});

it('a picture that Telegram does not take as a photo comes as JPEG or as a file', async () => {
  const ann = stage.platforms.telegram.room().member('Ann oversize');
  const shown = await ann
    .sends({ command: 'groupswap', given: { style: '2' }, photos: { photo } })
    .until(result, 'the picture');
  expect(noise.length).toBeGreaterThan(10 * 1024 * 1024);
  const { width } = await sharp(shown.media?.bytes).metadata();
  expect(width).toBe(2200);
  if (shown.media?.kind === 'image') expect(shown.media.bytes.length).toBeLessThanOrEqual(10 * 1024 * 1024);
});

it('a video over the limit is linked, without secrets in the link', async () => {
  const ann = stage.platforms.telegram.room({ hearsAll: true }).member('Ann long film');
  const line: Line = {
    command: 'transition',
    given: { prompt: 'a long film', duration: '8s' },
    photos: { first: photo, last: blue },
  };
  const shown = await ann.sends(line).until(({ text }) => text.includes('AI-generated'), 'the video');
  expect(shown.media).toBeUndefined();
  expect(shown.buttons).toContain('Delete');
  const edits = stage.telegram.calls.filter(({ method }) => method === 'editMessageText');
  const link =
    edits
      .flatMap(({ values }) => (values.entities ?? []) as { readonly type: string; readonly url?: string }[])
      .findLast(({ type }) => type === 'text_link')?.url ?? '';
  expect(link.startsWith(stage.recorder.url) || link.startsWith(stage.service.url)).toBe(true);
  expect((await (await fetch(link)).blob()).size).toBeGreaterThan(50 * 1024 * 1024);
  for (const secret of [stage.service.apiKey, stage.service.token]) expect(link).not.toContain(secret);
});

it('a card deleted meanwhile: the result comes in private and stays in /jobs', async () => {
  const ann = stage.platforms.telegram.room().member('Ann deleted');
  const first = await ann.sends(slow).until(({ buttons }) => buttons.includes('Cancel'), 'a card');
  ann.takeDown(first);
  const sent = await eventually(() => ann.inbox().find(result), 'the result in private');
  expect(sent.text).toContain('It could not be shown where you asked for it.');
  await jobsOf(ann, ({ text }) => text.includes('done'), 'the job to be done');
});

it('ends silently where it was removed or blocked, and continues elsewhere', async () => {
  const { telegram } = stage;
  const ann = telegram.person('Ann blocks');
  ann.says(ann.chat, '/faceswap prompt="slow"', { photo });
  await telegram.until(() => telegram.fromBot(ann.chat).length > 0, 'a card');
  ann.blocks();
  const bob = telegram.person('Bob goes on');
  bob.says(bob.chat, '/faceswap 3 male', { photo });
  await telegram.until(() => picture(telegram.fromBot(bob.chat)), 'the result of another');
});

it('the same update delivered twice makes one job', async () => {
  const { telegram } = stage;
  const ann = telegram.person('Ann twice');
  const runs = (): number =>
    stage.recorder.runs('/v6/run/face_swap').filter(({ body }) => body.filter_id === 17).length;
  const before = runs();
  ann.says(ann.chat, '/faceswap 17 male', { photo });
  const update = telegram.delivery.pending.at(-1)?.update_id;
  await telegram.until(() => picture(telegram.fromBot(ann.chat)), 'the result');
  if (update !== undefined) telegram.delivery.again(update);
  ann.says(ann.chat, '/jobs');
  await telegram.until(
    () => telegram.fromBot(ann.chat).some(({ text }) => text?.includes('Your jobs')),
    'the list',
  );
  expect(runs()).toBe(before + 1);
});

it('an anonymous administrator may moderate; a channel, a linked post and a member may not', async () => {
  const { telegram } = stage;
  const [boss, ann] = [telegram.person('Boss'), telegram.person('Ann channel')];
  const group = telegram.group('Club');
  telegram.promote(group, boss, true);
  boss.says(group, '/settings banword grue', { anonymous: true });
  // There is nobody to answer in private: the answer is for the group.
  await telegram.until(() => telegram.fromBot(group).length > 0, 'an answer');
  ann.says(group, '/settings allowword grue', { channel: -100_777 });
  await telegram.until(
    () => telegram.fromBot(group).some(({ text }) => text?.includes('Only moderators')),
    'a refusal',
  );
  ann.says(group, '/faceswap prompt="a grue"', { photo });
  await telegram.until(
    () =>
      telegram.fromBot(group).some(({ text }) => text?.includes('a word that this community does not allow')),
    'the word to be banned still',
  );
});

it('follows a group that becomes a supergroup, with its settings and its running jobs', async () => {
  const { telegram } = stage;
  const [mod, ann] = [telegram.person('Mod moves'), telegram.person('Ann moves')];
  telegram.openPrivate(mod, ann);
  const group = telegram.group('Small', { basic: true, administrators: [mod] });
  mod.says(group, '/settings banword grue');
  await telegram.until(() => telegram.fromBot(group).some(({ text }) => text?.includes('grue')), 'a word');
  ann.says(group, '/faceswap prompt="slow"', { photo });
  await telegram.until(() => telegram.fromBot(group).length > 1, 'a card');
  const large = telegram.migrate(group);
  const result = await telegram.until(() => picture(telegram.fromBot(large)), 'the result in the new chat');
  // Asked for in the old one, it is the new one's moderators' to deal with.
  mod.says(large, '/settings log here');
  await telegram.until(
    () => telegram.fromBot(large).some(({ text }) => text?.includes('go to this channel')),
    'the log',
  );
  mod.says(large, '/settings log');
  await telegram.until(
    () =>
      telegram.fromBot(large).some(({ text }) => text?.replaceAll('\u2060', '').includes('settings.banword')),
    'what was done in the old one',
  );
  ann.presses(result, 'Report');
  await telegram.until(
    () => telegram.fromBot(large).some(({ text }) => text?.includes('A result was reported')),
    'the report',
  );
  mod.presses(result, 'Delete');
  await telegram.until(() => !telegram.messages(large).includes(result), 'it to go');
  ann.says(large, '/faceswap prompt="a grue"', { photo });
  await telegram.until(
    () =>
      telegram.fromBot(large).some(({ text }) => text?.includes('a word that this community does not allow')),
    'the rule in the new chat',
  );
});

it('answers unknown text with a hint in private, and not at all in a group', async () => {
  const { telegram } = stage;
  const ann = telegram.person('Ann talks');
  const group = telegram.group('Talk', { botHearsAll: true });
  ann.says(group, 'hello');
  ann.says(ann.chat, 'hello');
  await telegram.until(
    () => telegram.fromBot(ann.chat).some(({ text }) => text?.includes('what I can do')),
    'a hint',
  );
  expect(telegram.fromBot(group)).toEqual([]);
});

it('answers in the language of the caller, with translated menus', async () => {
  const room = stage.platforms.telegram.room();
  const shown = await room.member('Anna', { language: 'de' }).sends(swap).until(result, 'das Bild');
  expect(shown.text).toContain('KI-generiert');
  const failed = await room
    .member('Inés', { language: 'es' })
    .sends({ command: 'animate', given: { prompt: 'zoom' }, photos: { photo } })
    .says('no videos today');
  expect(failed.text).not.toContain('generation service');
  await eventually(
    () => [...stage.telegram.menus.keys()].some((key) => key.endsWith(':de')),
    'the German menu',
  );
});
