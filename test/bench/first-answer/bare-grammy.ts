/** The least that a grammY bot can do: answer every message with a word. The yardstick of first-answer-telegram. */
import { Bot } from 'grammy';

const [token = '', apiRoot = ''] = process.argv.slice(2);
const bot = new Bot(token, { client: { apiRoot } });
bot.on('message', (ctx) => ctx.reply('Got it.'));
await bot.start({ onStart: () => void process.stdout.write('ready\n') });
