import { defineButton } from '../../src/command/command.ts';

export const cancel = defineButton({
  verb: 'cancel',
  about: 'job',
  access: 'owner-or-moderator',
  openToBlocked: true,
  run: ({ jobs }, job) => jobs.cancel(job.id),
});

export const remove = defineButton({
  verb: 'delete',
  about: 'job',
  access: 'owner-or-moderator',
  openToBlocked: true,
  run: ({ jobs }, job) => jobs.remove(job.id),
  // A result can be removed from the chat even when its record is gone (deleted, or older than a month).
  gone: ({ jobs }, id) => jobs.takeDown(id),
});

export const report = defineButton({
  verb: 'report',
  about: 'job',
  access: 'everyone',
  openToBlocked: true,
  run: ({ jobs }, job) => jobs.report(job.id),
});

export const show = defineButton({
  verb: 'show',
  about: 'job',
  access: 'owner',
  run: ({ jobs }, job) => jobs.show(job.id),
});
