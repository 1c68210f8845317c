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

/** Delete on a result that was shared. */
export const unshare = defineButton({
  verb: 'unshare',
  about: 'job',
  access: 'owner-or-moderator',
  openToBlocked: true,
  run: ({ jobs }, job) => jobs.unshare(job.id),
  gone: ({ jobs }, id) => jobs.takeDown(id),
});

/** Delete on a comparison. */
export const discard = defineButton({
  verb: 'discard',
  about: 'job',
  access: 'owner-or-moderator',
  openToBlocked: true,
  run: ({ jobs }, job) => jobs.discard(job.id),
  gone: ({ jobs }, id) => jobs.takeDown(id),
});

export const share = defineButton({
  verb: 'share',
  about: 'job',
  access: 'owner',
  actsThere: true,
  run: ({ jobs }, job) => jobs.share(job.id),
});

export const compare = defineButton({
  verb: 'compare',
  about: 'job',
  access: 'owner',
  run: ({ jobs }, job) => jobs.compare(job.id),
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
