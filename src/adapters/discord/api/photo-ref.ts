import { z } from 'zod';

/** Where a photo on Discord can be had again: its address, and the message that holds it once addresses expire. */
const photo = z.object({
  url: z.string(),
  id: z.string().optional(),
  channel: z.string().optional(),
  message: z.string().optional(),
});

type Attachment = z.infer<typeof photo>;

export const attachmentRef = (value: Attachment): string => JSON.stringify(value);
export const readAttachmentRef = (ref: string): Attachment => photo.parse(JSON.parse(ref));

export type HostCheck = (address: string) => boolean;

const loopback = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** Only these hosts are ever fetched from; unencrypted only on this machine, where tests live. */
export const createHostCheck = (hosts: readonly string[]): HostCheck => {
  const allowed = new Set(hosts.map((host) => host.toLowerCase()));
  return (address) => {
    if (!URL.canParse(address)) return false;
    const url = new URL(address);
    if (url.username !== '' || url.password !== '') return false;
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback.test(url.hostname))) return false;
    // `host` is with the port where it is not the usual one: a bare name allows the usual one alone.
    return allowed.has(url.host);
  };
};
