import { randomBytes } from 'node:crypto';
import type { Adapter } from '../../adapters/adapter.ts';
import type { Clock } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';
import type { FaceCheckEvent } from '../../command/face-check-port.ts';
import type { Log } from '../../log/log.ts';
import type { FinalJob, Job } from '../../orchestrator/job/job.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import type { ContentEvent } from '../../safety/content/check.ts';
import type { Store } from '../../store/tables/store.ts';
import { createFigureCounts } from '../figures/counts.ts';
import { createFigures } from '../figures/figures.ts';
import { monthCredits } from '../figures/month-credits.ts';
import { failing } from '../figures/outage-watch.ts';
import { logFailedJob } from '../notices/notices.ts';
import { addGauges, createMetrics } from './metrics.ts';

export type Observer = ReturnType<typeof openObserver>;

/** Counts events of this process for Prometheus and for the owner's figures, and logs those that went wrong. */
export function openObserver(parts: {
  readonly store: Pick<Store, 'figures' | 'usage'>;
  readonly members: Members;
  readonly clock: Clock;
  readonly log: Log;
  readonly opened: AsyncDisposableStack;
}) {
  const { store, members, clock, log, opened } = parts;
  const metrics = createMetrics(members);
  const counts = createFigureCounts(clock);
  const figures = createFigures({
    counts,
    records: store.figures,
    usage: store.usage,
    clock,
    log,
    writer: randomBytes(6).toString('base64url'),
    members,
  });
  // Before all that is counted, so that it writes what was counted until the others had stopped.
  opened.defer(figures.stop);
  return {
    metrics: metrics.registry,
    figures: { read: figures.read, months: figures.months, today: figures.today },
    timed: metrics.timed,
    /** A call to the service took so long. */
    called: metrics.called,
    callFailed(error: unknown): void {
      metrics.callFailed(error);
      counts.callFailed(error);
    },
    polled: metrics.polled,
    /** How long an answer took. */
    answered: metrics.answered,
    /** The check of a photo found something wrong, or its person chose what to do. */
    faceChecked(event: FaceCheckEvent): void {
      metrics.faceChecked(event);
      counts.faceChecked(event);
    },
    /** Something came of a look at the content of a picture. */
    contentChecked(event: ContentEvent): void {
      metrics.contentChecked(event);
      counts.contentChecked(event);
    },
    /** A platform will never show this end of a job. */
    refused({ id, place: { platform } }: Job, reason: string): void {
      metrics.refused(platform);
      counts.refused(platform);
      log.warn({ job: id, platform, reason }, 'a platform refuses to show how a job ended');
    },
    finished(job: FinalJob): void {
      metrics.finished(job);
      counts.finished(job);
      logFailedJob(job, log);
    },
    /** Watches what the rest of the program says of itself, too. */
    start(watched: {
      readonly orchestrator: Pick<Orchestrator, 'stats' | 'outages'>;
      readonly adapters: () => readonly Pick<Adapter, 'platform' | 'trouble'>[];
      readonly storeTrouble: () => string | undefined;
      readonly damaged: () => number;
      readonly callsWaiting: () => number;
      readonly monthCeiling: number | undefined;
    }): void {
      const { orchestrator, adapters, storeTrouble, damaged, callsWaiting, monthCeiling } = watched;
      const { stats, outages } = orchestrator;
      addGauges(metrics.registry, {
        stats,
        outages,
        damaged,
        callsWaiting,
        monthCredits: () => monthCredits(store.usage, clock.now()),
        monthCeiling,
        adapters,
        members,
      });
      figures.start(() => failing(outages(), adapters(), storeTrouble()));
    },
  };
}
