import type { Clock } from '../../base/clock.ts';
import type { KeyValue } from '../../base/key-value.ts';
import type { Command } from '../../command/command.ts';
import type { Desk } from '../../command/desk.ts';
import type { Log } from '../../log/log.ts';
import { languages, type Words } from '../../words/words.ts';
import type { Adapter } from '../adapter.ts';
import { linkOf, readCard } from './api/card-ref.ts';
import { createGateway } from './api/gateway.ts';
import { createHostCheck } from './api/photo-ref.ts';
import { createRequests } from './api/requests.ts';
import { createSizeLimits } from './api/size-limits.ts';
import { createEvents } from './incoming/events.ts';
import { createIntake } from './incoming/intake.ts';
import { createModerators } from './incoming/moderators.ts';
import { createFetchPhoto } from './incoming/photos.ts';
import { createAnswer } from './outgoing/answer-interaction.ts';
import { createBudget } from './outgoing/budget.ts';
import { registration } from './outgoing/commands.ts';
import { createDrawing } from './outgoing/draw-card.ts';
import { createFind } from './outgoing/find-card.ts';
import { createFormStore } from './outgoing/form-store.ts';
import { createRegistration } from './outgoing/register.ts';
import { createSay } from './outgoing/send-message.ts';

export interface DiscordOptions {
  readonly token: string;
  /** REST root, ends in `/api`; default: Discord's own. */
  readonly apiUrl?: string | undefined;
  readonly cdnHosts: readonly string[];
  readonly commands: readonly Command[];
  readonly desk: Desk;
  readonly state: KeyValue;
  readonly clock: Clock;
  readonly log: Log;
  readonly words: (locale: string) => Words;
  /** Called when Discord allows only a few more connections today. */
  readonly sessionsExhausted?: () => void;
}

const longestStopMs = 10_000;

export const createDiscordAdapter = (options: DiscordOptions): Adapter => {
  const { clock, log, state, desk, commands, words } = options;
  const requests = createRequests(options);
  const isAllowedHost = createHostCheck(options.cdnHosts);
  const moderators = createModerators(requests, clock);
  const drawing = createDrawing({
    requests,
    clock,
    words,
    budget: createBudget(clock),
    sizes: createSizeLimits(),
  });
  const photo = createFetchPhoto({ requests, isAllowedHost, clock });
  const declared = registration(commands, languages);
  const registering = createRegistration({ requests, state, clock, log, commands: declared });

  const formStore = createFormStore(state);
  const answer = createAnswer({
    requests,
    clock,
    log,
    words,
    desk,
    keepForm: formStore.keep,
  });
  const events = createEvents({
    desk,
    clock,
    commands,
    answer,
    requests,
    isAllowedHost,
    words,
    form: formStore.find,
  });

  const intake = createIntake({
    requests,
    clock,
    log,
    words,
    handle: (interaction) => moderators.during(interaction, () => events(interaction)),
  });
  const gateway = createGateway({
    ...options,
    ready: registering.run,
    interaction: intake.take,
    sessionsExhausted: options.sessionsExhausted ?? (() => undefined),
  });

  return {
    platform: 'discord',
    start: gateway.start,
    async stop() {
      registering.stop();
      await gateway.stop();
      await intake.idle(longestStopMs);
    },
    ...drawing,
    find: createFind(requests, clock),
    say: createSay(requests, clock),
    // The store deletes this adapter's records: each names its owner.
    forget: async () => undefined,
    photo: ({ ref }, ...limits) => photo(ref, ...limits),
    isModerator: moderators.isModerator,
    link: (card, place) => linkOf(readCard(card), place),
    trouble: () => gateway.trouble() ?? requests.tokenFault() ?? intake.overload(),
  };
};
