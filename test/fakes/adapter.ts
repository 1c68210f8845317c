import type { Adapter } from '../../src/adapters/adapter.ts';

/** A function that a test does not expect to be called. */
export const unused = (): never => {
  throw new Error('not part of this test');
};

/** An adapter all of whose methods fail, until a test replaces those that it needs. */
export const idleAdapter: Adapter = {
  platform: 'web',
  start: unused,
  stop: unused,
  draw: unused,
  removeMessage: unused,
  say: unused,
  forget: unused,
  photo: unused,
  limits: unused,
  isModerator: unused,
  trouble: unused,
};
