import type { Job } from '../../../src/orchestrator/job/job.ts';

/** A video in the making, at the age at which most are finished: polls are as dense as they get. */
export const jobOf = (n: number, now: number): Job => ({
  id: `bench-${String(n).padStart(10, '0')}`,
  origin: `event ${n}`,
  state: 'running',
  caller: {
    platform: 'discord',
    id: `${1_000_000 + (n >> 1)}`,
    name: 'Somebody With A Name',
    locale: 'en-GB',
  },
  place: { platform: 'discord', community: 'discord:1', channel: '2', direct: false },
  private: false,
  request: {
    kind: 'single-frame-video',
    photo: { from: 'discord', ref: `https://cdn.discordapp.com/attachments/1/2/${'x'.repeat(150)}` },
    prompt: 'the camera drifts to the left while the leaves are falling '.repeat(3),
    model: 'advanced',
    duration: '4s',
    aspect: 'auto',
  },
  label: 'the camera drifts to the left',
  credits: 10,
  day: '2026-01-05',
  charge: 'spent',
  card: { platform: 'discord', ref: JSON.stringify({ channel: '2', message: '3', token: 'y'.repeat(200) }) },
  createdAt: now,
  due: now + Math.random() * 10_000,
  submittedAt: now - 60_000 - Math.random() * 60_000,
  serviceId: `service-${n}`,
  looks: 0,
  attempts: 0,
  shownProgress: 0,
  settled: false,
  version: 1,
});
