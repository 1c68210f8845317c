import { ageSinceJump, startedAfterJump } from '../job/clock-jumps.ts';
import { isOwners, lasting } from '../job/failure.ts';
import type { Job, RunningJob } from '../job/job.ts';
import { credentialsOf, outputOf } from '../job/job-kinds.ts';
import { within } from '../job/with-timeout.ts';
import type { Gate } from '../service/service-gate.ts';
import type { Effects } from '../steps/effects.ts';
import type { ServiceCalls } from './service-calls.ts';
import type { WorkerParts } from './worker-parts.ts';

const RESOLVE_MS = 60_000;
const SEARCH_MS = 30_000;
const REFRESH_MS = 10_000;
export const DRAW_MS = 180_000;

/** What every step may do, as this process does it: nothing is awaited for ever. */
export function createEffects(parts: WorkerParts, calls: Pick<ServiceCalls, 'answeredAt'>): Effects {
  const { records, ports, gates, timing, clock, deadlines } = parts;
  const gateOf = (job: Job): Gate => gates[credentialsOf(job.request.kind)];
  const deadline = ({ request: { kind }, submittedAt }: RunningJob): number =>
    Math.max(submittedAt, clock.lastForwardJump()) +
    (outputOf(kind) === 'video' ? deadlines.videoMs : deadlines.imageMs);
  const aged = (job: RunningJob): RunningJob => ageSinceJump(job, clock.lastForwardJump());
  const isTimed = (job: RunningJob): boolean => startedAfterJump(job, clock.lastForwardJump());

  return {
    now: clock.now,
    random: parts.random,
    async save(before, after, durability, hand) {
      const saved = await parts.save(before, after, durability, hand);
      if (durability !== 'lossy') await records.onDisk();
      return saved;
    },
    load: records.get,
    giveBack: records.giveBack,
    retireServiceId: records.retireServiceId,
    admit: async (job) => ports.admit?.(job),
    resolve: (choice, job) => within(clock, RESOLVE_MS, () => ports.resolve(choice, job)),
    findCard: (answer, job) => within(clock, SEARCH_MS, async () => ports.findCard?.(answer, job)),
    newCard: (job) => within(clock, DRAW_MS, async () => ports.newCard?.(job)),
    refresh: (job) =>
      within(clock, REFRESH_MS, () => ports.draw(job, {}, 'cosmetic')).then(
        () => undefined,
        () => undefined,
      ),
    discard: (card) => within(clock, DRAW_MS, async () => ports.discard?.(card)),
    tellOwner(error) {
      const trouble = lasting(error);
      if (trouble !== undefined && isOwners(trouble)) ports.ownerNotice?.(trouble.code);
    },
    // A last poll is made at the deadline.
    nextPoll: (job) => Math.min(timing.nextPoll(aged(job), clock.now()), deadline(job)),
    postponed: (job) => timing.postponed(aged(job), clock.now()),
    afterFailedPoll: (job, retryAfterMs) => timing.afterFailedPoll(aged(job), clock.now(), retryAfterMs),
    sawUnfinished(job) {
      if (isTimed(job)) timing.sawUnfinished(job, clock.now());
    },
    sawFinished(job) {
      if (isTimed(job)) timing.sawFinished(job, clock.now());
    },
    answeredAt: calls.answeredAt,
    outage: (job) => gateOf(job).outage(),
    isTrial: (job) => gateOf(job).isTrial(),
    deadline,
    lastForwardJump: clock.lastForwardJump,
    waitingMs: deadlines.waitingMs,
    deliveryMs: deadlines.deliveryMs,
    elsewhereMs: deadlines.elsewhereMs,
  };
}
