import { describe, expect, it } from 'vitest';
import { createHeldPort } from '../../../../src/app/jobs/held-port.ts';
import type { HeldDecision } from '../../../../src/command/held-port.ts';
import type { Caller, Place } from '../../../../src/command/place.ts';
import { createModerators } from '../../../../src/community/rules/moderators.ts';
import { GenerationError } from '../../../../src/generation-client/wire/errors.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import type { JobFields } from '../../../fakes/job.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';

const words = wordsFor('en');
const person = (id: string): Caller => ({ platform: 'telegram', id, name: id, locale: 'en' });
const ann = person('1');
const mod = person('2');
const owner = person('3');
const group: Place = { platform: 'telegram', community: 'telegram:-5', channel: '-5', direct: false };
const direct = ({ id }: Caller): Place => ({
  platform: 'telegram',
  community: `telegram:dm:${id}`,
  channel: id,
  direct: true,
});
const picture = {
  kind: 'image',
  bytes: Buffer.from('picture'),
  type: 'image/png',
  name: 'result.png',
  as: 'inline',
  alt: '',
  width: 1,
  height: 1,
} as const;

/** One job, which is held unless a test says otherwise; only `mod` moderates the group. */
const open = (
  fields: JobFields = {},
  status = async () => ({ state: 'completed', output: { kind: 'image', bytes: picture.bytes } }),
) => {
  const job = sampleJob({ state: 'held', caller: ann, place: group, ...fields });
  const lines: string[] = [];
  const decided: HeldDecision[] = [];
  /** The pictures that were noted before a moderator saw them. */
  const seen: string[] = [];
  const moderators = createModerators(
    ['telegram:3'],
    async (caller, place) => caller.id === mod.id && place.community === group.community,
  );
  const port = createHeldPort({
    orchestrator: {
      get: async (id) => (id === job.id ? job : undefined),
      lookedAtHeld: async (_id, output) => {
        if (output.kind === 'image') seen.push(output.bytes.toString());
      },
      decideHeld: async (_id, decision) => {
        decided.push(decision);
        return { job, isChanged: decided.length === 1 };
      },
    },
    rules: { presentPlace: async (place) => place },
    moderators,
    audit: {
      note: async (who, { community }, action) => void lines.push(`${who.id} ${community} ${action}`),
    },
    client: { status: status as never },
    fitResult: async () => picture,
    takeBack: {
      begin: async () => {
        lines.push('take back');
        return [];
      },
    },
    counted: () => undefined,
  });
  const as = (caller: Caller, place: Place) =>
    port({ event: 'event', caller, place }, words, moderators.of({ caller, place }));
  return { job, as, lines, decided, seen };
};
const refused = { kind: 'not-yours', text: words.gate.moderatorsOnly };

describe('a held result', () => {
  it('a held result is shown to the moderator alone, hidden behind a spoiler, stored nowhere, and audited', async () => {
    const { as, job, lines, seen } = open();

    const reply = await as(mod, group).look(job.id);

    expect(seen).toEqual(['picture']);
    expect(reply).toMatchObject({
      kind: 'result',
      audience: 'caller',
      view: { media: { spoiler: true, showsPhoto: true } },
    });
    expect(lines).toEqual(['2 telegram:-5 moderator.held-look']);
  });

  it.each([
    { who: 'a moderator of its place', caller: mod, place: group },
    { who: 'a moderator of its place who presses in a direct chat', caller: mod, place: direct(mod) },
    { who: 'an owner', caller: owner, place: direct(owner) },
  ])('a held result is decided about by $who', async ({ caller, place }) => {
    const { as, job, decided, lines } = open();

    expect(await as(caller, place).decide(job.id, 'show')).toMatchObject({ kind: 'replace' });

    expect(decided).toEqual(['show']);
    expect(lines).toEqual([`${caller.id} telegram:-5 moderator.held-show`, 'take back']);
  });

  it('a held result is neither shown to others nor decided about by them, its requester included, and nothing is written', async () => {
    const { as, job, decided, lines } = open();
    for (const place of [group, direct(ann)]) {
      expect(await as(ann, place).look(job.id)).toEqual(refused);
      expect(await as(ann, place).decide(job.id, 'show')).toEqual(refused);
      expect(await as(ann, place).look('no-such-job')).toEqual(refused);
    }
    expect(decided).toEqual([]);
    expect(lines).toEqual([]);
  });

  it('a held result of a direct chat is for owners alone', async () => {
    const { as, job } = open({ place: direct(ann) });
    expect(await as(ann, direct(ann)).look(job.id)).toEqual(refused);
    expect(await as(mod, direct(mod)).look(job.id)).toEqual(refused);
    expect(await as(owner, direct(owner)).look(job.id)).toMatchObject({ kind: 'result' });
  });

  it('a held result that was decided about before is said to be so', async () => {
    const { as, job } = open();
    await as(mod, group).decide(job.id, 'remove');

    expect(await as(mod, group).decide(job.id, 'show')).toEqual({ kind: 'note', text: words.held.decided });
  });

  it('a result that is not held any more is not looked at, and said to be decided about', async () => {
    const { as, job } = open({ state: 'done' });

    expect(await as(mod, group).look(job.id)).toEqual({ kind: 'note', text: words.held.decided });
  });

  it('a held result that the service does not give now, or no longer, is not shown', async () => {
    const failing = (kind: 'unreachable' | 'not-found') => async () => {
      throw new GenerationError({ kind, endpoint: 'test', message: kind, mayHaveArrived: false });
    };
    const away = open({}, failing('unreachable'));
    const gone = open({}, failing('not-found'));

    expect(await away.as(mod, group).look(away.job.id)).toEqual({ kind: 'note', text: words.held.away });
    expect(await gone.as(mod, group).look(gone.job.id)).toEqual({ kind: 'note', text: words.press.noResult });
  });
});
