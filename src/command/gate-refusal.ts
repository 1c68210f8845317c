import { defined } from '../base/defined.ts';
import type { InEveryLanguage } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import type { Pause } from './community-settings.ts';
import type { Place } from './place.ts';
import type { Line } from './view.ts';

/** The reason why nothing can be made in a place. `channels`: the places where jobs are accepted. */
export type GateRefusal =
  | { readonly code: 'unapproved' | 'blocked' | 'banned-word' }
  | { readonly code: 'paused'; readonly pause: Pause }
  | { readonly code: 'other-channel'; readonly channels: readonly Place[] };

type Code = GateRefusal['code'];

interface Said<Refusal> {
  /** What a person reads whose command is refused. */
  now(refused: Refusal, words: Words): readonly [string, ...Line[]];
  /** What the card of a job says that was accepted before and waited. */
  readonly later: InEveryLanguage;
}

const MOST_CHANNELS = 5;

function goTo(channels: readonly Place[], { gate }: Words): readonly Line[] {
  if (channels.length === 0) return [];
  const spans = channels
    .slice(0, MOST_CHANNELS)
    .flatMap(({ channel, thread }) => [' ', { channel, ...defined({ thread }) }]);
  return [[gate.goTo, ...spans]];
}

/** What is said of each refusal; a new one is added here. */
const SAID: { readonly [Each in Code]: Said<Extract<GateRefusal, { readonly code: Each }>> } = {
  unapproved: {
    now: (_, { gate }) => [gate.unapproved],
    later: {
      en: 'The owner of this bot took back the approval of this chat before this was sent to the generation service.',
      de: 'Der Betreiber dieses Bots hat die Freigabe dieses Chats zurückgenommen, bevor dies an den Generierungsdienst geschickt wurde.',
      es: 'El propietario de este bot retiró la aprobación de este chat antes de que esto se enviara al servicio de generación.',
      fr: 'Le propriétaire de ce bot a retiré l’approbation de ce chat avant l’envoi au service de génération.',
      pt: 'O dono deste bot retirou a aprovação deste chat antes de isto ser enviado ao serviço de geração.',
    },
  },
  blocked: {
    now: (_, { gate }) => [gate.blocked],
    later: {
      en: 'A moderator blocked you here before this was sent to the generation service.',
      de: 'Die Moderation hat dich hier gesperrt, bevor es an den Generierungsdienst ging.',
      es: 'Un moderador te bloqueó aquí antes de que se enviara al servicio de generación.',
      fr: 'Un modérateur vous a bloqué ici avant l’envoi au service de génération.',
      pt: 'Um moderador bloqueou você aqui antes do envio ao serviço de geração.',
    },
  },
  paused: {
    now: ({ pause }, { gate }) => [pause.lost ? gate.settingsLost : gate.paused(pause.reason)],
    later: {
      en: 'Darkroom was paused in this community before this was sent to the generation service.',
      de: 'Darkroom wurde in dieser Community pausiert, bevor es an den Generierungsdienst ging.',
      es: 'Darkroom se puso en pausa en esta comunidad antes de que se enviara al servicio de generación.',
      fr: 'Darkroom a été mis en pause dans cette communauté avant l’envoi au service de génération.',
      pt: 'O Darkroom foi pausado nesta comunidade antes do envio ao serviço de geração.',
    },
  },
  'other-channel': {
    now: ({ channels }, words) => [words.gate.notHere, ...goTo(channels, words)],
    later: {
      en: 'Moderators closed this channel for pictures and videos before this was sent to the generation service.',
      de: 'Die Moderation hat diesen Kanal für Bilder und Videos geschlossen, bevor es an den Generierungsdienst ging.',
      es: 'Los moderadores cerraron este canal para imágenes y vídeos antes de que se enviara al servicio de generación.',
      fr: 'Les modérateurs ont fermé ce salon aux images et aux vidéos avant l’envoi au service de génération.',
      pt: 'Os moderadores fecharam este canal para imagens e vídeos antes do envio ao serviço de geração.',
    },
  },
  'banned-word': {
    now: (_, { gate }) => [gate.bannedWord],
    later: {
      en: 'Your text contains a word that this community no longer allows. Please rephrase it.',
      de: 'Dein Text enthält ein Wort, das diese Community nicht mehr erlaubt. Bitte formuliere es anders.',
      es: 'Tu texto contiene una palabra que esta comunidad ya no permite. Exprésalo de otra manera.',
      fr: 'Votre texte contient un mot que cette communauté n’autorise plus. Reformulez-le.',
      pt: 'Seu texto tem uma palavra que esta comunidade não permite mais. Escreva de outro jeito.',
    },
  },
};

/** The text that a person reads whom the gate refuses. */
export function refusalText<Each extends Code>(
  refused: Extract<GateRefusal, { readonly code: Each }>,
  words: Words,
): readonly [string, ...Line[]] {
  return SAID[refused.code].now(refused, words);
}

/** Whether this is the code of a refusal. */
export const isGateRefusal = (code: string): code is Code => Object.hasOwn(SAID, code);

/** The codes of all refusals. */
export const refusalCodes: readonly Code[] = Object.keys(SAID).filter(isGateRefusal);

/** The text of a job that the gate refused when it had waited. */
export const refusalTextAfterWaiting = (code: Code, { language }: Pick<Words, 'language'>): string =>
  SAID[code].later[language];
