/** Every setting of the platform, valid together. */
export const settings = {
  TELEGRAM_TOKEN: '123456:AAfake-telegram_token',
  TELEGRAM_API_URL: 'http://127.0.0.1:1',
  TELEGRAM_WEBHOOK_URL: 'https://bot.example/hook',
  TELEGRAM_WEBHOOK_SECRET: 'a-long_enough-webhook-secret',
};
