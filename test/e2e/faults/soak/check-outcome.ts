import { expect } from 'vitest';
import { isFinal, type Job } from '../../../../src/orchestrator/job/job.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { allOf } from '../../../all-of.ts';
import type { Person, Seen } from '../../stage/chat.ts';
import type { Stage } from '../../stage/stage.ts';
import { type People, seenBy } from './people.ts';
import { type FaultyService, numberOf } from './service.ts';

/** Updates and jobs that are not finished yet, as text for the log. */
export const unfinishedWork = async (
  { telegram }: Stage,
  { members }: People,
  { jobs }: Store,
): Promise<readonly string[]> => [
  ...telegram.delivery.pending.map(({ update_id: id }) => `update ${id}`),
  ...(await Promise.all(members.map(({ key }) => jobs.ofPerson(key, 1_000_000))))
    .flat()
    .filter((job) => !isFinal(job.state) || !job.settled)
    .map((job) => JSON.stringify(job)),
];

/** The id of a job's card as people know it, see `Seen`. */
const placeOf = ({ card }: Job): string => {
  const { chat, message } = JSON.parse(card?.ref ?? '{}');
  return chat === undefined ? String(message) : `${chat}/${message}`;
};

const promptOf = ({ request }: Job): string => ('prompt' in request ? request.prompt : '');

/** Whether a run request for the job may have arrived at the service. */
const maySubmit = ({ serviceId, state, charge }: Job): boolean =>
  serviceId !== undefined || state === 'uncertain' || (state === 'cancelled' && charge === 'spent');

/** The credits of a job in each final state but `cancelled`, where both can be. */
const charges = { done: 'spent', uncertain: 'spent', failed: 'returned' } as const;

/** Compares what people see, the calls to the service and the records with one another. Returns the jobs by state. */
export const checkOutcome = async (
  { recorder }: Stage,
  people: People,
  { jobs, usage, audit }: Store,
  made: FaultyService['made'],
): Promise<Readonly<Record<string, number>>> => {
  const counts: Record<string, number> = {};
  const lines = (await allOf(audit.since(0))).filter(({ action }) => action === 'job');
  const all: Job[] = [];

  const checkCard = (job: Job, card: Seen | undefined): void => {
    const name = `${job.id}, ${job.state}, ${placeOf(job)}`;
    if (card === undefined) {
      expect(people.takenDown, `the card of ${name}`).toContain(placeOf(job));
      return;
    }
    const ends = card.buttons.filter((label) => ['Again', 'Retry', 'Cancel'].includes(label));
    const { text, buttons } = card;
    expect(ends, `the end on the card of ${name}, which reads ${JSON.stringify({ text, buttons })}`).toEqual([
      job.state === 'done' ? 'Again' : 'Retry',
    ]);
    const shown = card.media && numberOf(card.media.bytes);
    expect(shown, `the result of ${name}`).toBe(
      job.state === 'done' ? made.get(job.serviceId ?? '') : undefined,
    );
    if (job.private) expect(card.private, `${name} is seen by its person alone`).toBe(true);
  };

  const checkPerson = async (person: Person): Promise<void> => {
    const own = await jobs.ofPerson(person.key, 1_000_000);
    for (const job of own) {
      if (isFinal(job.state) && job.state !== 'cancelled')
        expect(job.charge, job.state).toBe(charges[job.state]);
      if (job.card !== undefined) checkCard(job, person.again({ id: placeOf(job) }));
      else expect(job.state, 'without a card').toBe('cancelled');
      expect(
        lines.filter(({ detail }) => detail.job === job.id),
        'in the audit trail',
      ).toHaveLength(1);
      counts[job.state] = (counts[job.state] ?? 0) + 1;
    }
    for (const { place, day } of own) {
      const there = own.filter((job) => job.place.community === place.community && job.day === day);
      const paid = there.filter(({ charge }) => charge === 'spent');
      const spent = paid.reduce((sum, { credits }) => sum + credits, 0);
      const counted = await usage.person(day, place.community, person.key);
      expect(counted, 'credits').toMatchObject({ reserved: 0, spent, jobs: there.length });
    }
    all.push(...own);
  };

  for (const each of people.members) await checkPerson(each);

  for (const prompt of people.prompts) {
    const calls = recorder.runs().filter(({ body }) => body.prompt === prompt);
    const arrived = calls.filter(({ status = 0 }) => status < 400 || status >= 500).length;
    const asked = all.filter((job) => promptOf(job) === prompt && maySubmit(job)).length;
    expect(arrived, `run calls for ${prompt}`).toBeLessThanOrEqual(asked);
    counts['run calls'] = (counts['run calls'] ?? 0) + arrived;
  }

  const messages = new Map(people.members.flatMap((each) => seenBy(each).map((seen) => [seen.id, seen])));
  const results = [...messages.values()].flatMap(({ media }) => (media ? [numberOf(media.bytes)] : []));
  expect(results.length, 'results, each shown once').toBe(new Set(results).size);
  return counts;
};
