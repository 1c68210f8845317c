import { createSoleMember } from '../../src/base/members/sole-member.ts';

export const soleMember = createSoleMember();
