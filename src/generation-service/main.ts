import { fileURLToPath } from 'node:url';
import { stopWithNpm } from '../base/stop-with-npm.ts';
import { readServiceArguments } from './command-line.ts';
import { createGenerationService } from './service.ts';

const options = readServiceArguments(process.argv.slice(2));
if ('mistake' in options) {
  console.error(options.mistake);
  process.exit(2);
}

const service = await createGenerationService({
  ...options,
  onError: (error) => console.error(error),
}).catch((error: unknown) => {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const reason = error instanceof Error ? error.message : String(error);
  console.error(
    isTaken
      ? `Another program uses port ${options.port} already. Give another one with --port.`
      : `The service could not start: ${reason}`,
  );
  process.exit(1);
});

const sample = fileURLToPath(new URL('./samples/portrait.jpg', import.meta.url));
console.log(`Generation service at ${service.url}

  API key  ${service.apiKeyHeader}: ${service.apiKey}
  token    Authorization: Bearer ${service.token}

Try it (submits a portrait, then asks for the result until it is there):

  ID=$(printf '{"base64":"%s","gender":1,"filter_id":3}' "$(base64 < "${sample}" | tr -d '\\n')" | curl -s "${service.url}/v6/run/face_swap" -H "${service.apiKeyHeader}: ${service.apiKey}" -H "Content-Type: application/json" -d @- | cut -d'"' -f4); for N in $(seq 90); do curl -s -X POST "${service.url}/v6/status/$ID" -H "${service.apiKeyHeader}: ${service.apiKey}" -o result.json; grep -q COMPLETED result.json && break; sleep 1; done; cut -d'"' -f14 result.json | base64 -d > result.png; ls -l result.png
`);

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A second signal ends the process at once.
    if (stopping) process.exit(1);
    stopping = true;
    service.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}
stopWithNpm(process.env);
