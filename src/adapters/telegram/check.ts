import type { WebhookInfo } from 'grammy/types';
import type { Clock } from '../../base/clock.ts';
import { type Finding, failedFinding } from '../connection.ts';
import { createBot } from './api/create-bot.ts';
import { isFault, TelegramFault } from './api/fault.ts';

function reportOn(hook: WebhookInfo, wanted: string): string {
  return hook.url === wanted
    ? (hook.last_error_message ?? 'no error reported')
    : 'the next start tells Telegram the address';
}

/** Checks whether Telegram accepts the token, whether the bot can be added to groups, and how updates arrive. */
export async function checkTelegram(
  options: {
    readonly token: string;
    readonly apiUrl?: string | undefined;
    readonly webhook?: { readonly url: string } | undefined;
  },
  clock: Clock,
): Promise<readonly Finding[]> {
  const { api } = createBot({ ...options, clock });
  try {
    const me = await api.getMe();
    const hook = await api.getWebhookInfo();
    const wanted = options.webhook?.url ?? '';
    return [
      { name: 'Telegram token', ok: true, detail: `accepted: @${me.username} (https://t.me/${me.username})` },
      {
        name: 'Telegram groups',
        ok: me.can_join_groups !== false,
        reason: 'cannot be added',
        detail: me.can_join_groups === false ? 'cannot be added to groups' : 'can be added to groups',
        cure: 'Tell @BotFather: /setjoingroups, Enable.',
      },
      {
        name: 'Telegram updates',
        // Another URL is no problem, because the next start sets or removes the webhook.
        ok: hook.last_error_message === undefined || hook.url !== wanted,
        detail: wanted === '' ? 'by long polling' : `by webhook: ${reportOn(hook, wanted)}`,
        reason: 'webhook error',
        cure: 'Telegram must reach TELEGRAM_WEBHOOK_URL over https on port 443, 80, 88 or 8443.',
      },
    ];
  } catch (error) {
    const tokenCure = 'Copy it again from @BotFather (/mybots, API Token) into TELEGRAM_TOKEN.';
    if (isFault(error, 'unauthorized'))
      return [failedFinding('Telegram token', 'refused by Telegram', 'refused', tokenCure)];
    const detail = error instanceof Error ? error.message.replace(/^Telegram \w+: /, '') : 'not reachable';
    const reason = error instanceof TelegramFault ? error.kind : 'not reachable';
    return [
      failedFinding('Telegram', detail, reason, 'Check the network and TELEGRAM_API_URL, then try again.'),
    ];
  }
}
