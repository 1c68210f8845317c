import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../../../../commands/index.ts';
import { wordsFor } from '../../../../../src/words/words.ts';
import {
  alice,
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
const approved = (yes: boolean): void => {
  if (yes) chat.state.unapproved.delete(room.community);
  else chat.state.unapproved.add(room.community);
};

describe('where no owner has approved the community', () => {
  it('everything but /help and /privacy is refused, also for moderators, and the owners are asked', async () => {
    chat.state.moderators.add('web:alice');
    const lines = ['/faceswap 12 female', '/filters', '/usage', '/jobs', '/face list', '/face delete me'];
    const moderators = ['/settings show', '/settings pause', '/alias list', '/settings approve', '/settings'];
    for (const line of [...lines, ...moderators, '/faceswp', '/animate duration=9s'])
      expect([line, await chat.type(line, photo)]).toEqual([line, gate.unapproved]);
    expect(new Set(chat.state.asked)).toEqual(new Set([room.community]));
    expect(await chat.type('/help')).toContain('What I can do');
    expect(await chat.type('/help faceswap')).toContain('/faceswap');
    expect(await chat.type('/privacy')).not.toContain(gate.unapproved);
    expect(await chat.choose('Delete all my data')).not.toContain(gate.unapproved);
    expect(chat.state.did).toEqual([]);
  });

  it.each(commands.map((command) => [command.name, command] as const))(
    'of /%s only what is open to everybody is answered',
    async (name, { subcommands }) => {
      chat.state.moderators.add('web:alice');
      for (const subcommand of subcommands === undefined ? [undefined] : Object.keys(subcommands)) {
        const said = await chat.command(name, {}, subcommand);
        expect([name, subcommand, said === gate.unapproved]).toEqual([
          name,
          subcommand,
          !['help', 'privacy'].includes(name),
        ]);
      }
      expect(chat.state.did).toEqual([]);
    },
  );

  it('no list is asked for and nothing is suggested', async () => {
    chat.state.warm = () => {
      throw new Error('a list was asked for');
    };
    let looked = 0;
    chat.state.ports = {
      ...chat.state.ports,
      reference: async () => {
        looked += 1;
        throw new Error('a filter was looked up');
      },
    };
    await chat.type('/faceswap "Pop Art"', photo);
    await chat.type('/help');
    expect(buttonsOf(chat.last)).toEqual([]);
    for (const option of ['filter', 'face'])
      expect(
        await chat.desk.complete({ caller: alice, place: room, command: 'faceswap', option, typed: '' }, 25),
      ).toEqual([]);
    expect(looked).toBe(0);
    expect(chat.state.errors).toEqual([]);
  });

  it('a chat is told once a day; the rest needs no answer', async () => {
    await chat.type('/usage');
    expect(chat.last).toEqual({ kind: 'note', text: gate.unapproved, everybody: true });
    await chat.type('/jobs');
    expect(chat.last).toEqual({ kind: 'note', text: gate.unapproved, known: 'chat' });
    chat.state.now += DAY_MS;
    await chat.type('/jobs');
    expect(chat.last).toEqual({ kind: 'note', text: gate.unapproved, everybody: true });
  });

  it('a photo or a word in a direct chat is refused, too; chatter in a group is left alone', async () => {
    const alone = chat.as(alice, direct);
    expect(await alone.type('', photo)).toBe(gate.unapproved);
    expect(await alone.type('hello')).toBe(gate.unapproved);
    expect(await chat.type('hello')).toBe('');
    expect(await chat.type('/weather')).toBe('');
    expect(chat.state.asked).not.toContain(room.community);
  });

  it('what was begun before the approval was taken back does not go on', async () => {
    approved(true);
    await chat.type('/faceswap female', photo);
    const question = chat.last;
    const pick = buttonsOf(question)[0]?.action ?? '';
    const draft = question?.kind === 'ask' ? question.draft : '';
    approved(false);
    expect(await chat.press(pick)).toBe(gate.unapproved);
    expect(await chat.press(`page:${draft}:1`)).toBe(gate.unapproved);
    expect(await chat.press(`ask:${draft}:prompt`)).toBe(gate.unapproved);
    expect(
      await chat.desk.answer({
        event: 'answer',
        caller: alice,
        place: room,
        draft,
        answers: { filter: '12' },
      }),
    ).toMatchObject({ kind: 'note', text: gate.unapproved });
    expect(chat.state.generated).toEqual([]);
    approved(true);
    await chat.press(pick);
    expect(chat.last?.kind).toBe('card');
  });

  it('whoever loses the approval on the same day is told so', async () => {
    await chat.type('/usage');
    approved(true);
    await chat.type('/usage');
    approved(false);
    await chat.type('/usage');
    expect(chat.last).toEqual({ kind: 'note', text: gate.unapproved, everybody: true });
  });
});
