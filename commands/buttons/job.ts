import { defineButton } from '../../src/command/command.ts';

export const cancel = defineButton({
  verb: 'cancel',
  about: 'job',
  access: 'owner-or-moderator',
  evenBlocked: true,
  run: ({ jobs }, job) => jobs.cancel(job.id),
});

export const remove = defineButton({
  verb: 'delete',
  about: 'job',
  access: 'owner-or-moderator',
  evenBlocked: true,
  run: ({ jobs }, job) => jobs.remove(job.id),
  // What somebody made who has been forgotten since, or more than a month ago, can be taken out of the chat all the same.
  gone: ({ jobs }, id) => jobs.takeDown(id),
});

export const report = defineButton({
  verb: 'report',
  about: 'job',
  access: 'everyone',
  evenBlocked: true,
  run: ({ jobs }, job) => jobs.report(job.id),
});

export const show = defineButton({
  verb: 'show',
  about: 'job',
  access: 'owner',
  run: ({ jobs }, job) => jobs.show(job.id),
});
