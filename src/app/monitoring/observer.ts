import type { Clock } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';
import type { FaceCheckEvent } from '../../command/face-check-port.ts';
import type { Log } from '../../log/log.ts';
import type { FinalJob, Job } from '../../orchestrator/job/job.ts';
import type { ContentEvent } from '../../safety/content/check.ts';
import { createFigureCounts } from '../figures/counts.ts';
import { logFailed } from '../notices/notices.ts';
import { createMetrics } from './metrics.ts';

export type Observer = ReturnType<typeof createObserver>;

/** Counts events of this process for Prometheus and for the owner's figures, and logs those that went wrong. */
export function createObserver(members: Members, clock: Clock, log: Log) {
  const metrics = createMetrics(members);
  const counts = createFigureCounts(clock);
  return {
    metrics: metrics.registry,
    counts,
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
      logFailed(job, log);
    },
  };
}
