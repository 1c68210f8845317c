import { defineAction } from '../../src/command/command.ts';
import type { Option } from '../../src/command/option.ts';
import { infoReply, type Reply } from '../../src/command/reply.ts';
import type { Words } from '../../src/words/words.ts';

const community = {
  kind: 'text',
  description: 'As the notice names it, for example telegram:-100123; left out: this one',
  max: 60,
} as const satisfies Option;

function outcome(sentence: string, isNeeded: boolean, { approval }: Words): Reply {
  return infoReply({
    title: approval.settingsTitle,
    lines: [sentence, ...(isNeeded ? [] : [approval.notNeeded])],
  });
}

export const approve = defineAction({
  description: 'Owners: let a community or a direct chat use the bot',
  options: { community },
  async run({ args, words, approvals }) {
    const { community: id, changed } = await approvals.approve(args.community);
    const { approved, already } = words.approval;
    return outcome((changed ? approved : already)(id), approvals.isNeeded, words);
  },
});

export const revoke = defineAction({
  description: 'Owners: take the approval of a community or a direct chat back',
  options: { community },
  async run({ args, words, approvals }) {
    const { community: id, changed } = await approvals.revoke(args.community);
    const { revoked, wasNot } = words.approval;
    return outcome((changed ? revoked : wasNot)(id), approvals.isNeeded, words);
  },
});
