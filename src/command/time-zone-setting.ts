import { z } from 'zod';
import type { InEveryLanguage } from '../words/language.ts';
import type { SettingRow } from './setting-row.ts';
import { localTime } from './time-zone.ts';

const changed: InEveryLanguage<(zone: string, time: string) => string> = {
  en: (zone, time) =>
    `The time zone is ${zone} now. It is ${time} there.\nCampaigns that are already scheduled keep their moment.`,
  de: (zone, time) =>
    `Die Zeitzone ist jetzt ${zone}. Dort ist es ${time}.\nKampagnen, die schon geplant sind, behalten ihren Zeitpunkt.`,
  es: (zone, time) =>
    `La zona horaria es ahora ${zone}. Allí son las ${time}.\nLas campañas ya programadas conservan su momento.`,
  fr: (zone, time) =>
    `Le fuseau horaire est maintenant ${zone}. Il y est ${time}.\nLes campagnes déjà programmées gardent leur moment.`,
  pt: (zone, time) =>
    `O fuso horário agora é ${zone}. Lá são ${time}.\nCampanhas já agendadas mantêm o seu momento.`,
};

/** The time zone in which a community's times are read and shown. */
export const timeZoneSetting: SettingRow<string> = {
  shape: z.string(),
  standard: 'UTC',
  command: 'timezone',
  options: {
    name: {
      kind: 'time-zone',
      required: true,
      description: {
        en: 'For example Europe/Berlin',
        de: 'Zum Beispiel Europe/Berlin',
        es: 'Por ejemplo Europe/Madrid',
        fr: 'Par exemple Europe/Paris',
        pt: 'Por exemplo America/Sao_Paulo',
      },
    },
  },
  example: '/settings timezone Europe/Berlin',
  name: {
    en: 'Time zone',
    de: 'Zeitzone',
    es: 'Zona horaria',
    fr: 'Fuseau horaire',
    pt: 'Fuso horário',
  },
  description: {
    en: 'Time zone of campaigns and statistics',
    de: 'Zeitzone für Kampagnen und Statistik',
    es: 'Zona horaria de campañas y estadísticas',
    fr: 'Fuseau horaire des campagnes et statistiques',
    pt: 'Fuso horário de campanhas e estatísticas',
  },
  text: (zone) => zone,
  changed: (zone, { language }, now) => changed[language](zone, localTime(zone, now)),
};
