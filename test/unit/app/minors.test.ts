/** Where an owner has decided that boys and girls are not accepted, by the whole core. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../../commands/index.ts';
import type { Given } from '../../../src/command/option.ts';
import type { Caller } from '../../../src/command/place.ts';
import { parseLine, readCommandLine } from '../../../src/command/text/grammar.ts';
import { withoutMinors } from '../../../src/command/without-minors.ts';
import { isMinor } from '../../../src/kinds/choices.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { LANGUAGES } from '../../../src/words/language.ts';
import { wordsFor } from '../../../src/words/words.ts';
import { buttonsOf, textOf } from '../../fakes/call.ts';
import { createTestCore, type TestCore } from '../../fakes/core.ts';

const english = wordsFor('en');
const refusal = english.failure['no-minors'];
const ann: Caller = { platform: 'web', id: 'ann', name: 'Ann', locale: 'en' };
const place = { platform: 'web', community: 'web:room', channel: 'room', direct: false } as const;
const photo = { from: 'web', ref: 'photo' } as const;

let refusing: TestCore;
/** The same program before its owner refused boys and girls, on the same store. */
let allowing: TestCore;
let events = 0;
const incoming = (caller = ann) => ({ caller, place, event: `event-${++events}` });
const swap = (core: TestCore, given: Given, caller = ann) =>
  core.desk.command({ ...incoming(caller), command: 'faceswap', given: { photo, filter: '3', ...given } });

beforeEach(async () => {
  const store = await openSqliteStore({ path: ':memory:', keys: [] });
  allowing = await createTestCore({ store: { ...store, close: async () => undefined } });
  refusing = await createTestCore({ store, env: { MINORS: 'refuse' } });
});

afterEach(async () => {
  await allowing.close();
  await refusing.close();
});

describe('boys and girls', () => {
  it('boys and girls are accepted as long as nothing is set', async () => {
    expect((await swap(allowing, { gender: 'boy' })).kind).toBe('card');
  });

  it.each(['boy', 'girl', 'GIRL', ' Boy '])(
    'boys and girls are refused with the reason (%s)',
    async (gender) => {
      expect(textOf(await swap(refusing, { gender }))).toContain(refusal);
      const prompted = { photo, prompt: 'a pirate', gender };
      const reply = await refusing.desk.command({ ...incoming(), command: 'faceswap', given: prompted });
      expect(textOf(reply)).toContain(refusal);
    },
  );

  it.each(LANGUAGES)(
    'boys and girls are refused by their names in the language of the person (%s)',
    async (locale) => {
      const words = wordsFor(locale);
      const caller = { ...ann, locale };
      for (const minor of ['boy', 'girl']) {
        const reply = await swap(refusing, { gender: words.choices[minor] ?? minor }, caller);
        expect(textOf(reply)).toContain(words.failure['no-minors']);
      }
    },
  );

  it('boys and girls are not offered, also to somebody who chose one last', async () => {
    expect((await swap(allowing, { gender: 'girl' })).kind).toBe('card');
    const asked = await swap(refusing, {});
    const offered = buttonsOf(asked).map(({ action }) => action.split(':').at(-1));
    expect(offered).toEqual(['male', 'female', 'group']);
  });

  it('a forged press that chooses a girl is refused', async () => {
    const asked = await swap(refusing, {});
    const pick = buttonsOf(asked).find(({ action }) => action.endsWith(':gender:female'))?.action ?? '';
    const forged = pick.replace('female', 'girl');
    const reply = await refusing.desk.press({ ...incoming(), action: forged });
    expect(textOf(reply)).toContain(refusal);
  });

  it('a draft for a boy that was made before is refused', async () => {
    const given = { photo, gender: 'boy' };
    const asked = await allowing.desk.command({ ...incoming(), command: 'faceswap', given });
    const pick = buttonsOf(asked).find(({ action }) => action.startsWith('pick:'))?.action ?? '';
    expect(pick).not.toBe('');
    expect(textOf(await refusing.desk.press({ ...incoming(), action: pick }))).toContain(refusal);
  });

  it.each(['again', 'other'])(
    'a job of a boy that was made before is not repeated by the button %s',
    async (verb) => {
      const card = await swap(allowing, { gender: 'boy' });
      const job = card.kind === 'card' ? card.job : expect.fail(textOf(card));
      await allowing.become(job, 'done');
      const reply = await refusing.desk.press({ ...incoming(), action: `${verb}:${job}` });
      expect(textOf(reply)).toContain(refusal);
    },
  );

  it('the port that makes jobs refuses a job of a boy, whatever the command has let pass', async () => {
    const request = { kind: 'self-prompt', photo, prompt: 'a pirate', gender: 'boy' } as const;
    const ports = refusing.portsFor(incoming());
    await expect(ports.newJobs.make(request, { private: false })).rejects.toThrow(refusal);
  });
});

describe('what platforms are given to offer', () => {
  const adults = withoutMinors(commands);

  it('no option of any command offers boys or girls, and nothing else is missing', () => {
    const choices = (all: typeof commands) =>
      all.flatMap(({ action, subcommands = {} }) =>
        [...(action === undefined ? [] : [action]), ...Object.values(subcommands)].flatMap(({ options }) =>
          Object.values(options).flatMap((option) => (option.kind === 'choice' ? option.choices : [])),
        ),
      );
    expect(choices(adults)).toEqual(choices(commands).filter((each) => !isMinor(each)));
    expect(choices(commands).filter(isMinor)).toEqual(['boy', 'girl', 'boy', 'girl']);
  });

  it('a typed boy or girl is still read as who is in the photo, not as a description of the picture', () => {
    const line = readCommandLine('/faceswap boy', adults);
    const known = () => false;
    const grammar = { commands: adults, words: english, known, resembles: known };
    expect(line && parseLine(line, [photo], grammar).given).toEqual({ photo, gender: 'boy' });
  });
});
