/** Every setting of the platform, valid together. */
export const settings = {
  DISCORD_TOKEN: 'MTAw.fake.discord-token',
  DISCORD_PUBLIC_KEY: 'ab'.repeat(32),
  DISCORD_API_URL: 'http://127.0.0.1:1/api',
  DISCORD_CDN_HOSTS: '127.0.0.1:1',
};
