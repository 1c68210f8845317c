import { defineAction } from '../../src/command/command.ts';
import type { Option } from '../../src/command/option.ts';
import { infoReply } from '../../src/command/reply.ts';
import { options, subcommands } from '../texts/settings.ts';

const community = {
  kind: 'text',
  description: options.community,
  max: 60,
} as const satisfies Option;

function deciding(
  description: string,
  decision: 'approve' | 'revoke',
  [done, doneBefore]: readonly ['approved', 'already'] | readonly ['revoked', 'wasNot'],
) {
  return defineAction({
    description,
    translations: subcommands[decision],
    options: { community },
    async run({ args, words: { approval }, ports: { approvals } }) {
      const { community: id, changed } = await approvals[decision](args.community);
      const sentence = approval[changed ? done : doneBefore](id);
      const lines = [sentence, ...(approvals.isNeeded ? [] : [approval.notNeeded])];
      return infoReply({ title: approval.settingsTitle, lines });
    },
  });
}

const toApprove = 'Owners: let a community or a direct chat use the bot';
export const approve = deciding(toApprove, 'approve', ['approved', 'already']);
const toRevoke = 'Owners: take the approval of a community or a direct chat back';
export const revoke = deciding(toRevoke, 'revoke', ['revoked', 'wasNot']);
