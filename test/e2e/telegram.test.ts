import type { Chat } from 'grammy/types';
import { expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import type { StoredMessage } from '../fakes/telegram/world.ts';
import type { Line } from './stage/chat.ts';
import { photo } from './stage/lines.ts';
import { colourOf, filmOf, photoOf } from './stage/pictures.ts';
import { stage, useStage } from './stage/stage.ts';

const blue = await photoOf('#2020c0');
/** More than Telegram takes from a bot. */
const film = filmOf(51 * 1024 * 1024);

useStage({
  jobs: ({ run, output }) => {
    if (run === '/v2/run/self-prompt') return { runningMs: 1_500 };
    return output === 'video' ? { result: film } : {};
  },
});

/** A result; sheets of filters are photos, too. */
const picture = (messages: readonly StoredMessage[]): StoredMessage | undefined =>
  messages.find(({ photo, caption }) => photo !== undefined && caption?.includes('AI-generated'));
const textOf = ({ text, caption }: StoredMessage): string => text ?? caption ?? '';
const hasButton =
  (label: string) =>
  ({ reply_markup: keyboard }: StoredMessage): boolean =>
    keyboard?.inline_keyboard.flat().some(({ text }) => text === label) ?? false;

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
  const sent = stage.recorder.runs('/v6/run/face_swap').at(-1)?.body;
  expect(sent).toMatchObject({ filter_id: 26, gender: 3 });
  expect(await colourOf(Buffer.from(String(sent?.base64), 'base64'))).toEqual(await colourOf(blue));
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

it('follows a group that becomes a supergroup, with its settings and its running jobs', async () => {
  const { telegram } = stage;
  const [mod, ann] = [telegram.person('Mod moves'), telegram.person('Ann moves')];
  telegram.openPrivate(mod, ann);
  const group = telegram.group('Small', { basic: true, administrators: [mod] });
  mod.says(group, '/settings banword grue');
  await telegram.says(group, 'grue');
  ann.says(group, '/faceswap prompt="slow"', { photo });
  await telegram.until(() => telegram.fromBot(group).length > 1, 'a card');
  const large = telegram.migrate(group);
  const result = await telegram.until(() => picture(telegram.fromBot(large)), 'the result in the new chat');
  // Asked for in the old one, it is the new one's moderators' to deal with.
  mod.says(large, '/settings log here');
  await telegram.says(large, 'go to this channel');
  mod.says(large, '/settings log');
  await telegram.until(
    () =>
      telegram.fromBot(large).some(({ text }) => text?.replaceAll('\u2060', '').includes('settings.banword')),
    'what was done in the old one',
  );
  ann.presses(result, 'Report');
  await telegram.says(large, 'A result was reported');
  mod.presses(result, 'Delete');
  await telegram.until(() => !telegram.messages(large).includes(result), 'it to go');
  ann.says(large, '/faceswap prompt="a grue"', { photo });
  await telegram.says(large, 'a word that this community does not allow');
});
