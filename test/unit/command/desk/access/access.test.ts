import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../../../../commands/index.ts';
import type { Place } from '../../../../../src/command/place.ts';
import { wordsFor } from '../../../../../src/words/words.ts';
import {
  ann,
  bob,
  buttonsOf,
  createFakeChat,
  direct,
  type FakeChat,
  photo,
  room,
} from '../../../../fakes/call.ts';

const { gate } = wordsFor('en');
const DAY_MS = 86_400_000;

let chat: FakeChat;

beforeEach(() => {
  chat = createFakeChat();
  for (const { community } of [room, direct]) chat.state.unapproved.add(community);
});

const approve = (): void => void chat.state.unapproved.delete(room.community);
const revoke = (): void => void chat.state.unapproved.add(room.community);

describe('where no owner has approved the community', () => {
  it('without approval everything but the deletion of data is refused, also what is no command, and the owners are asked', async () => {
    for (const line of ['/faceswap 12 female', '/settings', '/faceswp', '/animate duration=9s'])
      expect(await chat.type(line, photo), line).toBe(gate.unapproved);
    expect(new Set(chat.state.asked)).toEqual(new Set([room.community]));
    expect(await chat.type('/privacy')).not.toContain(gate.unapproved);
    expect(await chat.choose('Delete all my data')).not.toContain(gate.unapproved);
    expect(chat.state.did).toEqual([]);
  });

  interface Typed {
    readonly name: string;
    readonly subcommand: string | undefined;
  }
  const actions = commands.flatMap(({ name, subcommands }): readonly Typed[] =>
    subcommands === undefined
      ? [{ name, subcommand: undefined }]
      : Object.keys(subcommands).map((subcommand) => ({ name, subcommand })),
  );
  const isOpen = ({ name }: Typed): boolean => ['help', 'privacy'].includes(name);

  it.each(actions.filter((action) => !isOpen(action)))(
    'without approval the command /$name is refused (subcommand: $subcommand)',
    async ({ name, subcommand }) => {
      chat.state.moderators.add('web:ann');

      expect(await chat.command(name, {}, subcommand)).toBe(gate.unapproved);

      expect(chat.state.did).toEqual([]);
    },
  );

  it.each(actions.filter(isOpen))('without approval the command /$name is answered', async ({ name }) => {
    expect(await chat.command(name, {})).not.toBe(gate.unapproved);
    expect(chat.last).toMatchObject({ kind: 'message' });
  });

  it('without approval no list is asked for and nothing is suggested', async () => {
    chat.state.warm = () => expect.fail('a list was asked for');
    chat.state.ports = { ...chat.state.ports, reference: () => expect.fail('a filter was looked up') };
    await chat.type('/faceswap "Pop Art"', photo);
    await chat.type('/help');

    expect(buttonsOf(chat.last)).toEqual([]);

    for (const option of ['filter', 'face']) {
      const asked = { caller: ann, place: room, command: 'faceswap', option, typed: '' };
      expect(await chat.desk.complete(asked, 25)).toEqual([]);
    }
    expect(chat.state.errors).toEqual([]);
  });

  it('a chat without approval is told so once a day, and later commands need no answer', async () => {
    await chat.type('/usage');
    expect(chat.last).toEqual({ kind: 'chat-note', text: gate.unapproved });

    await chat.type('/jobs');
    expect(chat.last).toEqual({ kind: 'chat-told-before', text: gate.unapproved });

    chat.state.now += DAY_MS;
    await chat.type('/jobs');
    expect(chat.last).toEqual({ kind: 'chat-note', text: gate.unapproved });
  });

  it('a photo or a word in a direct chat without approval is refused, and chatter in a group is left alone', async () => {
    const alone = chat.as(ann, direct);
    expect(await alone.type('', photo)).toBe(gate.unapproved);
    expect(await alone.type('hello')).toBe(gate.unapproved);
    expect(await chat.type('hello')).toBe('');
    expect(await chat.type('/weather')).toBe('');
    expect(chat.state.asked).not.toContain(room.community);
  });

  it('a command that was begun before the approval was taken back does not go on', async () => {
    approve();
    await chat.type('/faceswap female', photo);
    const question = chat.last;
    const pick = buttonsOf(question)[0]?.action ?? '';
    const draft = question?.kind === 'ask' ? question.draft : '';
    revoke();

    expect(await chat.press(pick)).toBe(gate.unapproved);
    expect(await chat.press(`page:${draft}:1`)).toBe(gate.unapproved);
    expect(await chat.press(`ask:${draft}:prompt`)).toBe(gate.unapproved);

    const answer = { event: 'answer', caller: ann, place: room, draft, answers: { filter: '12' } };
    expect(await chat.desk.answer(answer)).toMatchObject({ text: gate.unapproved });
    expect(chat.state.generated).toEqual([]);

    approve();
    await chat.press(pick);
    expect(chat.last?.kind).toBe('card');
  });

  it('a community that loses its approval on the same day is told so', async () => {
    await chat.type('/usage');
    approve();
    await chat.type('/usage');
    revoke();
    await chat.type('/usage');

    expect(chat.last).toEqual({ kind: 'chat-note', text: gate.unapproved });
  });
});

