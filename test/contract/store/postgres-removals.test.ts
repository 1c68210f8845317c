// @module-tag slow
/** Removals and decisions of several processes at once, on one database: every store has a pool of its own. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { removed } from '../../../src/orchestrator/job/final-states.ts';
import { cleared } from '../../../src/orchestrator/steps/hold.ts';
import {
  createMessageDeletions,
  messageDeletionRecordRules,
} from '../../../src/safety/removal/message-deletions.ts';
import {
  createRemovalRecords,
  type OpenRemoval,
  openRemovalRecordRules,
  removalCountRecordRules,
  removalRecordRules,
} from '../../../src/safety/removal/removal-records.ts';
import {
  createResultMessages,
  resultMessageRecordRules,
} from '../../../src/safety/removal/result-messages.ts';
import type { Store } from '../../../src/store/tables/store.ts';
import { sampleJob } from '../../fakes/sample-job.ts';
import { keyOf } from '../../fakes/store-file.ts';
import { insert } from './suite/driver.ts';
import { createPostgres } from './suite/postgres-driver.ts';
import { placeForEach } from './suite/set-up.ts';

const keys = [keyOf(3)];

describe('several processes on PostgreSQL', { tags: ['postgres'] }, () => {
  const postgres = createPostgres();
  const place = placeForEach(postgres);
  let stores: readonly Store[];
  beforeEach(async () => {
    const start = (member: string) => place.another(keys, member);
    stores = await Promise.all([start('a'), start('b'), start('c'), start('d')]);
  });
  afterAll(() => postgres.end());

  const now = () => place.time.now;
  const card = (number: number) => ({ platform: 'web', ref: `message-${number}` }) as const;
  const removalBy = (name: string): OpenRemoval => ({
    job: 'job',
    community: 'web:room',
    kind: 'face-swap-v6',
    at: now(),
    until: now() + 60_000,
    by: { key: `web:${name}`, name, isOwner: false },
    reason: '',
    messages: 0,
    remaining: 0,
    photos: 0,
    open: { messages: [], photos: [], hashes: [], tries: 0, due: now() },
  });

  it('of the decisions Show and Remove that several processes make at once, one counts', async () => {
    const [first] = stores;
    const held = sampleJob({ state: 'held', createdAt: now() });
    if (first === undefined) throw new Error('no store');
    await insert(first, held);

    // All of them read the job before any of them has decided.
    const read = await Promise.all(stores.map(({ jobs }) => jobs.get(held.id)));
    const made = await Promise.all(
      stores.map(async ({ jobs }, index) => {
        const found = read[index];
        if (found?.state !== 'held') throw new Error('it is not held');
        const after = index % 2 === 0 ? cleared(found, now()) : removed(found, 'content-removed', now());
        return jobs.save(found, after);
      }),
    );

    const counted = made.filter((each) => each !== undefined);
    expect(counted).toHaveLength(1);
    expect((await first.jobs.get(held.id))?.state).toBe(counted[0]?.state);
  });

  it('a removal that several processes begin is one, and loses no message that is added meanwhile', async () => {
    const removals = stores.map((store) =>
      createRemovalRecords(
        {
          removals: store.keyv('removals', removalRecordRules),
          open: store.keyv('open-removals', openRemovalRecordRules),
          counts: store.keyv('removal-counts', removalCountRecordRules),
        },
        now,
      ),
    );

    const begun = await Promise.all(removals.map((records, index) => records.add(removalBy(`mod-${index}`))));
    await Promise.all(
      removals.map((records, index) =>
        records.change('job', (before) =>
          before.open === undefined
            ? undefined
            : { ...before, open: { ...before.open, messages: [...before.open.messages, card(index)] } },
        ),
      ),
    );

    expect(new Set(begun.map(({ by }) => by.key)).size).toBe(1);
    expect((await removals[0]?.find('job'))?.open?.messages).toHaveLength(stores.length);
  });

  it('messages with a result, and those to be deleted, are all kept when several processes note them', async () => {
    const shown = stores.map((store) =>
      createResultMessages(store.keyv('result-messages', resultMessageRecordRules)),
    );
    const deletions = stores.map((store) =>
      createMessageDeletions(store.keyv('message-deletions', messageDeletionRecordRules), now),
    );

    await Promise.all(
      shown.map((each, index) => each.shown('job', 'web:ann', `event-${index}`, { card: card(index) })),
    );
    await Promise.all(deletions.map((each, index) => each.add('job', [card(index)], now())));
    await deletions[0]?.tried('job', [card(0), card(1)], [card(1)], now());

    expect((await shown[0]?.of('job'))?.messages).toHaveLength(stores.length);
    const [due] = (await deletions[1]?.due()) ?? [];
    expect(due?.messages.map(({ ref }) => ref).toSorted()).toEqual(['message-1', 'message-2', 'message-3']);
  });
});
