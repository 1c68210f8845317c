/** The least that a discord.js bot can do: acknowledge every command. The yardstick of first-answer-discord. */
import { Client, Events } from 'discord.js';

const [token = '', api = ''] = process.argv.slice(2);
const client = new Client({ intents: [], rest: { api } });

client.on(Events.InteractionCreate, (interaction) => {
  if (interaction.isChatInputCommand()) void interaction.deferReply();
});

client.once(Events.ClientReady, () => process.stdout.write('ready\n'));
await client.login(token);
