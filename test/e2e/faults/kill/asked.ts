/** Requests of people to the whole program over Telegram while it is killed, and what must be true of them afterwards. */
import { expect } from 'vitest';
import { isFinal } from '../../../../src/orchestrator/job/job.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import type { TelegramPerson } from '../../../fakes/telegram/people.ts';
import type { FakeTelegram } from '../../../fakes/telegram/telegram.ts';
import type { StoredMessage } from '../../../fakes/telegram/world.ts';
import { photoOf } from '../../stage/pictures.ts';
import type { Chance } from './chance.ts';
import type { KillService } from './service.ts';

/** Matches the methods of Telegram that the program calls for its work; those with which every start begins do not count. */
export const work = /^(send|edit|answer|getFile)/;
const photo = await photoOf('#c02020');

export interface Asked {
  readonly person: TelegramPerson;
  readonly prompt: string;
}

const wishes = ['a portrait', 'turned away at first', 'refused by the service', 'failing at the service'];

/** Three new people ask once each, in chats of their own, so that the platform's limits play no part. */
export const sendSome = (telegram: FakeTelegram, chance: Chance, all: Asked[]): void => {
  for (let i = 0; i < 3; i += 1) {
    const person = telegram.person(`Person ${all.length}`);
    const wish = wishes[Math.floor(chance.between(0, wishes.length))] ?? '';
    const prompt = `${wish} ${all.length}`;
    telegram.openPrivate(person);
    person.types(person.chat, `/faceswap prompt="${prompt}" gender=female`, { photo });
    all.push({ person, prompt });
  }
};

/** Anybody who asked before presses Cancel, if their card still has it. */
export const cancelOne = (telegram: FakeTelegram, chance: Chance, all: readonly Asked[]): void => {
  const { person } = all[Math.floor(chance.between(0, all.length))] ?? {};
  const card = person && telegram.fromBot(person.chat).find(({ reply_markup: keys }) => keys !== undefined);
  const labels = card?.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? [];
  if (card && labels.includes('Cancel')) person?.presses(card, 'Cancel');
};

const textOf = (message: StoredMessage): string =>
  (message.text ?? message.caption ?? '').replaceAll('\u2060', '');

/** How a job can end on its card, in the words that people read there. */
const endings = {
  done: /AI-generated/,
  failed: /refunded/,
  cancelled: /Cancelled\./,
  uncertain: /not certain whether/,
};

const endOn = (message: StoredMessage): string | undefined => {
  const found = Object.entries(endings).flatMap(([state, words]) =>
    words.test(textOf(message)) ? [state] : [],
  );
  // A cancelled card also says that credits went back.
  return found.includes('cancelled') ? 'cancelled' : found[0];
};

export const endsOn = (telegram: FakeTelegram, { person }: Asked): string[] =>
  telegram.fromBot(person.chat).flatMap((message) => endOn(message) ?? []);

/** Whether a person was told to try again, because the store was away when they asked. */
export const isTurnedAway = (telegram: FakeTelegram, { person }: Asked): boolean =>
  telegram.fromBot(person.chat).some((message) => textOf(message).includes('Nothing was spent.'));

/** The answer to a press of Cancel that was handled too late for a note over the button. */
const PRESSED_LATE = 'This job has already ended.';

/**
 * Telegram cannot be asked whether a message was sent: a kill between sending a card and writing that down leaves one
 * that stays as it was. Nothing else may ever be said beside the card.
 */
const lostCards = (telegram: FakeTelegram, asked: Asked): number => {
  const more = telegram
    .fromBot(asked.person.chat)
    .filter((message) => endOn(message) === undefined && textOf(message) !== PRESSED_LATE);
  for (const message of more) {
    expect(textOf(message)).toContain(asked.prompt);
    expect(message.reply_markup?.inline_keyboard.flat().map(({ text }) => text)).toEqual(['Cancel']);
  }
  return more.length;
};

/** Checks that each job has one end, at most one run call and the right credits. Returns how much there was of each. */
export async function checkAll(
  { jobs, usage, audit }: Pick<Store, 'jobs' | 'usage' | 'audit'>,
  telegram: FakeTelegram,
  { runs }: Pick<KillService, 'runs'>,
  all: readonly Asked[],
): Promise<Record<string, number>> {
  const counts = {
    jobs: all.length,
    'run calls': 0,
    'credits spent': 0,
    'cards too many': 0,
    'turned away': 0,
  };
  const states: Record<string, number> = {};
  for (const asked of all) {
    const { user } = asked.person;
    const own = await jobs.ofPerson(`telegram:${user.id}`, 1_000_000);
    const isRefused = isTurnedAway(telegram, asked);
    if (isRefused) counts['turned away'] += 1;
    // An answer to a person must be true, whether the job had been stored or not.
    if (isRefused && own.every(({ state }) => state === 'cancelled')) {
      expect(runs.get(asked.prompt) ?? 0, `run calls for ${asked.prompt}`).toBe(0);
      for (const { charge, settled } of own)
        expect({ charge, settled }).toEqual({ charge: 'returned', settled: true });
      continue;
    }
    expect(isRefused, `an apology for ${asked.prompt}, whose job went on`).toBe(false);
    expect(own, `jobs for ${asked.prompt}`).toHaveLength(1);
    const [job] = own;
    if (job === undefined) continue;
    expect(isFinal(job.state) && job.settled, `${asked.prompt} has ended`).toBe(true);
    const ends = endsOn(telegram, asked);
    expect(new Set(ends), `ends on the cards of ${asked.prompt}`).toEqual(new Set([job.state]));
    // A job that was cancelled on a card whose sending was not written down gets another card, which says so, too.
    if (job.state !== 'cancelled') expect(ends).toHaveLength(1);

    const taken = runs.get(asked.prompt) ?? 0;
    expect(taken, `run calls for ${asked.prompt}`).toBeLessThanOrEqual(1);
    if (job.state === 'done') expect(taken).toBe(1);
    if (job.state === 'failed') expect(job.charge).toBe('returned');
    else if (job.state !== 'cancelled' || taken === 1) expect(job.charge).toBe('spent');
    const spent = job.charge === 'spent' ? job.credits : 0;
    const counted = await usage.person(job.day, job.place.community, `telegram:${user.id}`);
    expect(counted, `credits of ${asked.prompt}`).toMatchObject({ reserved: 0, spent, jobs: 1 });

    const lines = (await audit.recent(job.place.community, 10)).filter(({ action }) => action === 'job');
    expect(lines, `audit lines of ${asked.prompt}`).toHaveLength(1);

    states[job.state] = (states[job.state] ?? 0) + 1;
    counts['run calls'] += taken;
    counts['credits spent'] += spent;
    counts['cards too many'] += lostCards(telegram, asked);
  }
  return { ...counts, ...states };
}
