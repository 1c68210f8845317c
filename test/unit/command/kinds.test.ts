import { expect, it } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { drawCard } from '../../../src/cards/card.ts';
import {
  FOLLOW_UPS,
  filterKeyOf,
  filterOf,
  givenFrom,
  hasFollowUp,
  photosOf,
  textsOf,
} from '../../../src/command/request.ts';
import { type JobKind, jobKinds, KINDS, outputOf } from '../../../src/kinds/kinds.ts';
import { wordsFor } from '../../../src/words/words.ts';
import { ann, buttonsOf, createFakeChat, room } from '../../fakes/call.ts';
import { allRequests, requestOf, requestsByField } from '../../fakes/requests.ts';
import { sampleJob } from '../../fakes/sample-job.ts';

/** Rules of every kind in the table, and so of a kind that is added. */

const done = (kind: JobKind) =>
  sampleJob({ id: 'job-1', caller: ann, place: room, request: requestOf(kind), state: 'done' });

const chatWith = (kind: JobKind) => {
  const chat = createFakeChat();
  const request = requestOf(kind);
  const made = { id: 'job-1', state: 'done', kind, label: '', credits: 2, createdAt: 0 } as const;
  const result = { from: 'web', ref: 'result-1' } as const;
  chat.state.jobs.push({ ...made, owner: 'web:ann', community: 'web:room', request, result });
  return chat;
};

it.each(allRequests())(
  'a job of the kind $kind is repeated unchanged by the options that it came from',
  async (wanted) => {
    const chat = createFakeChat();
    const { command, given } = givenFrom(wanted);

    await chat.command(command, given);

    expect(chat.state.generated.map(({ request }) => request)).toEqual([wanted]);
  },
);

it.each(requestsByField())('every value of $name of the kind $kind is repeated', ({ values, requests }) => {
  const given = requests.map((request) => JSON.stringify(givenFrom(request).given));
  expect(new Set(given).size, 'values that the repeated command can tell apart').toBe(values.length);
});

it.each(jobKinds)(
  'every field of the kind %s is a photo, a filter, a text or a choice of its command',
  (kind) => {
    const request = requestOf(kind);
    const { given } = givenFrom(request);
    const options = commands.find(({ name }) => name === KINDS[kind].command)?.action?.options ?? {};

    expect(Object.keys(given).filter((name) => options[name] === undefined)).toEqual([]);

    const values = Object.values(given);
    for (const photo of photosOf(request)) expect(values).toContainEqual(photo);
    for (const text of textsOf(request)) expect(values).toContain(text);

    const texts = Object.keys(given).filter((name) => options[name]?.kind === 'text');
    expect(texts.map((name) => given[name])).toEqual(textsOf(request));

    const references = Object.keys(given).filter((name) => options[name]?.kind === 'reference');
    expect(references).toHaveLength(filterOf(request) === undefined ? 0 : 1);
    expect(filterKeyOf(request)).toBe(references.length === 0 ? undefined : `${filterOf(request)?.list}:3`);
  },
);

it.each(jobKinds)('a result of the kind %s has the buttons of its kind and no others', (kind) => {
  const words = wordsFor('en');
  const media = { kind: 'link', url: 'https://example.org/result', label: 'result' } as const;
  const buttons = buttonsOf({ kind: 'replace', view: drawCard(done(kind), {}, words, media) });
  const shown = buttons.map(({ action }) => action.split(':')[0]);

  expect(FOLLOW_UPS.filter((verb) => shown.includes(verb))).toEqual(
    FOLLOW_UPS.filter((verb) => hasFollowUp(kind, verb)),
  );
});

const pairs = jobKinds.flatMap((kind) => FOLLOW_UPS.map((verb) => ({ kind, verb })));

/** What each button that goes on from a result asks for. */
const ASKED = { other: 'reference', animate: 'text' } as const satisfies Record<
  (typeof FOLLOW_UPS)[number],
  string
>;

it.each(pairs.filter(({ kind, verb }) => hasFollowUp(kind, verb)))(
  'the button $verb on a result of the kind $kind asks for what it needs',
  async ({ kind, verb }) => {
    const chat = chatWith(kind);

    await chat.press(`${verb}:job-1`);

    expect(chat.last).toMatchObject({ kind: 'ask', questions: [{ kind: ASKED[verb] }] });
    expect(chat.state.generated).toEqual([]);
  },
);

it.each(pairs.filter(({ kind, verb }) => !hasFollowUp(kind, verb)))(
  'the button $verb is refused on a result of the kind $kind, which does not have it',
  async ({ kind, verb }) => {
    const chat = chatWith(kind);

    expect(await chat.press(`${verb}:job-1`)).toMatch(/no longer valid/);

    expect(chat.state.generated).toEqual([]);
  },
);

it.each(jobKinds)('the kind %s makes what its endpoint makes, with a command that generates', (kind) => {
  expect(KINDS[kind].output).toBe(outputOf(kind));

  const command = commands.find(({ name }) => name === KINDS[kind].command);
  expect(command?.name, 'its command in commands/index.ts').toBe(KINDS[kind].command);
  expect(command?.generates).toBe(true);
});
