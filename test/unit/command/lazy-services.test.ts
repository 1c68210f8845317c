import { beforeEach, expect, it } from 'vitest';
import { buttons } from '../../../commands/buttons/index.ts';
import { lazily } from '../../../src/base/lazy.ts';
import { type CommandContext, defineAction } from '../../../src/command/command.ts';
import { createPress } from '../../../src/command/desk/handle-press.ts';
import { contextFor, type DeskParts } from '../../../src/command/desk/parts/desk-parts.ts';
import { createTurnAway } from '../../../src/command/desk/parts/turn-away.ts';
import { wordsFor } from '../../../src/words/words.ts';
import { alice, room } from '../../fakes/call.ts';

const note = { kind: 'note', text: 'Cancelled.' } as const;
const job = { owner: 'web:alice', kind: 'self-prompt', community: room.community, cancel: async () => note };
const incoming = { caller: alice, place: room, event: 'event' };
let made: string[];
let parts: DeskParts;
beforeEach(() => {
  made = [];
  const making = (name: string, service: unknown) => ({
    [name]: () => {
      made.push(name);
      return service;
    },
  });
  const services = {
    ...making('jobs', { find: async () => job }),
    ...making('isModerator', async () => true),
    ...making('catalog', {}),
    ...making('settings', {}),
  };
  const [portsFor, clock] = [lazily(services), { now: () => 0 }];
  parts = { buttons, commands: [], portsFor, words: wordsFor, clock } as unknown as DeskParts;
});

it('a press of Cancel makes no other service than it uses', async () => {
  const unused = () => expect.fail('not for Cancel');
  const resume = { own: unused, ask: unused, as: unused, withAnswers: unused, switchTo: unused };
  const press = createPress({ ...parts, ...createTurnAway(parts) }, unused, resume);
  expect(await press({ ...incoming, action: 'cancel:job-1' })).toEqual(note);
  expect(made.toSorted()).toEqual(['isModerator', 'jobs']);
});

it('a command makes no other service than it uses', async () => {
  const action = defineAction({
    description: 'Lists jobs',
    options: {},
    run: async ({ jobs, now }) => ({ kind: 'note', text: `${jobs === undefined} ${now}` }),
  });
  const read = action.read({}, wordsFor('en'));
  if ('missing' in read) throw new Error('Nothing is missing.');
  const call = contextFor(parts, incoming) as unknown as CommandContext;
  expect(await read.run(call)).toMatchObject({ text: 'false 0' });
  expect(made).toEqual(['jobs']);
});
