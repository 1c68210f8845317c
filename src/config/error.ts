/** Settings with which Darkroom must not start. The message has one line for each of them. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
