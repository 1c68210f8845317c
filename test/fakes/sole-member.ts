import { createSoleMember } from '../../src/store/sole-member.ts';

export const soleMember = createSoleMember();
