import { createSoleMember } from '../../src/store/store.ts';

/** The only process on its store, for tests in which there is no other. */
export const soleMember = createSoleMember();
