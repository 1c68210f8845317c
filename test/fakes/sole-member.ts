import { createSoleMember } from '../../src/store/store.ts';

export const soleMember = createSoleMember();