const hour = 3_600_000;
const elsewhere: Place = { ...room, community: 'web:elsewhere', channel: 'elsewhere' };

/** A chat of Ann, who is blocked there. */
const blockedAnn = () => {
  const chat = createFakeChat();
  chat.state.blocked.add('web:ann');
  return chat;
};

it('a community whose settings were lost is told so, and not that somebody has paused it', async () => {
  approve();
  chat.state.paused = { reason: '', lost: true };

  expect(await chat.type('/faceswap 12 female', photo)).toBe(gate.settingsLost);
});

it('a blocked person is told once in some hours', async () => {
  const chat = blockedAnn();
  expect(await chat.type('/faceswap 12 male', photo)).toMatch(/blocked/);
  expect(chat.last).toMatchObject({ kind: 'note' });

  const lines = [
    '/faceswap 12 male',
    '/usage',
    // The lines from here on are for moderators, wrong, too long, or no command at all, and a blocked person is not told which.
    '/settings show',
    '/alias',
    '/faceswp 12',
    '/faceswap gender=nobody',
    `/animate ${'long '.repeat(3_000)}`,
    '/privacy now',
  ];
  for (const line of lines) {
    await chat.type(line, photo);
    expect(chat.last, line).toMatchObject({ kind: 'told-before' });
  }
  chat.state.now += 6 * hour;
  await chat.type('/usage');

  expect(chat.last).toMatchObject({ kind: 'note' });
});

it('each blocked person is told separately in each community', async () => {
  const chat = blockedAnn();
  chat.state.blocked.add('web:bob');

  for (const each of [chat, chat.as(ann, elsewhere), chat.as(bob)]) {
    await each.type('/usage');
    expect(each.last).toMatchObject({ kind: 'note' });
  }
});

it('commands that are open to blocked people are answered once in ten minutes', async () => {
  const chat = blockedAnn();
  expect(await chat.type('/help')).toMatch(/faceswap/);
  expect(await chat.type('/privacy')).not.toMatch(/blocked/);
  for (const line of ['/help', '/privacy', '/help faceswap'])
    expect(await chat.type(line)).toMatch(/blocked/);

  chat.state.now += hour;
  expect(await chat.type('/help')).toMatch(/faceswap/);
});

it('blocked people can finish deleting their data', async () => {
  const chat = blockedAnn();

  await chat.type('/privacy');
  const [first] = buttonsOf(chat.last);
  await chat.press(first?.action ?? '');
  await chat.choose('Cancel');
  await chat.choose(first?.label ?? '');
  await chat.choose('Yes, delete everything');

  expect(chat.last).toMatchObject({ kind: 'replace', view: { tone: 'done' } });
});

it('a blocked moderator can still moderate', async () => {
  const chat = blockedAnn();
  chat.state.moderators.add('web:ann');
  expect(await chat.type('/settings resume')).not.toMatch(/blocked/);
  expect(chat.state.did).toEqual(['resume']);
});
